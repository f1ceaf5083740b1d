"""One study: its rows as frames, and what can be done with it."""

import io
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parallax_client.asking import Asking, Query, TimedOut
from parallax_client.frames import frame_of, items, records

if TYPE_CHECKING:
    import pandas as pd

    from parallax_client.frames import Frame

UNDER_WAY = ("queued", "running")
NAMED = "named"
# For how long a large study's figures are waited for.
WAIT = 3_600.0
LABEL = ("item", "annotator", "label", "seconds", "repeat")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`headline` is the answer, `findings` the lines that it rests on; `figures` is all of it as the API gives it."""

    headline: str
    findings: tuple[str, ...]
    figures: Mapping[str, Any]

    def __str__(self) -> str:
        return "\n".join((self.headline, *self.findings))

    def runs(self) -> "pd.DataFrame":
        """The compared runs, the nearest first: a line each, with its figure, interval and n."""
        rows = []
        for run in self.figures["runs"]:
            value = {name: run["value"][name] for name in ("value", "low", "high", "n", "undefined")}
            names = ("run", "name", "is_baseline", "rank", "nearest", "p_no_better_than_chance")
            rows.append({name: run[name] for name in names} | value)
        return frame_of(rows)


class Study:
    """A study on the server. `facts` are as they were read last; `reload` reads them again."""

    def __init__(self, asking: Asking, facts: Mapping[str, Any]) -> None:
        self._asking = asking
        self.facts = facts

    @property
    def slug(self) -> str:
        return str(self.facts["slug"])

    @property
    def state(self) -> str:
        """draft, open or closed, as it was read last."""
        return str(self.facts["state"])

    def __repr__(self) -> str:
        return f"<Study {self.slug}, {self.state}>"

    def reload(self) -> "Study":
        return self._now(self._asking.get(self._at()))

    # What becomes of it.

    def open(self) -> "Study":
        """Let annotators in; its quality policy is fixed from then on."""
        return self._done("open")

    def close(self) -> "Study":
        return self._done("close")

    def archive(self) -> "Study":
        return self._done("archive")

    def restore(self) -> "Study":
        return self._done("restore")

    def link(self, name: str = "", *, max_starts: int | None = None, expires_at: str | None = None) -> str:
        """The address for annotators: the study's first, or a new one where anything is said of it."""
        if not name and max_starts is None and expires_at is None:
            return str(self._asking.get(self._at("links"))["data"][0]["address"])
        asked = {"name": name, "max_starts": max_starts, "expires_at": expires_at}
        return str(self._asking.create(self._at("links"), asked)["address"])

    def setup(self) -> dict[str, Any]:
        """What it declares, as the tables of study.toml."""
        found: dict[str, Any] = self._asking.get(self._at("setup"))["setup"]
        return found

    def change(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Other values by their paths: `{"collection.labels_per_item": 5}`; None leaves one to its default."""
        read = self._asking.send("GET", self._at("setup"))
        seen = {"If-Match": read.headers["ETag"]}
        answer = self._asking.send("PATCH", self._at("setup"), {"changes": dict(changes)}, headers=seen)
        found: dict[str, Any] = answer.json()["setup"]
        return found

    # Rows.

    def add_items(self, frame: "Frame", columns: Mapping[str, str] | None = None) -> int:
        """Behind those that a draft has, all or none; how many."""
        return int(self._asking.create(self._at("items"), {"items": items(frame, columns)})["added"])

    def items(self, kind: str = "") -> "pd.DataFrame":
        """A line an item; the parts of content and attributes are columns, `attribute.NAME` these."""
        return frame_of(_flat(row) for row in self._asking.rows(self._at("items"), {"kind": kind} if kind else {}))

    def labels(self) -> "pd.DataFrame":
        """A line a label, counted or not; annotators are numbers."""
        return frame_of(self._asking.rows(self._at("labels")))

    def sittings(self) -> "pd.DataFrame":
        return frame_of(self._asking.rows(self._at("sittings")))

    def scores(self, run: int | None = None) -> "pd.DataFrame":
        """A line an item and run, or of that run alone."""
        return frame_of(self._asking.rows(self._at("scores"), {} if run is None else {"run": run}))

    def import_labels(self, frame: "Frame", *, source: str = "", as_imported: bool = False) -> dict[str, Any]:
        """Labels that people gave elsewhere: the columns item, annotator, label and perhaps seconds and repeat."""
        rows = [{name: row[name] for name in LABEL if name in row} for row in records(frame)]
        for row in rows:
            row |= {name: str(row[name]) for name in ("item", "annotator", "label") if name in row}
        said = {"labels": rows, "source": source, "as_imported": as_imported}
        done: dict[str, Any] = self._asking.create(self._at("labels"), said)
        return done

    def import_scores(self, frame: "Frame", *, model: str, metric: str, source: str, **more: Any) -> dict[str, Any]:
        """Scores computed elsewhere, as lines of a score file; `more` is how they are read, such as `columns`."""
        said = {"model": model, "metric": metric, "source": source, "lines": records(frame), **more}
        done: dict[str, Any] = self._asking.create(self._at("scores"), said)["run"]
        return done

    # Models.

    def choices(self) -> "pd.DataFrame":
        """Every model with every metric that fits, and whether the study names it."""
        return frame_of(self._asking.get(self._at("choices"))["data"])

    def score(self, runs: Iterable[tuple[str, str]] | str = NAMED, *, device: str = "") -> "pd.DataFrame":
        """Start runs: (model, metric) each; or all that the study names, "named"; or all that fit, "fitting".

        `device`: "gpu" for workers with a GPU alone, "any" for all; without it, as it was.
        """
        pairs = [] if isinstance(runs, str) else [{"model": model, "metric": metric} for model, metric in runs]
        asked: dict[str, Any] = {"every": runs} if isinstance(runs, str) else {"runs": pairs}
        asked |= {"device": device} if device else {}
        return frame_of(self._asking.create(self._at("runs"), asked)["data"])

    def runs(self) -> "pd.DataFrame":
        return frame_of(self._runs())

    def stop(self) -> None:
        """Stop all runs that are under way; what is scored stays."""
        self._asking.post(self._at("runs/stop"))

    def wait(self, timeout: float = WAIT, *, every: float = 2.0) -> "pd.DataFrame":
        """Until no run is under way; all runs then. TimedOut where that takes longer."""
        until = time.monotonic() + timeout
        runs = self._runs()
        while left := sum(run["state"] in UNDER_WAY for run in runs):
            if time.monotonic() + every > until:
                raise TimedOut(f"{left} runs of {self.slug} are under way after {timeout:g} s.")
            time.sleep(every)
            runs = self._runs()
        return frame_of(runs)

    # Results, by the filters of the results' address.

    def statistics(self, filters: Query | None = None, *, wait: float = WAIT) -> "pd.DataFrame":
        """Every figure of the report: value, low, high, n, or why it is undefined."""
        return frame_of(self._asking.computed(self._at("statistics"), filters, wait=wait).json()["figures"])

    def verdict(self, filters: Query | None = None, *, wait: float = WAIT) -> Verdict:
        said = self._asking.computed(self._at("verdict"), filters, wait=wait).json()
        return Verdict(said["headline"], tuple(map(_line, said["findings"])), said)

    def export(self, name: str, filters: Query | None = None, *, wait: float = WAIT) -> "pd.DataFrame":
        """A file of the study, such as judgments or report, as a frame."""
        import pandas as pd

        return pd.read_csv(io.StringIO(self.export_text(name, filters, wait=wait)))

    def export_text(self, name: str, filters: Query | None = None, *, wait: float = WAIT) -> str:
        """A file of the study as CSV."""
        return self._asking.computed(self._at(f"exports/{name}"), filters, wait=wait).text

    def dataset(self, path: str | Path, *, wait: float = WAIT) -> Path:
        """The study as a data set, written to that zip file."""
        found = Path(path)
        found.write_bytes(self._asking.computed(self._at("dataset"), None, wait=wait).content)
        return found

    def _runs(self) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = self._asking.get(self._at("runs"))["data"]
        return found

    def _done(self, verb: str) -> "Study":
        return self._now(self._asking.post(self._at(verb)))

    def _now(self, facts: Mapping[str, Any]) -> "Study":
        self.facts = facts
        return self

    def _at(self, what: str = "") -> str:
        return f"studies/{self.slug}/{what}".rstrip("/")


def _line(finding: Mapping[str, str]) -> str:
    return f"{finding['state']}: {finding['statement']} {finding['evidence']}".rstrip()


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Content and attributes as columns beside the others."""
    flat = {name: value for name, value in row.items() if name not in ("content", "attributes")}
    attributes = {f"attribute.{name}": value for name, value in row["attributes"].items()}
    return {**flat, **{name: value for name, value in row["content"].items() if name not in flat}, **attributes}
