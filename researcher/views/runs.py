"""A study's runs: starting, stopping, the page of one, and the part of the page that keeps itself up to date."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access.matrix import Right
from researcher.studies.list import read_lines
from researcher.studies.run_page import read_run_page
from researcher.studies.runs import read_runs
from researcher.views.found import found
from researcher.views.study_page import redirect_to
from scoring.models import Run
from scoring.runs.fitting import CannotRun, find_model
from scoring.runs.starting import start_run, stop_run
from training.visible import models_for, trainings_for


@never_cache
@require_safe
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of runs, for htmx. Once nothing runs any more, the tiles come with it, since they have changed."""
    study = found(request, slug, Right.SEE)
    lines = read_runs(study)
    live = any(line.run.is_live for line in lines)
    context = {"study": study, "runs": lines, "is_live": live, "line": None if live else read_lines([study])[0]}
    return render(request, "researcher/studies/_runs_update.html", context)


@never_cache
@require_safe
def run(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One run: what was asked, of which model, with which settings, and what came of it."""
    study = found(request, slug, Right.SEE)
    own = trainings_for(request.user).filter(model__runs=pk).exists()
    one = get_object_or_404(Run.objects.select_related("study", "model__training", "source"), pk=pk, study=study)
    return render(
        request, "researcher/studies/run.html", {"study": study, "page": read_run_page(one), "sees_training": own}
    )


@require_POST
def run_start(request: HttpRequest, slug: str) -> HttpResponse:
    """`choice` is a model's key and a metric's, with a space between; neither contains one."""
    study = found(request, slug, Right.SCORE)
    model_key, _, metric = request.POST.get("choice", "").partition(" ")
    if not model_key or not metric:
        messages.error(request, "Choose a model and a metric first.")
        return redirect_to(slug, "runs")
    try:
        run = start_run(
            study, find_model(model_key, among=models_for(request.user)), metric, asked_by=request.user.get_username()
        )
    except CannotRun as error:
        messages.error(request, str(error))
    else:
        if run.is_live:
            messages.success(request, f"{run} is under way. It goes on when this page is closed.")
        else:
            messages.info(request, f"{run} has nothing left to score.")
    return redirect_to(slug, "runs")


@require_POST
def run_stop(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study = found(request, slug, Right.SCORE)
    run = get_object_or_404(Run.objects.select_related("model"), pk=pk, study=study)
    if run.is_live:
        stop_run(run)
        messages.success(request, f"{run} is stopped. What is scored stays; starting it again goes on from there.")
    else:
        messages.info(request, f"{run} was not running.")
    return redirect_to(slug, "runs")
