"""Downloads, streamed: a file of any length takes the memory of a few thousand lines."""

from itertools import chain

from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotation.models import Study
from comparison.exports import export as export_named
from comparison.exports.cells import lines
from comparison.frame.selection import SelectionError, read_selection


@require_safe
def export(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """The filters of the results' address act on what they show, not on raw judgments and scores."""
    study = get_object_or_404(Study, slug=slug)
    try:
        written = export_named(what)(study, read_selection(dict(request.GET.lists())))
        header = next(written)
    except (LookupError, SelectionError) as error:
        raise Http404(str(error)) from error
    mark = "-synthetic" if study.population == Study.Population.SYNTHETIC else ""
    return StreamingHttpResponse(
        lines(chain([header], written)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{study.slug}{mark}-{what}.csv"'},
    )
