"""Downloads, streamed: a file of any length takes the memory of a few thousand lines. The report is made by a worker,
and its page says how far it is.
"""

from itertools import chain

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.access.matrix import Right
from annotation.models import Study
from comparison.bundle.kept import kept_report
from comparison.bundle.mark import name
from comparison.exported.dataset import file_name, read_dataset
from comparison.exported.downloads import read_download
from comparison.exported.reporting import ask_for_report, read_report
from comparison.exports.cells import lines
from comparison.exports.registry import FILES
from comparison.exports.registry import export as export_named
from comparison.frame.cache.gathered import read_one
from comparison.frame.filters.address import SelectionError
from researcher.views.sharing.history import record_sent
from researcher.views.study_of import get_study_or_404, need, selection_of

TYPE = "text/csv; charset=utf-8"


@require_safe
def export(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """The filters of the results' address act on what they show, not on raw judgments and scores."""
    study = get_study_or_404(request, slug, Right.EXPORT)
    if what in FILES and FILES[what].names_people:
        need(request, study, Right.IDENTIFY)
    mark = "-synthetic" if study.population == Study.Population.SYNTHETIC else ""
    name = f"{study.slug}{mark}-{what}.csv"
    try:
        chosen = selection_of(request)
        made = read_download(study, what, chosen)
        if made is not None:
            if made.path is not None:
                record_sent(request, study, f"{what}.csv")
                return FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type=TYPE)
            context = {"study": study, "what": name, "progress": made.progress, "is_file": True}
            return render(request, "comparison/made_elsewhere.html", context)
        written = export_named(what)(study, chosen)
        header = next(written)
    except (LookupError, SelectionError) as error:
        raise Http404(str(error)) from error
    record_sent(request, study, f"{what}.csv")
    return StreamingHttpResponse(
        lines(chain([header], written)),
        content_type=TYPE,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
def dataset(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The study as a data set to train on, one zip file."""
    study = get_study_or_404(request, slug, Right.EXPORT)
    if not read_one(study).items:
        raise Http404("The study has no target items, so there is no data set.")
    made, name = read_dataset(study), f"{file_name(study)}.zip"
    if made.path is None:
        context = {"study": study, "what": name, "progress": made.progress, "is_file": True}
        return render(request, "comparison/made_elsewhere.html", context)
    record_sent(request, study, "data set")
    response = FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type="application/zip")
    # It is compressed already: a middleware would do it once more, and take its length away.
    response["Content-Encoding"] = "identity"
    return response


@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """How far it is, for htmx; by POST it is made. For any other reader it stands in its part of the results."""
    study = get_study_or_404(request, slug, Right.EXPORT)
    if request.method != "POST" and "HX-Request" in request.headers:
        return render(
            request, "comparison/_report.html", {"study": study, "report": read_report(study, read_one(study))}
        )
    if request.method == "POST":
        ask_for_report(study)
    response = redirect("results", slug, "export")
    response["Location"] += "#report"
    return response


@never_cache
@require_safe
def report_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = get_study_or_404(request, slug, Right.EXPORT)
    path = kept_report(study, read_one(study))
    if path is None:
        raise Http404("The report of the data as they are has not been made.")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise Http404("The report has just been made anew. Load the page again.") from None
    record_sent(request, study, "report")
    response = FileResponse(file, as_attachment=True, filename=f"{name(study)}.zip", content_type="application/zip")
    # It is compressed already: a middleware would do it once more, and take its length away.
    response["Content-Encoding"] = "identity"
    return response
