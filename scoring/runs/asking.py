"""Putting a run's questions to its model. What it has answered before is remembered; what breaks it is set apart.

A question is a request (a text with its candidates, or with those of its regions that the metric reads), a measure with
its version, and everything of the model that decides the answer. Baselines that give labels are not remembered: they
are quicker than looking up.

What calls to an endpoint cost is written down, and a run ends when it has cost what the settings allow.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import F, Sum
from django.utils import timezone

from annotation.tasktypes.contract import (
    Cloze,
    ClozeNumbers,
    Labeled,
    LabelNumbers,
    PromptNumbers,
    Region,
    Result,
    ScoreRequest,
    Sentence,
    SentenceNumbers,
    Unscored,
)
from corpus.provenance import digest
from scoring.library.model_store import on_this_machine
from scoring.metrics import METRICS
from scoring.models import EndpointCall, LanguageModel, Measurement, Remembered, Run
from scoring.scorers import open_scorer
from scoring.scorers.contract import READING, ModelError, Scorer
from scoring.scorers.endpoint.calling import Attempt, Endpoint
from scoring.scoring_workers import PROCESSOR
from work.place import place

# Under SQLite's limit on variables.
BATCH = 500

MILLION = 1_000_000
MOST_TOKENS = 2**31 - 1
# What tells a broken scorer from a broken item: sentences that any sound one can score.
PLAIN, LONGER = "The dog sleeps well.", "The small dog sleeps well."
VERB, REST = Region("verb", 8, 14), Region("continuation", 8, 20)


def measurement_of(model: LanguageModel, metric: str) -> Measurement | None:
    """The row of a model's answers to a measure; None for an id without a revision, whose weights may change."""
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
    recalled: dict[ScoreRequest, Result] = {}
    for start in range(0, len(keys), BATCH):
        rows = measurement.remembered.filter(question__in=keys[start : start + BATCH])
        recalled |= {by_key[row.question]: _numbers(row.answer) for row in rows}
    return recalled


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


