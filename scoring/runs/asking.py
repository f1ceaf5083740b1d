"""Putting a run's questions to its model. What it has answered before is remembered; what breaks it is set apart."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from django.db.models import F
from django.utils import timezone

from annotation.tasktypes.contract import Cloze, Labeled, Region, Result, ScoreRequest, Sentence, Unscored
from scoring.metrics import METRICS
from scoring.models import LanguageModel, Measurement, Run
from scoring.runs import memory
from scoring.runs.ledger import Ledger
from scoring.scorers import open_scorer
from scoring.scorers.contract import READING, ModelError, Scorer

# What tells a broken scorer from a broken item: sentences that any sound one can score.
PLAIN, LONGER = "The dog sleeps well.", "The small dog sleeps well."
VERB, REST = Region("verb", 8, 14), Region("continuation", 8, 20)


def answers(run: Run, requests: Iterable[ScoreRequest]) -> dict[ScoreRequest, Result]:
    """An answer to every request; the model is only opened for those that it has not answered before."""
    measurement = memory.measurement_of(run.model, run.metric)
    known = memory.recall(measurement, requests) if measurement else {}
    rest = [request for request in requests if request not in known]
    if not rest and measurement:
        _mark_running(run, measurement.provenance)
        return known
    scorer = _opened(run)
    provenance = scorer.provenance()
    _require_reading(run.model, provenance)
    _mark_running(run, provenance)
    fresh = dict(zip(rest, map(finite, _scored(scorer, rest)), strict=True))
    if measurement:
        Measurement.objects.filter(pk=measurement.pk).update(provenance=provenance)
        memory.keep(measurement, fresh)
    return known | fresh


def _opened(run: Run) -> Scorer:
    """The run's scorer. Calls that cost money are held and written down in the run's ledger."""
    handed = {}
    if run.model.family == LanguageModel.Family.ENDPOINT:
        handed["endpoint"] = Ledger(run.pk, model=run.model.source).endpoint
    return open_scorer(run.model.spec, metric=METRICS[run.metric].measured, settings=run.settings, **handed)


def _require_reading(model: LanguageModel, provenance: Mapping[str, Any]) -> None:
    """ModelError where texts are read otherwise than its row says, so that no run holds scores of two readings."""
    found = provenance.get(READING, [])
    if found != (model.reading or []):
        raise ModelError(
            f"{model.name} reads texts otherwise than its row says ({', '.join(found) or 'as its class'}); "
            "`manage.py fetch_models` brings the row up to date and starts its runs anew"
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
        return Unscored(f"the scorer broke on this item ({type(error).__name__}: {error})")


def finite(result: Result) -> Result:
    """The result if all its numbers can be stored and compared; PostgreSQL takes no JSON with another one."""
    if isinstance(result, Unscored) or _is_finite(asdict(result)):
        return result
    return Unscored("the model gave a number that is not finite")


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
