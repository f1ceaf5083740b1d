"""The report of a study: having it made, how far it is, and the file."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.access.matrix import Right
from comparison.bundle.kept import kept
from comparison.bundle.mark import name
from comparison.frame.kept.gathered import read_one
from researcher.studies.exported.reporting import ask_for_report, read_report
from researcher.views.found import found
from researcher.views.sharing.sent import sent


@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """How far it is, for htmx; by POST it is made. For any other reader it stands in its part of the results."""
    study = found(request, slug, Right.EXPORT)
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
    study = found(request, slug, Right.EXPORT)
    path = kept(study, read_one(study))
    if path is None:
        raise Http404("The report of the data as they are has not been made.")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise Http404("The report has just been made anew. Load the page again.") from None
    sent(request, study, "report")
    response = FileResponse(file, as_attachment=True, filename=f"{name(study)}.zip", content_type="application/zip")
    # It is compressed already: a middleware would do it once more, and take its length away.
    response["Content-Encoding"] = "identity"
    return response
