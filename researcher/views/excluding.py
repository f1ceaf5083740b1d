"""Excluding an annotator and taking that back, each after a page that says what it does."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from annotation.access.matrix import Right
from annotation.models import Annotator, Assignment, Exclusion, Item, Study
from annotation.quality import exclusion as excluding
from annotation.quality.policy import Policy
from comparison.frame.names import annotator_name
from researcher.forms import ExcludeForm
from researcher.studies.verdicts import because
from researcher.views.found import found
from researcher.views.study_page import redirect_to


@require_http_methods(["GET", "HEAD", "POST"])
def exclude(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study, annotator = _found(request, slug, pk)
    name = annotator_name(pk)
    if Exclusion.objects.in_force().filter(study=study, annotator=annotator).exists():
        messages.info(request, f"{name} is excluded already.")
        return redirect_to(slug, "annotators")
    form = ExcludeForm(request.POST or None, word=name)
    if request.method == "POST" and form.is_valid():
        reason, by = form.cleaned_data["reason"], request.user.get_username()
        excluding.exclude_by_hand(study, annotator, reason=reason, by=by)
        then = "items are dropped" if Policy.of(study).drops else "slots are open"
        messages.success(request, f"{name} is excluded. The labels are kept and no longer count; their {then}.")
        return redirect_to(slug, "annotators")
    context = {"study": study, "annotator": annotator, "name": name, "form": form}
    context["counted"] = _labels(study, annotator, Assignment.State.COUNTED)
    return render(request, "researcher/studies/exclude.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def reinstate(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study, annotator = _found(request, slug, pk)
    name = annotator_name(pk)
    verdict = Exclusion.objects.in_force().filter(study=study, annotator=annotator).first()
    if verdict is None:
        messages.info(request, f"{name} is not excluded.")
        return redirect_to(slug, "annotators")
    if request.method == "POST":
        excluding.reinstate(verdict)
        counted = _labels(study, annotator, Assignment.State.COUNTED)
        messages.success(request, f"{name} is back in; {counted:,} labels count. Checks no longer exclude {name}.")
        return redirect_to(slug, "annotators")
    context = {"study": study, "annotator": annotator, "name": name, "because": because(verdict)}
    context["excluded"] = _labels(study, annotator, Assignment.State.EXCLUDED)
    return render(request, "researcher/studies/reinstate.html", context)


def _found(request: HttpRequest, slug: str, pk: int) -> tuple[Study, Annotator]:
    """The study and an annotator who has taken part in it, or 404."""
    study = found(request, slug, Right.COLLECT)
    return study, get_object_or_404(Annotator.objects.filter(sittings__study=study).distinct(), pk=pk)


def _labels(study: Study, annotator: Annotator, state: str) -> int:
    """How many of the annotator's labels on targets are in this state."""
    mine = Assignment.objects.filter(sitting__study=study, annotator=annotator, item__kind=Item.Kind.TARGET)
    return mine.filter(state=state).count()
