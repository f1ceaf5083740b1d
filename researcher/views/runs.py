"""A study's runs: the page of all, which keeps itself up to date, that of one, what can start, stopping, removing."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache

from annotation.access.matrix import Right
from annotation.models import Study
from annotation.views.requests import HtmxRequest
from corpus.errors import counted
from researcher.studies.grid import PICKS, WhereForm, read_grid
from researcher.studies.run_page import read_run_page
from researcher.studies.run_result import read_run_result
from researcher.studies.runs import SHOWN, RunsPage, read_results, read_runs
from researcher.views.study_of import study_page, study_post
from scoring.imported.importing import ImportRefused, remove_run
from scoring.models import Run
from scoring.runs.fitting import CannotRun, find_model
from scoring.runs.starting import Started, start_runs, stop_run, stop_runs
from scoring.scoring_workers import ScoringWorker
from scoring.short_names import NameRefused, rename
from training.visible import models_for, trainings_for


@never_cache
@study_page(Right.SEE)
def runs(request: HtmxRequest, study: Study) -> HttpResponse:
    """All of them; for htmx the table alone, which has no results as long as no more runs have ended."""
    shown = request.GET.get("show", "")
    lines = read_runs(study)
    page = RunsPage(lines, shown if shown in SHOWN else "", None, request.GET.get("page", ""))
    if not (request.htmx and page.is_live and request.GET.get("ended") == str(page.ended)):
        page = replace(page, results=read_results(study))
    template = "_runs_table.html" if request.htmx else "runs.html"
    return render(request, f"researcher/studies/{template}", {"study": study, "page": page})


@never_cache
@study_page(Right.SCORE)
def runs_new(request: HttpRequest, study: Study) -> HttpResponse:
    """Models by metrics, to tick; `pick` names what is ticked already."""
    grid = read_grid(study, among=models_for(request.user))
    asked = request.GET.get("pick", "")
    picks = grid.picks(asked if asked in PICKS else "defaults")
    picked = next(pick for pick in picks if pick.is_on)
    context = {"study": study, "grid": grid, "picks": [pick for pick in picks if pick.cells], "picked": picked}
    context["where"] = _where(study)
    return render(request, "researcher/studies/runs_new.html", context)


def _where(study: Study) -> WhereForm | None:
    """Where a worker has a GPU, or a run waits for one: what was asked for can be taken back when the last has gone."""
    on_gpu = study.runs.filter(device=Run.Device.GPU).exclude(state=Run.State.FINISHED).exists()
    if on_gpu:
        return WhereForm(initial={"device": Run.Device.GPU})
    return WhereForm() if ScoringWorker.objects.on_gpu().exists() else None


@never_cache
@study_page(Right.SEE)
def run(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """One run: what was asked, of which model, with which settings, and what came of it."""
    own = trainings_for(request.user).filter(model__runs=pk).exists()
    one = get_object_or_404(Run.objects.select_related("study", "model__training", "source"), pk=pk, study=study)
    context = {"study": study, "page": read_run_page(one), "result": read_run_result(one), "sees_training": own}
    return render(request, "researcher/studies/run.html", context)


@study_post(Right.SCORE)
def run_start(request: HttpRequest, study: Study) -> HttpResponse:
    """Each `choice` is a model's key and a metric's, with a space between; neither contains one."""
    choices = [choice.partition(" ") for choice in request.POST.getlist("choice")]
    if not choices or not all(model and metric for model, _, metric in choices):
        messages.error(request, "Nothing started. Choose a model and a metric.")
        return redirect("runs_new", study.slug)
    form = WhereForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing started. Choose where to run.")
        return redirect("runs_new", study.slug)
    models = models_for(request.user)
    try:
        wanted = [(find_model(model, among=models), metric) for model, _, metric in choices]
        started = start_runs(study, wanted, asked_by=request.user.get_username(), device=form.cleaned_data["device"])
    except CannotRun as error:
        messages.error(request, str(error))
        return redirect("runs_new", study.slug)
    _tell(request, started)
    return redirect("runs", study.slug)


def _tell(request: HttpRequest, started: Started) -> None:
    for error in started.silent[:1]:
        messages.error(request, str(error))
    match started.live:
        case []:
            if started.runs:
                those = f"{started.runs[0]} has" if len(started.runs) == 1 else f"The {len(started.runs)} runs have"
                messages.info(request, f"{those} nothing left to score.")
        case [run]:
            messages.success(request, f"{run} started. You can close this page.")
        case live:
            messages.success(request, f"{len(live)} runs started. You can close this page.")


@study_post(Right.SCORE)
def runs_stop(request: HttpRequest, study: Study) -> HttpResponse:
    stopped = stop_runs(study)
    if stopped:
        count = "1 run is" if len(stopped) == 1 else f"{len(stopped)} runs are"
        messages.success(request, f"{count} stopped. Scores so far are kept. You can resume.")
    else:
        messages.info(request, "No run was in progress.")
    return redirect("runs", study.slug)


@study_post(Right.SCORE)
def run_stop(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    run = get_object_or_404(Run.objects.select_related("model"), pk=pk, study=study)
    if run.is_live:
        stop_run(run)
        messages.success(request, f"{run} stopped. Scores so far are kept. You can resume.")
    else:
        messages.info(request, f"{run} was not running.")
    return redirect("runs", study.slug)


@study_post(Right.SCORE)
def run_name(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """What it is called where room is short; empty for the name that is made."""
    run = get_object_or_404(Run.objects.select_related("model", "study"), pk=pk, study=study)
    try:
        rename(run, request.POST.get("name", ""))
    except NameRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Short name saved.")
    return redirect("run", study.slug, run.pk)


@study_post(Right.SCORE)
def run_remove(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    run = get_object_or_404(Run.objects.select_related("model"), pk=pk, study=study)
    name = str(run)
    try:
        count = remove_run(run)
    except ImportRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{name} removed with {counted(count, 'score')}. You can import its file again.")
    return redirect("runs", study.slug)
