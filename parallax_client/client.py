"""A server and a token: from it, studies."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import httpx

from parallax_client.asking import Asking
from parallax_client.frames import frame_of, items
from parallax_client.study import Study

if TYPE_CHECKING:
    import pandas as pd

    from parallax_client.frames import Frame

INSTRUCTIONS = "Please read each item to the end, and answer on your own.\n"
FAR = 1
METRICS = ("pll", "causal")


class Client:
    """Use it with `with`, or `close` it.

    >>> client = Client("http://127.0.0.1:8000", "plx_…")  # doctest: +SKIP
    """

    def __init__(
        self, url: str, token: str, *, timeout: float = 120.0, transport: httpx.BaseTransport | None = None
    ) -> None:
        """`timeout` is of one request, in seconds; `transport` is httpx's, for tests and proxies."""
        self._asking = Asking(url, token, timeout=timeout, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        self._asking.close()

    def token(self) -> dict[str, Any]:
        """What the token is: whose, with which scopes, until when."""
        found: dict[str, Any] = self._asking.get("token")
        return found

    def studies(self) -> list[Study]:
        """Those that the token's user can see."""
        return [Study(self._asking, facts) for facts in self._asking.rows("studies")]

    def study(self, slug: str) -> Study:
        if not re.fullmatch(r"[\w-]+", slug):
            raise ValueError(f"{slug!r} is no study's name: those are letters, digits and hyphens.")
        return Study(self._asking, self._asking.get(f"studies/{slug}"))

    def models(self) -> "pd.DataFrame":
        """Those that studies can be scored with."""
        return frame_of(self._asking.get("models")["data"])

    def create_study(
        self,
        frame: "Frame",
        *,
        task: str | Mapping[str, Any],
        slug: str,
        title: str = "",
        columns: Mapping[str, str] | None = None,
        instructions: str = INSTRUCTIONS,
        labels_per_item: int = 3,
        sitting_length: int = 20,
        most_items: int = 100,
        metrics: Sequence[str] = METRICS,
        **tables: Mapping[str, Any],
    ) -> Study:
        """A draft of one item a row of the frame. `columns` says which column is what, where they have other names.

        `task` is a task type, or the whole [task] table; `tables` are others of study.toml, such as
        `quality={"gold_distance": 2}`. ParallaxError with every fault, by line and field; then nothing is made.
        """
        collection = {
            "labels_per_item": labels_per_item,
            "sitting_length": sitting_length,
            "max_items_per_annotator": most_items,
        }
        study = {
            "slug": slug,
            "title": title or slug,
            "instructions": instructions,
            "task": {"type": task} if isinstance(task, str) else dict(task),
            **{name: dict(table) for name, table in tables.items()},
            "collection": collection | dict(tables.get("collection", {})),
            "quality": {"gold_distance": FAR} | dict(tables.get("quality", {})),
            "scoring": {"metrics": list(metrics)} | dict(tables.get("scoring", {})),
        }
        return Study(self._asking, self._asking.create("studies", {"study": study, "items": items(frame, columns)}))
