"""Everything that the page of all models shows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.access.matrix import Right
from annotation.access.visible import Reader, studies_for
from annotation.models.study import Measure
from researcher.library.board import Board, board, titles_of
from researcher.studies.list import read_lines
from scoring.library.location import Location
from scoring.models import LanguageModel, Run
from training.models import Training
from training.visible import models_for, trainings_for

# Characters of a card that stand on the page; more is read in its file.
LONGEST_CARD = 20_000


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model with its runs, whose studies have `titles` by slug; `card`: what one made here says of itself."""

    model: LanguageModel
    runs: tuple[Run, ...]
    training: Training | None
    card: str
    titles: Mapping[str, str]

    @property
    def named_runs(self) -> list[tuple[str, Run]]:
        """Each under the title of its study."""
        return [(self.titles[run.study.slug], run) for run in self.runs]

    @property
    def studies(self) -> int:
        return len({run.study_id for run in self.runs})

    @property
    def where(self) -> str:
        """Where it comes from, in words."""
        if self.model.is_imported:
            return "imported scores"
        return self.model.source or Location(self.model.location).label


@dataclass(frozen=True, slots=True)
class ModelsPage:
    """`fault` is what the address asks for and there is not; empty where there is no such thing.

    `archived` studies with runs are not on the board, unless the address asks for them.
    """

    lines: tuple[ModelLine, ...]
    board: Board
    fault: str
    archived: int


def read_models_page(
    user: Reader, measure: str = "", *, sort: str = "", everything: bool = False, archived: bool = False
) -> ModelsPage:
    """Rows of models, runs and trainings in three queries, and what is remembered of where studies stand.

    Those of the user: runs of the studies that they may see, and the models and trainings that are theirs to see.

    By `measure`, where it is one of those that there are; by each study's own otherwise.
    """
    known = measure if measure in Measure.values else ""
    fault = f"measure cannot be {measure!r}. Available: {', '.join(Measure.values)}." if measure and not known else ""
    studies = studies_for(user, Right.SEE)
    runs = list(
        Run.objects.filter(study__in=studies).select_related("model", "study").order_by("study__title", "metric")
    )
    by_model: dict[int, list[Run]] = {}
    for run in runs:
        by_model.setdefault(run.model_id, []).append(run)
    trained = {one.model_id: one for one in trainings_for(user).filter(model__isnull=False)}
    models = sorted(models_for(user), key=lambda model: (model.is_baseline, model.name.casefold()))
    titles = titles_of({run.study_id: run.study for run in runs}.values())
    lines = tuple(
        ModelLine(model, tuple(by_model.get(model.pk, ())), trained.get(model.pk), _card(model), titles)
        for model in models
    )
    left_out = set() if archived else {run.study_id for run in runs if run.study.archived_at}
    columns = read_lines(studies.exclude(pk__in=left_out).order_by("title"), measure=known)
    compared = [run for run in runs if run.study_id not in left_out]
    found = board(columns, compared, measure=known, sort=sort, everything=everything)
    return ModelsPage(lines, found, fault, len(left_out))


def _card(model: LanguageModel) -> str:
    """The card beside its weights, laid out to be read; empty where there is none."""
    found = model.card
    text = json.dumps(found, indent=2, ensure_ascii=False) if found else ""
    return text if len(text) <= LONGEST_CARD else f"{text[:LONGEST_CARD]}\n…"
