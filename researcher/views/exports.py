"""Downloads, streamed: a file of any length takes the memory of a few thousand lines."""

from itertools import chain

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from annotation.models import Study
from comparison.exports import IDENTIFYING
from comparison.exports import export as export_named
from comparison.exports.cells import lines
from comparison.frame.filters.address import SelectionError
from comparison.frame.kept.gathered import read_one
from researcher.studies.exported.dataset import file_name, read_dataset
from researcher.studies.exported.downloads import read_download
from researcher.views.found import asked, found, need
from researcher.views.sharing.sent import sent

TYPE = "text/csv; charset=utf-8"


@require_safe
def export(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """The filters of the results' address act on what they show, not on raw judgments and scores."""
    study = found(request, slug, Right.EXPORT)
    if what in IDENTIFYING:
        need(request, study, Right.IDENTIFY)
    mark = "-synthetic" if study.population == Study.Population.SYNTHETIC else ""
    name = f"{study.slug}{mark}-{what}.csv"
    try:
        chosen = asked(request)
        made = read_download(study, what, chosen)
        if made is not None:
            if made.path is not None:
                sent(request, study, f"{what}.csv")
                return FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type=TYPE)
            context = {"study": study, "what": name, "progress": made.progress, "is_file": True}
            return render(request, "comparison/made_elsewhere.html", context)
        written = export_named(what)(study, chosen)
        header = next(written)
    except (LookupError, SelectionError) as error:
        raise Http404(str(error)) from error
    sent(request, study, f"{what}.csv")
    return StreamingHttpResponse(
        lines(chain([header], written)),
        content_type=TYPE,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
def dataset(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The study as a data set to train on, one zip file."""
    study = found(request, slug, Right.EXPORT)
    if not read_one(study).items:
        raise Http404("The study has no target items, so there is no data set.")
    made, name = read_dataset(study), f"{file_name(study)}.zip"
    if made.path is None:
        context = {"study": study, "what": name, "progress": made.progress, "is_file": True}
        return render(request, "comparison/made_elsewhere.html", context)
    sent(request, study, "data set")
    response = FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type="application/zip")
    # It is compressed already: a middleware would do it once more, and take its length away.
    response["Content-Encoding"] = "identity"
    return response
