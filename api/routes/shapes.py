"""Rows as JSON: what each has, in the words of docs/design.md. Nothing here says who an annotator is."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from ninja import Schema
from pydantic import ConfigDict, Field

from annotation.models import Study, StudyLink
from api.models import ApiToken
from comparison.frame.cache.gathered import Gathered
from scoring.models import Run
from scoring.runs.taking import waits_of


class Given(Schema):
    """What is sent to an address: nothing that it does not know."""

    model_config = ConfigDict(extra="forbid")


class Shape(Schema):
    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return self.model_dump(mode="json")


class TokenOut(Shape):
    name: str
    user: str
    scopes: list[str]
    expires_at: datetime | None

    @classmethod
    def of(cls, token: ApiToken) -> Self:
        user = token.user.get_username()
        return cls(name=token.name, user=user, scopes=token.scopes, expires_at=token.expires_at)


class Counts(Shape):
    """Counts of target items and their labels."""

    items: int = Field(description="Targets.")
    complete: int = Field(description="Items that have all their labels.")
    labels: int = Field(description="Valid labels.")
    wanted: int
    excluded: int = Field(description="Excluded annotators.")


class StudyOut(Shape):
    slug: str
    title: str
    state: str = Field(description="draft, open or closed.")
    task: dict[str, Any]
    language: str
    population: str = Field(description="Whose labels it has: empty, people or synthetic.")
    metrics: list[str]
    tags: list[str]
    counts: Counts
    created_at: datetime
    opened_at: datetime | None
    archived_at: datetime | None
    content_hash: str = Field(description="Hash of its items in their current state and order.")

    @classmethod
    def of(cls, study: Study, gathered: Gathered) -> Self:
        fields = ("slug", "title", "state", "language", "population", "metrics", "tags", "created_at", "opened_at")
        return cls(
            **{name: getattr(study, name) for name in (*fields, "archived_at", "content_hash")},
            task={"type": study.task_type, **study.task_settings},
            counts=Counts(
                items=gathered.items,
                complete=gathered.complete,
                labels=gathered.labels or 0,
                wanted=gathered.wanted or 0,
                excluded=gathered.excluded,
            ),
        )


class ItemOut(Shape):
    id: str
    kind: str
    content: dict[str, Any]
    reference: str | None
    strength: float | None
    attributes: dict[str, str]
    group: str
    position: int
    labels: dict[str, int] = Field(description="How often each valid label was given.")
    majority: str | None = Field(description="Majority label: given at least twice and more often than any other.")
    wanted: int = Field(description="Labels to collect; 0 for items that are not targets.")


class StudyPage(Shape):
    data: list[StudyOut]
    next: str | None


class ItemPage(Shape):
    data: list[ItemOut]
    next: str | None


class LinkOut(Shape):
    """An address for annotators."""

    id: int
    name: str
    address: str
    starts: int
    max_starts: int | None
    expires_at: datetime | None

    @classmethod
    def of(cls, link: StudyLink, address: str) -> Self:
        names = ("name", "starts", "max_starts", "expires_at")
        return cls(id=link.pk, address=address, **{name: getattr(link, name) for name in names})


class RunOut(Shape):
    """One model, one metric, one study."""

    id: int
    model: str = Field(description="The model's key.")
    name: str
    family: str
    metric: str
    state: str
    total: int
    scored: int
    unscored: int
    error: str
    device: str = Field(description="any, or gpu: only workers with a GPU score it.")
    waits: str = Field(description="Why it waits: no running worker takes it. Empty otherwise.")
    is_imported: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @classmethod
    def of(cls, run: Run, *, waits: Mapping[int, str] | None = None) -> Self:
        """`waits` are those of several runs together, where it is one of them."""
        names = (
            "metric",
            "state",
            "device",
            "total",
            "scored",
            "unscored",
            "error",
            "created_at",
            "started_at",
            "finished_at",
        )
        model = run.model
        return cls(
            id=run.pk,
            model=model.key,
            name=model.name,
            family=model.family,
            waits=(waits_of([run]) if waits is None else waits).get(run.pk, ""),
            is_imported=model.is_imported,
            **{name: getattr(run, name) for name in names},
        )


class SetupOut(Shape):
    setup: dict[str, Any] = Field(description="The tables of study.toml, without settings left at their default.")
    fixed: dict[str, str] = Field(description="Locked settings, and why.")


class LinksOut(Shape):
    data: list[LinkOut]


class ExcludedOut(Shape):
    annotator: int
    excluded: bool


class AddedOut(Shape):
    added: int


class LabelOut(Shape):
    item: str
    annotator: int = Field(description="Annotator number, unrelated to any platform ID.")
    sitting: int
    answer: str = Field(description="Canonical value; empty if the annotator cannot judge the item.")
    state: str
    counts: bool
    response_ms: int | None
    hidden_ms: int | None
    shown_at: datetime | None
    answered_at: datetime
    order_shown: list[str]


class LabelPage(Shape):
    data: list[LabelOut]
    next: str | None


class ImportedLabels(Shape):
    labels: int
    unchanged: int
    annotators: int
    excluded: int
    not_counted: int
    repeats: int


class SittingOut(Shape):
    id: int
    annotator: int
    synthetic: bool
    imported: bool
    state: str
    stage: str
    outcome: str
    payment: str
    device: str
    started_at: datetime
    last_answer_at: datetime | None
    finished_at: datetime | None
    name: str | None = Field(description="Name in the imported label file; null without the scope identify.")


class SittingPage(Shape):
    data: list[SittingOut]
    next: str | None


class ModelOut(Shape):
    key: str
    name: str
    family: str
    revision: str
    license: str
    is_imported: bool


class ModelsOut(Shape):
    data: list[ModelOut]


class ChoiceOut(Shape):
    model: str
    metric: str
    named: bool = Field(description="Whether it is one of the study’s metrics.")
    state: str | None = Field(description="State of the run, if there is one.")


class ChoicesOut(Shape):
    data: list[ChoiceOut]


class RunsOut(Shape):
    data: list[RunOut]


class StartedOut(Shape):
    data: list[RunOut]
    silent: list[str] = Field(description="Why runs are waiting without a worker.")


class ScoreOut(Shape):
    run: int
    item: str
    decision: str | None
    strength: float | None
    unscored: str = Field(description="Why there is no score; empty if there is one.")
    detail: dict[str, Any]


class ScorePage(Shape):
    data: list[ScoreOut]
    next: str | None


class ImportedScores(Shape):
    run: RunOut
    undecided: int
    unknown: int
    repeated: int
    is_new: bool


class FigureOut(Shape):
    """One figure of the report: a value and what it describes, or the reason why it is undefined."""

    classes: int
    section: str
    rater: str
    family: str
    against: str
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    n_counts: str
    count: int | None
    undefined: str
    note: str


class StatisticsOut(Shape):
    study: str
    population: str
    items_selected: str
    figures: list[FigureOut]


class EstimateOut(Shape):
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_counts: str
    undefined: str
    no_interval: str
    note: str


class PlacedOut(Shape):
    run: int
    name: str
    is_baseline: bool
    value: EstimateOut
    rank: tuple[int, int] | None
    first_in_resamples: float | None
    chance: float
    p_no_better_than_chance: float
    p_no_better_than_shuffled: float
    p_constant_no_better: float | None
    nearest: bool
    nearer_than_one_person: EstimateOut


class FindingOut(Shape):
    part: str
    state: str
    kind: str
    statement: str
    evidence: str


class VerdictOut(Shape):
    study: str
    population: str
    items_selected: str
    measure: str
    against: str
    headline: str
    subtitle: str
    findings: list[FindingOut]
    method: str
    items: int
    compared: int
    chance: float | None
    one_person: EstimateOut
    runs: list[PlacedOut]


class ProgressOut(Shape):
    """A worker is computing it. Ask again."""

    words: str
    share: float | None
