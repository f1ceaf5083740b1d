"""Sentences with one right and one wrong word, flat: a run's probability of each, as papers on agreement keep them."""

from collections.abc import Iterator, Mapping
from math import exp
from typing import Any

from annotation.models import Item, Study
from comparison.figures.file import ORIGIN, File, Row, Written, number, origin
from comparison.frame.filters.selection import RIGHT, WRONG, Selection
from scoring.models import Score

HEADER = [
    *ORIGIN, "item", "run", "sentence", "correct", "p_correct", "incorrect", "p_incorrect", "decision",
]  # fmt: skip
CHUNK = 2000
COLUMNS = ("item__external_id", "item__content", "item__reference", "decision", "detail")


def pair_rows(study: Study, selection: Selection) -> Iterator[Row | Written]:
    """Of target items with a reference and two options, run by run; of the run that is named, or of all.

    A probability is e to the log-probability of what the run was shown, whatever its metric makes of it: of the word,
    where it fills a slot, else of the sentence. Empty where the run gives none.
    """
    yield HEADER
    head = origin(study)
    for run in study.runs.select_related("model").order_by("pk"):
        if selection.run not in ("", str(run.pk)):
            continue
        name = f"{run.model.name} · {run.metric_shown}"
        targets = Score.objects.filter(run=run, item__kind=Item.Kind.TARGET, item__reference__isnull=False)
        for item, content, reference, decision, detail in (
            targets.order_by("item_id").values_list(*COLUMNS).iterator(chunk_size=CHUNK)
        ):
            options: Mapping[str, str] = content.get("options", {})
            if len(options) != 2 or reference not in options:
                continue
            (other,) = [role for role in options if role != reference]
            said = "" if decision is None else RIGHT if decision == reference else WRONG
            correct = [options[reference], _probability(detail, reference)]
            incorrect = [options[other], _probability(detail, other)]
            yield [*head, item, name, content.get("sentence", ""), *correct, *incorrect, said]


def _probability(detail: Mapping[str, Any], role: str) -> float | None:
    found = detail.get("options", {}).get(role, {}).get("logprob")
    return None if found is None else number(exp(found))


PAIRS = File(
    key="pairs",
    title="Pairs",
    says="sentence, right and wrong word, and each run’s probability of both",
    rows=pair_rows,
    is_whole=True,
    is_streamed=True,
)
