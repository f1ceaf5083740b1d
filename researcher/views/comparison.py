"""People beside models: the comparison page, and the page of one item."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError

from annotation.models import Item, Study
from comparison.frame.remembered import data_version
from comparison.frame.selection import Selection, SelectionError, read_selection
from comparison.page.item_detail import read_item
from comparison.page.page import read_page
from comparison.page.ranks import read_rank_page
from comparison.page.reading import read_aggregations, read_alternatives
from comparison.statistics.aggregation.majority import KINDS
from researcher.tasks import aggregate


@require_safe
def comparison(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_object_or_404(Study, slug=slug)
    fault, status = "", 200
    try:
        shown = _read(study, read_selection(request.GET, request.GET.getlist("runs")))
    except SelectionError as error:
        # The address asks for what is not there: say so, and show the page without any choice.
        fault, status = str(error), 400
        shown = _read(study, Selection())
    context = {"study": study, "fault": fault, "kinds": KINDS, **shown}
    return render(request, "comparison/comparison.html", context, status=status)


def _read(study: Study, asked: Selection) -> dict[str, object]:
    page = read_page(study, asked)
    panel, selection = page.panel, page.selection
    here = panel.where(selection.mask(panel)) if selection.narrows else panel
    version = data_version(study)
    return {
        "page": page,
        "ranks": read_rank_page(study, panel, selection, version=version),
        "alternatives": read_alternatives(here, selection, version=version),
        "aggregations": read_aggregations(here, selection, version=version),
    }


@require_POST
def aggregations(request: HttpRequest, slug: str) -> HttpResponse:
    """Have every way to aggregate computed, for the filters of the address; it takes too long for a page."""
    study = get_object_or_404(Study, slug=slug)
    query = request.GET.urlencode()
    try:
        aggregate.delay(study.pk, query)
    except OperationalError:
        messages.error(request, "The queue does not answer, so nothing was started. Is the worker's server running?")
    else:
        messages.success(request, "Labels are being aggregated. Load this page again in a while to see them.")
    response = redirect("comparison", slug)
    response["Location"] += f"{'?' if query else ''}{query}#aggregations"
    return response


@require_safe
def item(request: HttpRequest, slug: str, external_id: str) -> HttpResponse:
    study = get_object_or_404(Study, slug=slug)
    if not external_id.isprintable():
        raise Http404("An item's id has no control characters.")
    found = get_object_or_404(Item, study=study, external_id=external_id)
    context = {"study": study, "item": found, "text": study.task.text(found.content), "detail": read_item(study, found)}
    return render(request, "comparison/item.html", context)
