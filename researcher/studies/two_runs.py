"""Two runs side by side: how the two were made."""

from collections.abc import Iterator
from dataclasses import dataclass

from researcher.studies.run_page import Fact, facts
from scoring.models import Run
from training.models import Training

# What a scorer says of itself that is said of the run already.
SAID = ("metric", "metric_version", "settings")


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


def made(one: Run, other: Run) -> MadeAs:
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
    yield from facts({name: value for name, value in run.provenance.items() if name not in (*SAID, *said)})
