"""Adding synthetic annotators to a study, and removing them with everything they said."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST
from kombu.exceptions import OperationalError

from accounts.models import User
from annotation.access.matrix import Right
from annotation.models import Judgment, Study
from annotation.simulation import CannotSimulate, remove_synthetic
from researcher.forms import SyntheticForm, Typed
from researcher.tasks import add_synthetic
from researcher.views.found import found
from researcher.views.study_page import redirect_to, show_study


@require_POST
def synthetic_add(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    form = SyntheticForm(request.POST)
    if not form.is_valid():
        return show_study(request, study, synthetic_form=form, status=422)
    if study.population == Study.Population.PEOPLE:
        messages.error(request, "This study holds labels from people, and synthetic labels never mix with them.")
    elif study.state != Study.State.OPEN:
        messages.error(request, "Synthetic annotators answer as people would, so the study must be open.")
    else:
        _queue(request, study, form)
    return redirect_to(slug, "synthetic")


@require_http_methods(["GET", "HEAD", "POST"])
def synthetic_remove(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    if study.population != Study.Population.SYNTHETIC:
        messages.info(request, "There is nothing synthetic in this study.")
        return redirect_to(slug, "synthetic")
    form = Typed(request.POST or None, word=study.slug)
    if request.method == "POST" and form.is_valid():
        try:
            removed = remove_synthetic(study)
        except CannotSimulate as error:
            messages.error(request, str(error))
        else:
            messages.success(
                request,
                f"{removed.annotators:,} synthetic annotators and their {removed.labels:,} labels are gone. "
                "The study now takes people.",
            )
        return redirect_to(slug, "synthetic")
    context = {
        "study": study,
        "form": form,
        "annotators": study.sittings.values("annotator").distinct().count(),
        "labels": Judgment.objects.filter(assignment__sitting__study=study).count(),
    }
    return render(request, "researcher/studies/synthetic_remove.html", context, status=422 if form.is_bound else 200)


def _by(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "the page asks for a login"
    return request.user


def _queue(request: HttpRequest, study: Study, form: SyntheticForm) -> None:
    try:
        add_synthetic.delay(study.pk, form.counts, form.cleaned_data["seed"], _by(request).pk)
    except OperationalError:
        messages.error(request, "The queue does not answer, so nothing was started. Is the worker's server running?")
    else:
        count = sum(form.counts.values())
        messages.success(
            request, f"{count:,} synthetic annotators are answering. Load this page again to see their labels come in."
        )
