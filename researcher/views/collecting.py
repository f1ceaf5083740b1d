"""What is done while a study collects: opening and closing it, its links, who may not begin or is excluded, and
synthetic annotators. Every change is a POST that leads back to its page.
"""

from pathlib import Path

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now

from annotation.access.matrix import Right
from annotation.arrival.links import limit, make_link, revoke
from annotation.arrival.repeats import IdsFileError, bar, clear
from annotation.arrival.visitor import personal_address
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.lifecycle import status
from annotation.models import Annotator, Assignment, Exclusion, Item, Judgment, Study, StudyLink, annotator_name
from annotation.quality import exclusion as excluding
from annotation.simulation import CannotSimulate, remove_synthetic
from comparison.exports.cells import lines
from corpus.errors import counted
from researcher.collecting.synthetic import SYNTHETIC, answering_in
from researcher.collecting.verdicts import because
from researcher.forms import BarredForm, ExcludeForm, IdsForm, LimitForm, LinkForm, SyntheticForm, Typed
from researcher.setup.steps import steps
from researcher.views.sent import as_file
from researcher.views.studies import show_import, show_links
from researcher.views.study_of import get_annotator_or_404, may, study_form, study_post, user_of
from work.errands import ask
from work.queue import QueueSilent


@study_post(Right.COLLECT)
def open_study(request: HttpRequest, study: Study) -> HttpResponse:
    if not study.has_opened and (left := steps(study).left):
        messages.error(request, f"Not opened: {left}.")
        return redirect("setup" if may(request, Right.EDIT) else "study", study.slug)
    status.open_study(study)
    messages.success(request, "Study open. Exclusion rules are locked.")
    return redirect("study", study.slug)


@study_post(Right.COLLECT)
def close_study(request: HttpRequest, study: Study) -> HttpResponse:
    # So `Back to draft` was sent before it had an address of its own: a page may have been open since.
    if "draft" in request.POST:
        messages.error(request, "Not closed: Parallax was updated. Choose Back to draft again.")
        return redirect("setup" if may(request, Right.EDIT) else "study", study.slug)
    status.close_study(study)
    messages.success(request, "Study closed. Answers so far are kept. People in progress are told at their next step.")
    return redirect("study", study.slug)


@study_post(Right.COLLECT)
def unlock_study(request: HttpRequest, study: Study) -> HttpResponse:
    try:
        status.back_to_draft(study)
    except status.HasBegun as begun:
        messages.error(request, str(begun))
    else:
        messages.success(request, "The study is a draft again. Everything can change.")
    return redirect("setup" if may(request, Right.EDIT) else "study", study.slug)


@study_post(Right.COLLECT)
def add_link(request: HttpRequest, study: Study) -> HttpResponse:
    form = LinkForm(request.POST)
    if not form.is_valid():
        return show_links(request, study, link_form=form, status=422)
    make_link(study, **form.cleaned_data)
    messages.success(request, "Link created.")
    return redirect("links", study.slug)


