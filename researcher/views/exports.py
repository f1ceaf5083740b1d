"""Downloads, streamed: a file of any length takes the memory of a few thousand lines."""

from itertools import chain

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import Study
from comparison.exports import export as export_named
from comparison.exports.cells import lines
from comparison.frame.filters.address import SelectionError, read_selection
from researcher.studies.downloads import read_download

TYPE = "text/csv; charset=utf-8"


@require_safe
def export(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """The filters of the results' address act on what they show, not on raw judgments and scores."""
    study = get_object_or_404(Study, slug=slug)
    mark = "-synthetic" if study.population == Study.Population.SYNTHETIC else ""
    name = f"{study.slug}{mark}-{what}.csv"
    try:
        asked = read_selection(dict(request.GET.lists()))
        made = read_download(study, what, asked)
        if made is not None:
            if made.path is not None:
                return FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type=TYPE)
            context = {"study": study, "what": name, "progress": made.progress, "is_file": True}
            return render(request, "comparison/made_elsewhere.html", context)
        written = export_named(what)(study, asked)
        header = next(written)
    except (LookupError, SelectionError) as error:
        raise Http404(str(error)) from error
    return StreamingHttpResponse(
        lines(chain([header], written)),
        content_type=TYPE,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
