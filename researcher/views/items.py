"""Pages on which a researcher goes from one item to the next: its variants, its label, its words."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.adjudicating import DecisionRefused, adjudicate, disputed
from annotation.drafting.items import DraftRefused, revise
from annotation.models import Item, Study
from comparison.exports.cells import lines
from comparison.page.item.variants import read_variants, variant_records
from researcher.studies.adjudication import (
    DecisionForm,
    first_to_decide,
    next_to_decide,
    read_adjudication,
    read_share,
)
from researcher.studies.revision import RevisionForm, flagged_lines, next_to_revise, revised_lines
from researcher.views.sent import as_file, record_sent
from researcher.views.study_of import get_item_or_404, study_form, study_page, user_of

PER_PAGE = 50


@study_page(Right.SEE)
def variants(request: HttpRequest, study: Study, external_id: str) -> HttpResponse:
    item = get_item_or_404(study, external_id)
    page = read_variants(study, item, among=studies_for(request.user, Right.SEE))
    if not page.variants:
        raise Http404("This item is not a variant: it has no such attribute.")
    return render(request, "comparison/variants.html", {"study": study, "item": item, "found": page})


@study_page(Right.EXPORT)
def variants_file(request: HttpRequest, study: Study) -> HttpResponseBase:
    """All items, or the one that `item` names."""
    if name := request.GET.get("item", ""):
        get_item_or_404(study, name)
    record_sent(request, study, "variants.csv")
    written = variant_records(study, among=studies_for(request.user, Right.EXPORT), item=name)
    return as_file(lines(written), f"{study.slug}-variants.csv")


@study_form(Right.EDIT)
def adjudication(request: HttpRequest, study: Study) -> HttpResponse:
    """GET shows the item that the address names, or the first without a decision; POST stores one and goes on."""
    under = read_share(request.GET)
    items = disputed(study, under=under)
    name = request.GET.get("item", "")
    item = items.filter(external_id=name).first() if name.isprintable() and name else first_to_decide(items)
    if item is None and name:
        raise Http404("This item already has a majority, or lacks labels.")
    percent = f"{100 * under:g}" if under else ""
    context = {"study": study, "percent": percent}
    if item is None:
        context["decided"] = study.is_averaged and study.adjudications.exists()
        return render(request, "researcher/studies/adjudication_empty.html", context)
    form = DecisionForm(request.POST if request.method == "POST" else None, values=study.task.scale.values)
    if request.method == "POST" and form.is_valid() and _stored(request, item, form):
        following = next_to_decide(items, item) or item
        query = {"under": percent} if percent else {}
        return redirect(
            f"{reverse('adjudication', args=[study.slug])}?{urlencode(query | {'item': following.external_id})}"
        )
    page = read_adjudication(study, item, under=under)
    if not form.is_bound:
        form.initial = page.initial
    context |= {"page": page, "form": form, "chosen": form["decision"].value()}
    return render(request, "researcher/studies/adjudication.html", context, status=422 if form.is_bound else 200)


def _stored(request: HttpRequest, item: Item, form: DecisionForm) -> bool:
    said = form.cleaned_data
    try:
        adjudicate(item, form.chosen, note=said["note"].strip(), by=user_of(request), seen=said["seen"])
    except DecisionRefused as refused:
        form.add_error(None, str(refused))
        return False
    words = item.study.task.scale.text(form.chosen) if form.chosen else "cannot be decided"
    messages.success(request, f"{item.external_id} saved: {words}.")
    return True


@never_cache
@study_page(Right.EDIT)
def revisions(request: HttpRequest, study: Study) -> HttpResponse:
    waiting = Paginator(study.items.to_revise(), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "waiting": waiting,
        "flagged": flagged_lines(study, list(waiting.object_list)),
        "revised": revised_lines(study),
    }
    return render(request, "researcher/studies/revisions.html", context)


@study_form(Right.EDIT)
def revision(request: HttpRequest, study: Study, external_id: str) -> HttpResponse:
    item = get_item_or_404(study, external_id)
    form = RevisionForm(request.POST or None, item=item, task_type=study.task_type)
    if request.method == "POST" and form.is_valid() and _saved(request, item, form):
        following = next_to_revise(study, after=item.position)
        if following is None:
            return redirect("revisions", study.slug)
        return redirect("revision", study.slug, following.external_id)
    context = {
        "study": study,
        "item": item,
        "form": form,
        "text": study.task.text(item.content),
        "history": revised_lines(study, external_id),
        "is_shown": item.was_shown(),
        "left": study.items.to_revise().count(),
    }
    return render(request, "researcher/studies/revision.html", context, status=422 if form.is_bound else 200)


def _saved(request: HttpRequest, item: Item, form: RevisionForm) -> bool:
    said = form.cleaned_data
    content = item.content if "keep" in request.POST else form.new_content()
    try:
        made = revise(item, content, seen=said["seen"], editor=user_of(request), reason=said["reason"])
    except DraftRefused as refused:
        form.add_faults(str(refused), refused.faults)
        return False
    done = "reworded" if made.has_changed_it else "unchanged"
    messages.success(request, f"{item.external_id} {done}.")
    return True
