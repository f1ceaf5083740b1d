"""What baselines that give labels share. They keep the contract of every scorer."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from annotation.tasktypes.contract import Labeled, Result, ScoreRequest, TaskType, Unscored
from scoring.scorers.contract import ModelSpec


class AskedStudy(Protocol):
    """What a baseline may know of a study before it is run there. Its scorer knows only what `settings` made of it."""

    slug: str
    task_type: str
    nonsubsective: Any

    @property
    def task(self) -> TaskType: ...

    @property
    def has_labels(self) -> bool: ...

    @property
    def has_one_role(self) -> bool: ...

    def label_counts(self) -> tuple[str, Counter[str]]: ...


class LabelScorer:
    """Only `Labeled` requests make sense to them."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        return [
            self.answer(request)
            if isinstance(request, Labeled)
            else Unscored("a baseline gives labels, and this asks for a probability")
            for request in requests
        ]

    def answer(self, request: Labeled) -> Result:
        raise TypeError(f"{type(self).__name__} does not say how it answers")

    def provenance(self) -> dict[str, Any]:
        return {"settings": dict(self.settings)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBaseline:
    """One of them: its `name` on pages, what its row keeps, its scorer, and how that goes with a study.

    `misfit` says why it cannot be run there, as a sentence, or None; `settings` are what its scorer is opened with.
    """

    name: str
    scorer: type[LabelScorer]
    misfit: Callable[[AskedStudy], str | None]
    settings: Callable[[AskedStudy], dict[str, Any]]
    kept: Mapping[str, Any] = field(default_factory=dict)
