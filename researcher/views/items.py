"""Pages on which a researcher goes from one item to the next: its variants, its label, its words."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.adjudicating import DecisionRefused, adjudicate, disputed
from annotation.drafting.items import RevisionRefused, revise
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
from researcher.views.sharing.history import record_sent
from researcher.views.study_of import get_study_or_404

PER_PAGE = 50


@require_safe
def variants(request: HttpRequest, slug: str, external_id: str) -> HttpResponse:
    study, item = _found(request, slug, external_id, Right.SEE)
    page = read_variants(study, item, among=studies_for(request.user, Right.SEE))
    if not page.variants:
        raise Http404("This item is no variant: it has no attribute of that name.")
    return render(request, "comparison/variants.html", {"study": study, "item": item, "found": page})


@require_safe
def variants_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All items, or the one that `item` names."""
    name = request.GET.get("item", "")
    study = _found(request, slug, name, Right.EXPORT)[0] if name else get_study_or_404(request, slug, Right.EXPORT)
    filename = f"{study.slug}-variants.csv"
    record_sent(request, study, "variants.csv")
    return StreamingHttpResponse(
        lines(variant_records(study, among=studies_for(request.user, Right.EXPORT), item=name)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )


def _found(request: HttpRequest, slug: str, external_id: str, right: Right) -> tuple[Study, Item]:
    study = get_study_or_404(request, slug, right)
    if not external_id.isprintable():
        raise Http404("An item's id has no control characters.")
    return study, get_object_or_404(Item, study=study, external_id=external_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def adjudication(request: HttpRequest, slug: str) -> HttpResponse:
    """GET shows the item that the address names, or the first without a decision; POST stores one and goes on."""
    study = get_study_or_404(request, slug, Right.EDIT)
    under = read_share(request.GET)
    items = disputed(study, under=under)
    name = request.GET.get("item", "")
    item = items.filter(external_id=name).first() if name.isprintable() and name else first_to_decide(items)
    if item is None and name:
        raise Http404("This item has its majority, or not all its labels yet.")
    percent = f"{100 * under:g}" if under else ""
    context = {"study": study, "percent": percent}
    if item is None:
        return render(request, "researcher/studies/adjudication_empty.html", context)
    form = DecisionForm(request.POST if request.method == "POST" else None, values=study.task.scale.values)
    if request.method == "POST" and form.is_valid() and _stored(request, item, form):
        following = next_to_decide(items, item) or item
        query = {"under": percent} if percent else {}
        return redirect(f"{reverse('adjudication', args=[slug])}?{urlencode(query | {'item': following.external_id})}")
    page = read_adjudication(study, item, under=under)
    if not form.is_bound:
        form.initial = page.initial
    context |= {"page": page, "form": form, "chosen": form["decision"].value()}
    return render(request, "researcher/studies/adjudication.html", context, status=422 if form.is_bound else 200)


def _stored(request: HttpRequest, item: Item, form: DecisionForm) -> bool:
    assert isinstance(request.user, User), "the page asks for a login"
    said = form.cleaned_data
    try:
        adjudicate(item, form.chosen, note=said["note"].strip(), by=request.user, seen=said["seen"])
    except DecisionRefused as refused:
        form.add_error(None, str(refused))
        return False
    words = item.study.task.scale.text(form.chosen) if form.chosen else "cannot be decided"
    messages.success(request, f"{item.external_id} is stored: {words}.")
    return True


@never_cache
@require_safe
def revisions(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_study_or_404(request, slug, Right.EDIT)
    waiting = Paginator(study.items.to_revise(), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "waiting": waiting,
        "flagged": flagged_lines(study, list(waiting.object_list)),
        "revised": revised_lines(study),
    }
    return render(request, "researcher/studies/revisions.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def revision(request: HttpRequest, slug: str, external_id: str) -> HttpResponse:
    study = get_study_or_404(request, slug, Right.EDIT)
    if not external_id.isprintable():
        raise Http404("An item's id has no control characters.")
    item = get_object_or_404(Item, study=study, external_id=external_id)
    form = RevisionForm(request.POST or None, item=item, task_type=study.task_type)
    if request.method == "POST" and form.is_valid() and _saved(request, item, form):
        following = next_to_revise(study, after=item.position)
        if following is None:
            return redirect("revisions", slug)
        return redirect("revision", slug, following.external_id)
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
    assert isinstance(request.user, User), "the page asks for a login"
    said = form.cleaned_data
    content = item.content if "keep" in request.POST else form.new_content()
    try:
        made = revise(item, content, seen=said["seen"], editor=request.user, reason=said["reason"])
    except RevisionRefused as refused:
        form.add_faults(str(refused), refused.faults)
        return False
    done = "is reworded" if made.has_changed_it else "stays as it is"
    messages.success(request, f"{item.external_id} {done}.")
    return True