class Ledger:
    """The calls of one run to one model. Workers share it through the database: it may be overrun by one call each."""

    def __init__(self, run_id: int, *, model: str) -> None:
        self.run_id, self.model = run_id, model

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint that the settings name, whose calls are held and recorded here."""
        return Endpoint(
            url=settings.PROMPT_ENDPOINT,
            key=settings.PROMPT_ENDPOINT_KEY,
            models=tuple(settings.PROMPT_ENDPOINT_MODELS),
            hold=self.hold,
            record=self.record,
        )

    @property
    def spent(self) -> Decimal:
        return EndpointCall.objects.filter(run=self.run_id).aggregate(sum=Sum("cost"))["sum"] or Decimal(0)

    def hold(self) -> None:
        """ModelError, which ends the run, if it has cost as much as it may."""
        ceiling: Decimal = settings.PROMPT_ENDPOINT_CEILING
        if self.spent >= ceiling and settings.PROMPT_ENDPOINT_PRICE:
            raise ModelError(
                f"the run has cost {self.spent:.2f} and the limit is {ceiling:.2f} (PROMPT_ENDPOINT_CEILING); its "
                f"scores are kept, and it resumes when the limit is raised"
            )

    def record(self, prompt: str, attempt: Attempt) -> None:
        """One attempt, whatever came of it. ModelError where its cost is not known."""
        tokens = _tokens(attempt.body.get("usage"))
        price: Decimal = settings.PROMPT_ENDPOINT_PRICE
        EndpointCall.objects.create(
            run_id=self.run_id,
            model=self.model,
            prompt_sha256=prompt,
            status=attempt.status,
            milliseconds=attempt.milliseconds,
            tokens=tokens,
            cost=(tokens or 0) * price / MILLION,
        )
        if tokens is None and attempt.status == 200 and price:
            raise ModelError("the endpoint does not report token counts, so costs cannot be computed")


def _tokens(usage: object) -> int | None:
    """The tokens that an answer says it took; None unless it is a count that the database can hold."""
    count = usage.get("total_tokens") if isinstance(usage, dict) else None
    return count if type(count) is int and 0 <= count <= MOST_TOKENS else None


def answers(run: Run, requests: Iterable[ScoreRequest]) -> dict[ScoreRequest, Result]:
    """An answer to every request; the model is only opened for those that it has not answered before."""
    measurement = measurement_of(run.model, run.metric)
    recalled = recall(measurement, requests) if measurement else {}
    rest = [request for request in requests if request not in recalled]
    if not rest and measurement:
        _mark_running(run, measurement.provenance)
        return recalled
    scorer = _opened(run)
    provenance = scorer.provenance()
    _require_reading(run.model, provenance)
    _require_gpu(run, provenance)
    _mark_running(run, provenance)
    fresh = dict(zip(rest, map(finite, _scored(scorer, rest)), strict=True))
    if measurement:
        Measurement.objects.filter(pk=measurement.pk).update(provenance=provenance)
        keep(measurement, fresh)
    return recalled | fresh


def _opened(run: Run) -> Scorer:
    """The run's scorer. Calls that cost money are held and written down in the run's ledger."""
    handed = {}
    if run.model.family == LanguageModel.Family.ENDPOINT:
        handed["endpoint"] = Ledger(run.pk, model=run.model.source).endpoint
    spec = on_this_machine(run.model)
    return open_scorer(spec, metric=METRICS[run.metric].measured, settings=run.settings, **handed)


def _require_reading(model: LanguageModel, provenance: Mapping[str, Any]) -> None:
    """ModelError where texts are read otherwise than its row says, so that no run holds scores of two readings."""
    reading = provenance.get(READING, [])
    if reading != (model.reading or []):
        raise ModelError(
            f"{model.name} reads texts otherwise than its row says ({', '.join(reading) or 'as its class'}); "
            "`manage.py fetch_models` brings the row up to date and starts its runs anew"
        )


def _require_gpu(run: Run, provenance: Mapping[str, Any]) -> None:
    """ModelError where the model lies on a processor of a run for a GPU: torch may find none where its worker does."""
    if run.device == Run.Device.GPU and provenance.get("device") == PROCESSOR:
        raise ModelError(
            f"the run is only for a GPU, but torch found none on the worker {place()}; "
            "set SCORING_DEVICE=cpu there and start the run again"
        )


def _scored(scorer: Scorer, requests: list[ScoreRequest]) -> list[Result]:
    """One result a request. A request that the scorer breaks on is left unscored, and the others go on.

    If it breaks on every one, and on a plain sentence as well, it is the scorer that is broken: the error goes up.
    """
    try:
        return scorer.score(requests)
    except (ModelError, MemoryError):
        raise
    except Exception as error:
        results = [_scored_alone(scorer, request) for request in requests]
        if all(isinstance(result, Unscored) for result in results) and _is_broken(scorer, requests[0]):
            raise error from None
        return results


def _is_broken(scorer: Scorer, request: ScoreRequest) -> bool:
    try:
        scorer.score([plain(request)])
    except (ModelError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 whatever it is, a sound scorer has no such trouble
        return True
    return False


def plain(request: ScoreRequest) -> ScoreRequest:
    """A request of the same kind about a plain sentence."""
    match request:
        case Cloze():
            return Cloze("The dog ____ well.", ("is", "was"))
        case Sentence():
            return Sentence(PLAIN, (VERB, REST))
        case Labeled():
            return Labeled(PLAIN, request.labels, paired=LONGER, focus="small", head="dog")
        case _:
            return replace(request, text=PLAIN)


def _scored_alone(scorer: Scorer, request: ScoreRequest) -> Result:
    try:
        return scorer.score([request])[0]
    except (ModelError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 whatever it is, it is the reason that this item has no score
        return Unscored(f"the scorer failed on this item ({type(error).__name__}: {error})")


def finite(result: Result) -> Result:
    """The result if all its numbers can be stored and compared; PostgreSQL takes no JSON with another one."""
    if isinstance(result, Unscored) or _is_finite(asdict(result)):
        return result
    return Unscored("the model returned a number that is not finite")


def _is_finite(value: object) -> bool:
    """Whether there is no infinity, and nothing that is no number, however deep."""
    match value:
        case float():
            return math.isfinite(value)
        case Mapping():
            return all(map(_is_finite, value.values()))
        case list() | tuple():
            return all(map(_is_finite, value))
    return True


def _mark_running(run: Run, provenance: dict[str, Any]) -> None:
    """The first chunk of a run says when it began and what it was measured with."""
    started = Run.objects.filter(pk=run.pk, state=Run.State.QUEUED)
    measured = {"metric": run.metric, "metric_version": METRICS[run.metric].version}
    provenance = {**run.provenance, **provenance, **measured}
    started.update(
        state=Run.State.RUNNING,
        started_at=timezone.now(),
        done_before=F("scored") + F("unscored"),
        provenance=provenance,
    )
