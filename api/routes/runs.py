"""Models that answer, runs over a study, and their scores, also those that were computed elsewhere."""

import json
from collections.abc import Iterable
from typing import Any, Literal

from django.http import Http404, HttpResponse
from ninja import Query, Router
from pydantic import Field

from annotation.access.matrix import Right
from annotation.models import Study
from api.answering.documents import document, unchanged_since, versioned
from api.answering.faults import Refused
from api.answering.paging import LARGEST, Number, Paging, cursor_of, page_of, rows_within
from api.answering.schema import needs
from api.caller import ApiRequest
from api.once import Key, once
from api.routes.shapes import (
    ChoiceOut,
    ChoicesOut,
    Given,
    ImportedScores,
    ModelOut,
    ModelsOut,
    RunOut,
    RunsOut,
    ScorePage,
    StartedOut,
)
from comparison.exports.cells import read_all, text_of
from comparison.frame.cache.gathered import read_one
from corpus.bounds import MOST_SENT
from corpus.errors import Fault
from scoring.imported.importing import Stated, import_scores
from scoring.imported.naming import reading_of
from scoring.imported.reading import ScoreOptions
from scoring.models import LanguageModel, Run, Score
from scoring.runs.fitting import choices_for, defaults_for, find_model
from scoring.runs.starting import start_runs, stop_run, stop_runs
from scoring.runs.taking import waits_of
from training.visible import models_for

router = Router(tags=["runs"])
# What the lines that were sent are called.
LINES = "api.jsonl"
SCORES = ("run_id", "item_id", "item__external_id", "decision", "strength", "unscored", text_of("detail"))


@router.get("/models", response=ModelsOut, summary="List models")
def api_models(request: ApiRequest) -> HttpResponse:
    request.auth.need(Right.SEE)
    fields = tuple(ModelOut.model_fields)
    models = models_for(request.auth.user).order_by("family", "name", "pk").values(*fields)
    return document(request, {"data": list(models)})


@router.get("/studies/{slug:slug}/choices", response=ChoicesOut, summary="List metrics that apply", **needs(Right.SEE))
def api_choices(request: ApiRequest, slug: str) -> HttpResponse:
    """Every model with each metric that fits, as on the page *Start runs*."""
    study = request.auth.study_or_404(slug, Right.SEE)
    models = models_for(request.auth.user)
    named = {(model.pk, metric.key) for model, metric in defaults_for(study, among=models)}
    states = {(run.model_id, run.metric): run.state for run in study.runs.all()}
    data = [
        ChoiceOut(
            model=model.key,
            metric=metric.key,
            named=(model.pk, metric.key) in named,
            state=states.get((model.pk, metric.key)),
        ).plain()
        for model, fitting in choices_for(study, among=models)
        for metric in fitting
    ]
    return document(request, {"data": data})


@router.get("/studies/{slug:slug}/runs", response=RunsOut, summary="List runs", **needs(Right.SEE))
def api_runs(request: ApiRequest, slug: str) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.SEE)
    return document(request, {"data": _plain(study.runs.select_related("model").order_by("pk"))})


class Wanted(Given):
    model: str = Field(max_length=100, description="The model's key.")
    metric: str = Field(max_length=40)


class NewRuns(Given):
    """Runs to start: a list, or a whole set."""

    runs: list[Wanted] = Field([], max_length=500)
    every: Literal["", "named", "fitting"] = Field(
        "",
        description="named: the study's metrics on every model, and the baselines; fitting: every combination "
        "that applies.",
    )
    device: Literal["", "any", "gpu"] = Field(
        "", description=f"{Run._meta.get_field('device').help_text} Empty: as it was, at first any."
    )


@router.post("/studies/{slug:slug}/runs", response={202: StartedOut}, summary="Start runs", **needs(Right.SCORE))
def api_runs_start(request: ApiRequest, slug: str, given: NewRuns, key: Key = "") -> HttpResponse:
    """Starts or resumes each run, in the background. A finished run is returned unchanged."""
    study = request.auth.study_or_404(slug, Right.SCORE)
    if bool(given.runs) == bool(given.every):
        raise Refused(422, "Nothing was started.", faults=[Fault("runs", "give either a list or `every`")])
    return once(request, key, lambda: _started(request, study, given), is_apart=True)


def _started(request: ApiRequest, study: Study, given: NewRuns) -> HttpResponse:
    started = start_runs(
        study, _wanted(request, study, given), asked_by=request.auth.user.get_username(), device=given.device
    )
    runs = study.runs.select_related("model").filter(pk__in=[run.pk for run in started.runs]).order_by("pk")
    silent = [str(error) for error in started.silent]
    return document(request, {"data": _plain(runs), "silent": silent}, status=202)


def _wanted(request: ApiRequest, study: Study, given: NewRuns) -> list[tuple[LanguageModel, str]]:
    models = models_for(request.auth.user)
    if given.every == "named":
        return [(model, metric.key) for model, metric in defaults_for(study, among=models)]
    if given.every == "fitting":
        return [(model, one.key) for model, fitting in choices_for(study, among=models) for one in fitting]
    return [(find_model(one.model, among=models), one.metric) for one in given.runs]