@study_post(Right.COLLECT)
def limit_link(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    link = get_object_or_404(study.links, pk=pk)
    form = LimitForm(request.POST)
    if form.is_valid():
        limit(link, form.cleaned_data["max_starts"])
        messages.success(request, "Limit saved. People who have started can still finish.")
    else:
        messages.error(request, "Not saved. A limit is a whole number from 0 (no limit) to 1,000,000.")
    return redirect("setup_part", study.slug, "limits") if "back" in request.POST else redirect("links", study.slug)


@study_post(Right.COLLECT)
def expire_link(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    link = get_object_or_404(study.links, pk=pk)
    if link.has_expired(now()):
        messages.info(request, "This link had already expired.")
    else:
        revoke(link)
        messages.success(request, "Link expired. People who have started can still finish.")
    return redirect("links", study.slug)


@study_post(Right.COLLECT)
def bar_ids(request: HttpRequest, study: Study) -> HttpResponse:
    form = BarredForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            done = bar(study, file.read(), Path(file.name))
        except IdsFileError as error:
            form.add_error("file", str(error))
        else:
            messages.success(request, f"{done}. The file is not stored.")
            return redirect("bring_in", study.slug)
    return show_import(request, study, barred_form=form, status=422)


@study_post(Right.COLLECT)
def clear_ids(request: HttpRequest, study: Study) -> HttpResponse:
    messages.success(request, f"Block list cleared: {counted(clear(study), 'ID')} removed.")
    return redirect("bring_in", study.slug)


@study_form(Right.COLLECT)
def exclude(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    annotator = get_annotator_or_404(study, number)
    name = annotator_name(number)
    if Exclusion.objects.in_force().filter(study=study, annotator=annotator).exists():
        messages.info(request, f"{name} is already excluded.")
        return redirect("annotators", study.slug)
    form = ExcludeForm(request.POST or None, word=name)
    if request.method == "POST" and form.is_valid():
        reason, by = form.cleaned_data["reason"], request.user.get_username()
        excluding.exclude_by_hand(study, annotator, reason=reason, by=by)
        then = "items are dropped" if study.policy.drops else "items will be labeled again"
        messages.success(request, f"{name} excluded. Their labels are kept but no longer count; their {then}.")
        return redirect("annotators", study.slug)
    context = {"study": study, "annotator": annotator, "name": name, "form": form}
    context["counted"] = _labels(study, annotator, Assignment.State.COUNTED)
    return render(request, "researcher/studies/exclude.html", context, status=422 if form.is_bound else 200)


@study_form(Right.COLLECT)
def reinstate(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    annotator = get_annotator_or_404(study, number)
    name = annotator_name(number)
    verdict = Exclusion.objects.in_force().filter(study=study, annotator=annotator).first()
    if verdict is None:
        messages.info(request, f"{name} is not excluded.")
        return redirect("annotators", study.slug)
    if request.method == "POST":
        excluding.reinstate(verdict)
        labels = _labels(study, annotator, Assignment.State.COUNTED)
        again = f"{counted(labels, 'label')} {'counts' if labels == 1 else 'count'} again"
        messages.success(request, f"{name} reinstated. {again}. Checks no longer exclude {name}.")
        return redirect("annotators", study.slug)
    context = {"study": study, "annotator": annotator, "name": name, "because": because(verdict)}
    context["excluded"] = _labels(study, annotator, Assignment.State.EXCLUDED)
    return render(request, "researcher/studies/reinstate.html", context)


def _labels(study: Study, annotator: Annotator, state: str) -> int:
    """How many of the annotator's labels on targets are in this state."""
    mine = Assignment.objects.filter(sitting__study=study, annotator=annotator, item__kind=Item.Kind.TARGET)
    return mine.filter(state=state).count()


@study_post(Right.COLLECT)
def personal_links(request: HttpRequest, study: Study, pk: int) -> HttpResponseBase:
    link = get_object_or_404(StudyLink, pk=pk, study=study)
    form = IdsForm(request.POST, study=study)
    if not form.is_valid():
        return show_links(request, study, ids_form=form, status=422)
    rows = [[one, request.build_absolute_uri(personal_address(link, one))] for one in form.cleaned_data["ids"]]
    with transaction.atomic():
        record(study, Deed.PERSONAL_LINKS, f"link {link.pk}", facts={"links": len(rows)})
    return as_file("".join(lines([["id", "address"], *rows])), f"{study.slug}-personal-links.csv")


@study_post(Right.COLLECT)
def synthetic_add(request: HttpRequest, study: Study) -> HttpResponse:
    form = SyntheticForm(request.POST)
    if not form.is_valid():
        return show_import(request, study, synthetic_form=form, status=422)
    if study.population == Study.Population.PEOPLE:
        messages.error(request, "This study has labels from people. Synthetic labels cannot be mixed with them.")
    elif study.state != Study.State.OPEN:
        messages.error(request, "Open the study first: synthetic annotators need an open study.")
    else:
        _queue(request, study, form)
    return redirect("bring_in", study.slug)


@study_form(Right.COLLECT)
def synthetic_remove(request: HttpRequest, study: Study) -> HttpResponse:
    if study.population != Study.Population.SYNTHETIC:
        messages.info(request, "This study has no synthetic labels.")
        return redirect("bring_in", study.slug)
    form = Typed(request.POST or None, word=study.slug)
    if request.method == "POST" and form.is_valid():
        try:
            removed = remove_synthetic(study)
        except CannotSimulate as error:
            messages.error(request, str(error))
        else:
            answering_in(study.pk).clear()
            messages.success(
                request,
                f"{counted(removed.annotators, 'synthetic annotator')} and {counted(removed.labels, 'label')} removed. "
                "People can now take part.",
            )
        return redirect("bring_in", study.slug)
    context = {
        "study": study,
        "form": form,
        "annotators": study.sittings.values("annotator").distinct().count(),
        "labels": Judgment.objects.filter(assignment__sitting__study=study).count(),
    }
    return render(request, "researcher/studies/synthetic_remove.html", context, status=422 if form.is_bound else 200)


def _queue(request: HttpRequest, study: Study, form: SyntheticForm) -> None:
    answering_in(study.pk).clear()
    try:
        given = (study.pk, form.counts, form.cleaned_data["seed"], user_of(request).pk)
        ask(SYNTHETIC, *given, study=study.pk, is_large=True, waits=[study.pk])
    except QueueSilent as error:
        messages.error(request, str(error))
    else:
        count = sum(form.counts.values())
        messages.success(
            request,
            f"{counted(count, 'synthetic annotator')} {'is' if count == 1 else 'are'} answering. "
            "Reload this page to see the labels.",
        )
