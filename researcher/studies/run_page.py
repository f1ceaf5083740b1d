"""The page of one run: what was measured of which model, what it takes to repeat it, and what came of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from pydantic import TypeAdapter

from comparison.frame.cache.remembered import remembered
from researcher.studies.runs import RunLine, as_lines
from scoring.metrics import METRICS
from scoring.models import Chunk, Run, Score, ScoreSource
from scoring.runs.expected import ahead, waits_for
from scoring.runs.prompts import Prompt, prompt_of
from scoring.short_names import short_names
from training.models import Training

HELD = TypeAdapter(dict[str, int])
# Reasons may quote what they are about; more than this are read in the file of scores.
SHOWN_REASONS = 50
# What the page says elsewhere.
SAID_BY_PROMPT = ("instructions", "template", "shots")
SAID = ("metric", "metric_version", "settings", "imported_from")
# What a scorer says of itself that is said of the run already.
OF_RUN = ("metric", "metric_version", "settings")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to know of a run; `is_hash` where nobody reads more of it than its beginning."""

    name: str
    value: str
    is_hash: bool = False

    @property
    def short(self) -> str:
        return f"{self.value[:12]}…" if self.is_hash else self.value


@dataclass(frozen=True, slots=True)
class Choice:
    """A run of the same study, to be set beside another."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class RunPage:
    """`reasons`: the most frequent of `reason_count`, with their items; `waits`: how many runs are served before it."""

    line: RunLine
    reasons: tuple[tuple[str, int], ...]
    reason_count: int
    waiting: int
    claimed: int
    choices: tuple[Choice, ...]
    short_name: str
    waits: str = ""

    @property
    def run(self) -> Run:
        return self.line.run

    @property
    def key(self) -> str:
        return str(self.run.pk)

    @property
    def another(self) -> str:
        """The key of the first run to be set beside it."""
        return next((one.key for one in self.choices if one.key != self.key), "")

    @property
    def source(self) -> ScoreSource | None:
        return getattr(self.run, "source", None)

    @property
    def training(self) -> Training | None:
        """How its model was trained here, if it was."""
        return getattr(self.run.model, "training", None)

    @property
    def definition(self) -> str:
        """The metric in words; of an imported one only its file knows more."""
        known = None if self.run.model.is_imported else METRICS.get(self.run.metric)
        return known.description if known else ""

    @property
    def duration(self) -> str:
        """`1 h 2 min 3 s`, of a run that has ended."""
        if self.run.started_at is None or self.run.finished_at is None or self.run.model.is_imported:
            return ""
        minutes, seconds = divmod(round((self.run.finished_at - self.run.started_at).total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        parts = ((hours, "h"), (minutes, "min"), (seconds, "s"))
        return " ".join(f"{number:,} {unit}" for number, unit in parts if number) or "under 1 s"

    @property
    def settings(self) -> tuple[Fact, ...]:
        said = SAID_BY_PROMPT if self.prompt else ()
        return tuple(facts({name: value for name, value in self.run.settings.items() if name not in said}))

    @property
    def prompt(self) -> Prompt | None:
        """In which words it asks, if it asks in words."""
        return prompt_of(self.run.settings) if "instructions" in self.run.settings else None

    @property
    def provenance(self) -> tuple[Fact, ...]:
        """What the scorer said of itself, but for what stands on the page already."""
        return tuple(facts({name: value for name, value in self.run.provenance.items() if name not in SAID}))


def read_run_page(run: Run) -> RunPage:
    """Five queries, and four more while it waits, grouped in the database: however many items the study has."""
    held = Counter(_held(run))
    scored = held.pop("", 0)
    if not run.is_live:
        # As the study page counts: scores of reworded items went with them.
        run.scored, run.unscored = scored, held.total()
    before = ahead(run)
    runs = list(run.study.runs.select_related("model"))
    chunks = dict(run.chunks.order_by().values_list("state").annotate(Count("pk")))
    return RunPage(
        line=as_lines([run])[0],
        reasons=tuple(held.most_common(SHOWN_REASONS)),
        reason_count=len(held),
        waiting=chunks.get(Chunk.State.WAITING, 0),
        claimed=chunks.get(Chunk.State.CLAIMED, 0),
        choices=tuple(Choice(str(one.pk), str(one)) for one in runs),
        short_name=short_names(runs)[run.pk],
        waits=waits_for(before) if before else "",
    )


def _held(run: Run) -> dict[str, int]:
    """How many scores, and how many items without one by reason; of a run that has ended, once for each state."""

    def count() -> dict[str, int]:
        rows = Score.objects.filter(run=run).order_by().values_list("unscored")
        return dict(rows.annotate(Count("pk")))

    if run.is_live:
        return count()
    parts = ["held by run", run.pk, run.state, run.scored, run.unscored, run.finished_at, run.study.content_hash]
    return remembered(HELD, parts, count)


def facts(found: Mapping[str, Any], inside: str = "") -> Iterator[Fact]:
    """Everything in settings or provenance, in words, one by one."""
    for name, value in found.items():
        # Names of files stay as they are.
        words = inside + (name if "." in name else name.replace("_", " "))
        if isinstance(value, Mapping):
            yield from facts(value, f"{words}: ")
        elif isinstance(value, list | tuple):
            yield Fact(words, ", ".join(_in_words(one) for one in value) or "none")
        else:
            text = _in_words(value)
            is_hash = len(text) == 64 and set(text) <= set("0123456789abcdef")
            yield Fact(words, text, is_hash)


def _in_words(value: object) -> str:
    """A pair is which column was read as what: `score=mean`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "=".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """One thing to know of both; None where one of them has nothing of the name."""

    name: str
    one: Fact | None
    other: Fact | None

    @property
    def differs(self) -> bool:
        return self.one != self.other


@dataclass(frozen=True, slots=True)
class MadeAs:
    different: tuple[DifferenceLine, ...]
    same: tuple[DifferenceLine, ...]


def compare_origins(one: Run, other: Run) -> MadeAs:
    """Of runs with their models and trainings."""
    first, second = ({fact.name: fact for fact in _facts(run)} for run in (one, other))
    lines = [DifferenceLine(name, first.get(name), second.get(name)) for name in first | second]
    return MadeAs(tuple(line for line in lines if line.differs), tuple(line for line in lines if not line.differs))


def _facts(run: Run) -> Iterator[Fact]:
    model = run.model
    training: Training | None = getattr(model, "training", None)
    said = {
        "metric": run.metric_shown,
        "metric version": run.metric_version,
        "model": model.name,
        "family": model.get_family_display(),
        "source": model.source,
        "revision": model.revision,
        "model files": model.file_hash,
        "trained on": training.studies_shown if training else "",
        "trained with": training.settings_shown if training else "",
        "numbers": "" if model.is_imported else model.dtype,
        "license": model.license,
    }
    yield from facts({name: value for name, value in said.items() if value})
    yield from facts({"settings": run.settings})
    yield from facts({name: value for name, value in run.provenance.items() if name not in (*OF_RUN, *said)})