@router.post(
    "/studies/{slug:slug}/runs/stop", response=RunsOut, summary="Stop all runs in progress", **needs(Right.SCORE)
)
def api_runs_stop(request: ApiRequest, slug: str) -> HttpResponse:
    """Scores so far are kept. Starting a run again continues from them."""
    study = request.auth.study_or_404(slug, Right.SCORE)
    return document(request, {"data": _plain(stop_runs(study))})


@router.get("/studies/{slug:slug}/runs/{int:run}", response=RunOut, summary="Get a run", **needs(Right.SEE))
def api_run(request: ApiRequest, slug: str, run: Number) -> HttpResponse:
    return document(request, RunOut.of(_run(request.auth.study_or_404(slug, Right.SEE), run)).plain())


@router.post("/studies/{slug:slug}/runs/{int:run}/stop", response=RunOut, summary="Stop a run", **needs(Right.SCORE))
def api_run_stop(request: ApiRequest, slug: str, run: Number) -> HttpResponse:
    found = _run(request.auth.study_or_404(slug, Right.SCORE), run)
    stop_run(found)
    return document(request, RunOut.of(found).plain())


class ScorePaging(Paging):
    run: int = Field(0, ge=0, le=LARGEST, description="Only this run; 0: all runs.")


@router.get("/studies/{slug:slug}/scores", response=ScorePage, summary="List scores", **needs(Right.SEE))
def api_scores(request: ApiRequest, slug: str, paging: Query[ScorePaging]) -> HttpResponse:
    """For each run and item: a decision and a score, or the reason why there is none."""
    study = request.auth.study_or_404(slug, Right.SEE)
    version = read_one(study).version
    return unchanged_since(request, version) or versioned(request, read_scores(study, paging), version)


def read_scores(study: Study, paging: ScorePaging) -> bytes:
    runs = study.runs.filter(pk=_run(study, paging.run).pk) if paging.run else study.runs.all()
    rows, more = rows_within(Score.objects.values_list(*SCORES), paging, "run_id", "item_id", of=runs)
    details = read_all([row[-1] for row in rows])
    data = [
        {"run": run, "item": item, "decision": decision, "strength": strength, "unscored": unscored, "detail": detail}
        for (run, _, item, decision, strength, unscored, _), detail in zip(rows, details, strict=True)
    ]
    return page_of(data, cursor_of(*rows[-1][:2]) if more else None)


class NewScores(Given):
    """Scores that were computed elsewhere, as lines of a score file (docs/scoring.md)."""

    model: str = Field(min_length=1, max_length=100)
    metric: str = Field(min_length=1, max_length=40)
    source: str = Field(min_length=1, max_length=500, description="Source, stored with them.")
    family: Literal["masked", "causal", "classifier", "baseline", "endpoint", "other"] = "other"
    lines: list[dict[str, Any]] = Field(min_length=1, max_length=MOST_SENT)
    columns: dict[str, str] = Field(
        {}, description=("Field of the study → field of a line, such as `score` or `rank.negation`.")
    )
    by: Literal["id", "text"] = Field("id", description="Whether lines give the item's ID or its text.")
    lower_is_better: bool = False
    ranks_from: Literal[0, 1] = 1
    skip_unknown: bool = Field(False, description="Leave out lines without a matching item.")


@router.post(
    "/studies/{slug:slug}/scores", response={201: ImportedScores}, summary="Import scores", **needs(Right.SCORE)
)
def api_scores_import(request: ApiRequest, slug: str, given: NewScores, key: Key = "") -> HttpResponse:
    """Creates a finished run for a model of that name, or nothing. Sending the scores again changes nothing."""
    study = request.auth.study_or_404(slug, Right.SCORE)
    return once(request, key, lambda: _imported(request, study, given), is_apart=True)


def _imported(request: ApiRequest, study: Study, given: NewScores) -> HttpResponse:
    data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in given.lines).encode()
    said = {name: getattr(given, name) for name in ("by", "lower_is_better", "ranks_from", "skip_unknown")}
    how = reading_of(data, LINES, ScoreOptions(pairs=[*given.columns.items()], **said))
    by = request.auth.user.get_username()
    stated = Stated(given.model, given.metric, given.source, given.family, by)
    done = import_scores(study, data, name=LINES, stated=stated, reading=how)
    counts = {name: getattr(done, name) for name in ("undecided", "unknown", "repeated", "is_new")}
    return document(request, {"run": RunOut.of(done.run).plain(), **counts}, status=201)


def _run(study: Study, number: int) -> Run:
    found = study.runs.select_related("model").filter(pk=number).first()
    if found is None:
        raise Http404(f"{study.slug} has no run {number}.")
    return found


def _plain(runs: Iterable[Run]) -> list[dict[str, Any]]:
    found = list(runs)
    waits = waits_of(found)
    return [RunOut.of(run, waits=waits).plain() for run in found]
