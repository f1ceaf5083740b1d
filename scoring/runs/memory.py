"""What models have said of texts before: the same question is put to the same model once, whatever the study.

A question is a request (a text with its candidates, or with those of its regions that the metric reads), a measure with
its version, and everything of the model that decides the answer. Baselines that give labels are not remembered: they
are quicker than looking up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from annotation.tasktypes.contract import (
    ClozeNumbers,
    LabelNumbers,
    PromptNumbers,
    Result,
    ScoreRequest,
    SentenceNumbers,
)
from corpus.provenance import digest
from scoring.metrics import METRICS
from scoring.models import LanguageModel, Measurement, Remembered

# Under SQLite's limit on variables.
BATCH = 500


def measurement_of(model: LanguageModel, metric: str) -> Measurement | None:
    """The row under which a model's answers to a measure are kept; None if they cannot be told from another model's.

    A model id without a revision may name other weights tomorrow.
    """
    if model.gives_labels_only or not (model.file_hash or model.revision):
        return None
    measure = METRICS[METRICS[metric].measured]
    weights = [model.method, model.location, model.source, model.revision, model.file_hash, model.dtype, model.settings]
    # Only where there is something to say, so that what others have answered stays known.
    weights += [model.reading] if model.reading else []
    fingerprint = digest([weights, measure.key, measure.version])
    return Measurement.objects.get_or_create(fingerprint=fingerprint, defaults={"measure": measure.key})[0]


def recall(measurement: Measurement, requests: Iterable[ScoreRequest]) -> dict[ScoreRequest, Result]:
    """The answers that are kept, of those requests."""
    by_key = {_key(request): request for request in requests}
    keys = list(by_key)
    known: dict[ScoreRequest, Result] = {}
    for start in range(0, len(keys), BATCH):
        rows = measurement.remembered.filter(question__in=keys[start : start + BATCH])
        known |= {by_key[row.question]: _numbers(row.answer) for row in rows}
    return known


def keep(measurement: Measurement, answers: Mapping[ScoreRequest, Result]) -> None:
    """Keep what is a number. Reasons for having none may be mended by the next version and are asked again."""
    rows = [
        Remembered(measurement=measurement, question=_key(request), answer=asdict(result))
        for request, result in answers.items()
        if isinstance(result, ClozeNumbers | SentenceNumbers | LabelNumbers | PromptNumbers)
    ]
    # Another worker may have been asked the same at the same time.
    Remembered.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)


def _key(request: ScoreRequest) -> str:
    return digest([type(request).__name__, asdict(request)])


def _numbers(answer: dict[str, Any]) -> Result:
    if "orders" in answer:
        return PromptNumbers(tuple(map(tuple, answer["orders"])), tuple(map(tuple, answer["logprobs"])))
    if "label" in answer:
        return LabelNumbers(answer["label"], answer["probabilities"], answer["note"])
    if "ranks" in answer:
        top = tuple((word, logprob) for word, logprob in answer["top"])
        return ClozeNumbers(tuple(answer["logprobs"]), tuple(answer["ranks"]), top, answer["unknown"])
    return SentenceNumbers(answer["logprob"], tuple((token, logprob) for token, logprob in answer["tokens"]))
