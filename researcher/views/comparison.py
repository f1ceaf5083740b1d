"""People beside models: the comparison page, and the page of one item."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import Item, Study
from comparison.frame.selection import Selection, SelectionError, read_selection
from comparison.page.item_detail import read_item
from comparison.page.page import Page, read_page
from comparison.page.ranks import RankPage, read_rank_page
from comparison.statistics.aggregation.majority import KINDS


@require_safe
def comparison(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_object_or_404(Study, slug=slug)
    fault, status = "", 200
    try:
        page, ranks = _read(study, read_selection(request.GET, request.GET.getlist("runs")))
    except SelectionError as error:
        # The address asks for what is not there: say so, and show the page without any choice.
        fault, status = str(error), 400
        page, ranks = _read(study, Selection())
    context = {"study": study, "page": page, "ranks": ranks, "fault": fault, "kinds": KINDS}
    return render(request, "comparison/comparison.html", context, status=status)


def _read(study: Study, selection: Selection) -> tuple[Page, RankPage | None]:
    page = read_page(study, selection)
    return page, read_rank_page(study, page.panel, page.selection)


@require_safe
def item(request: HttpRequest, slug: str, external_id: str) -> HttpResponse:
    study = get_object_or_404(Study, slug=slug)
    if not external_id.isprintable():
        raise Http404("An item's id has no control characters.")
    found = get_object_or_404(Item, study=study, external_id=external_id)
    context = {"study": study, "item": found, "text": study.task.text(found.content), "detail": read_item(study, found)}
    return render(request, "comparison/item.html", context)
