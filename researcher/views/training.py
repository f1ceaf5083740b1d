"""Trainings: the page, the table that keeps itself up to date, starting, stopping, going on, and the curves as data."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.models import Study
from comparison.exports.cells import lines
from researcher.trainings.curves import rows
from researcher.trainings.form import TrainingForm
from researcher.trainings.page import read_training_page, read_trainings
from researcher.views.sent import as_file
from researcher.views.study_of import user_of
from scoring.scorers.contract import ModelError
from scoring.scorers.recipes import RECIPES, Recipe, UnknownRecipe, recipe
from training.classifier.bases import NoBase, find_base
from training.classifier.collecting import CannotCollect, find_studies
from training.classifier.examples import CannotSplit
from training.classifier.starting import CannotTrain, go_on, prepare_grid, start_grid, stop_training
from training.models import Training
from training.visible import trainings_for
from work.queue import QueueSilent, send


@never_cache
@require_safe
def trainings(request: HttpRequest) -> HttpResponse:
    return _page(request, TrainingForm(_known(request.GET.get("recipe", next(iter(RECIPES)))), among=_own(request)))


def _page(request: HttpRequest, form: TrainingForm, *, status: int = 200) -> HttpResponse:
    """All trainings, and the form; one that was refused is shown again with what was typed and why."""
    page = read_training_page(request.user, shown=request.GET.get("show", ""))
    context = {"page": page, "lines": page.lines, "is_live": page.is_live, "form": form, "recipes": RECIPES.values()}
    return render(request, "researcher/trainings/training.html", context, status=status)


@never_cache
@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """The table alone, for htmx."""
    lines = read_trainings(request.user)
    live = any(line.training.is_live for line in lines)
    return render(request, "researcher/trainings/_trainings.html", {"lines": lines, "is_live": live})


@require_POST
def start(request: HttpRequest, key: str) -> HttpResponse:
    """A training of the recipe `key`, or several; asked for a second time, those that are there."""
    form = TrainingForm(_known(key), request.POST, among=_own(request))
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        trainings = _asked_for(request, form)
    except (CannotTrain, CannotCollect, CannotSplit, NoBase, ModelError) as error:
        form.add_error(None, str(error))
        return _page(request, form, status=422)
    try:
        send([one for one in trainings if one.is_live])
    except QueueSilent as error:
        messages.error(request, str(error))
    else:
        for training in trainings:
            _say(request, training)
    first = trainings[0]
    return redirect(f"{reverse('trainings')}?show={first.pk}&recipe={first.recipe}#curves")


def _own(request: HttpRequest) -> QuerySet[Study]:
    """Those whose items the reader may train on."""
    return studies_for(request.user, Right.SCORE)


def _asked_for(request: HttpRequest, form: TrainingForm) -> list[Training]:
    said, own = form.cleaned_data, _own(request)
    studies, apart_from = (find_studies(said[name], among=own) for name in ("studies", "apart_from"))
    grid = prepare_grid(
        find_base(said["base"]),
        form.recipe,
        studies,
        taught_by=said["taught_by"],
        apart_from=apart_from,
        points=form.points,
    )
    return start_grid(grid, owner=user_of(request))


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    training = get_object_or_404(trainings_for(request.user), pk=pk)
    if training.is_live:
        stop_training(training)
        messages.success(request, f"{training} stopped. You can resume it from the last saved step.")
    else:
        messages.info(request, f"{training} was not running.")
    return redirect("trainings")


@require_POST
def take_up(request: HttpRequest, pk: int) -> HttpResponse:
    training = get_object_or_404(trainings_for(request.user), pk=pk)
    try:
        training = go_on(training)
    except QueueSilent as error:
        messages.error(request, str(error))
    else:
        _say(request, training)
    return redirect("trainings")


@require_safe
def curves(request: HttpRequest, pk: int) -> HttpResponseBase:
    training = get_object_or_404(trainings_for(request.user), pk=pk)
    return as_file("".join(lines(rows(training.curves))), f"training-{training.fingerprint[:10]}.csv")


def _known(key: str) -> Recipe:
    try:
        return recipe(key)
    except UnknownRecipe as error:
        raise Http404(str(error)) from None


def _say(request: HttpRequest, training: Training) -> None:
    """How a training stands that was asked for, or asked to go on."""
    if training.is_live:
        messages.success(request, f"{training} started. You can close this page.")
    elif training.model is not None:
        messages.info(request, f"{training} is already finished. Its model is {training.model.key}.")
    else:
        messages.info(request, f"{training} has nothing left to train.")
