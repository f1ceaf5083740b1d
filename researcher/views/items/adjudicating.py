"""One item after the other whose labels do not agree, with a decision on each."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from annotation.access.matrix import Right
from annotation.adjudicating.deciding import DecisionRefused, adjudicate
from annotation.adjudicating.disputed import disputed
from annotation.models import Item
from researcher.studies.adjudication import (
    DecisionForm,
    first_to_decide,
    next_to_decide,
    read_adjudication,
    read_share,
)
from researcher.views.found import found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def adjudication(request: HttpRequest, slug: str) -> HttpResponse:
    """GET shows the item that the address names, or the first without a decision; POST stores one and goes on."""
    study = found(request, slug, Right.EDIT)
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
