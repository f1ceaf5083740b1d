"""Downloads, streamed: a file of any length takes the memory of a few thousand lines. The report is made by a worker,
and its page says how far it is. A chart of results, of a training or of a making is SVG, PDF or PNG, in the light theme
on white.
"""

from itertools import chain
from typing import IO

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.access.matrix import Right
from annotation.models import Study
from comparison.bundle.words.facts import mark, name
from comparison.exported import ask_for_report, dataset_name, finished_report, read_dataset, read_download, read_report
from comparison.exports.cells import lines
from comparison.exports.registry import FILES
from comparison.exports.registry import export as export_named
from comparison.frame.cache.gathered import read_one
from comparison.frame.filters.address import SelectionError
from comparison.pictures.vega_lite import Spec
from researcher.construction_figures import CSV, figure_of_build, rows_of, spec_of
from researcher.models import MadeFigure
from researcher.studies.current_figures import read_shown_part
from researcher.trainings.page import charts_of
from researcher.views.comparison import titles
from researcher.views.sent import CSV_TYPE, as_file, record_sent
from researcher.views.study_of import need, selection_of, study_form, study_page
from training.visible import trainings_for

# Of charts that stood on Models before their checks had pages: by how their names begin, the check.
MOVED = {
    "strength": "strength",
    "ranks": "ranks",
    "calibration": "calibration",
    "places": "asked",
    "asked": "asked",
}
TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


@study_page(Right.EXPORT)
def export(request: HttpRequest, study: Study, what: str) -> HttpResponseBase:
    """The filters of the results' address act on what they show, not on raw judgments and scores."""
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
                return FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type=CSV_TYPE)
            context = {"study": study, "what": name, "progress": made.progress, "is_file": True}
            return render(request, "comparison/made_elsewhere.html", context)
        written = export_named(what)(study, chosen)
        header = next(written)
    except (LookupError, SelectionError) as error:
        raise Http404(str(error)) from error
    record_sent(request, study, f"{what}.csv")
    return as_file(lines(chain([header], written)), name)


@study_page(Right.EXPORT)
def dataset(request: HttpRequest, study: Study) -> HttpResponseBase:
    """The study as a data set to train on, one zip file."""
    if not read_one(study).items:
        raise Http404("The study has no target items, so there is no data set.")
    made, name = read_dataset(study), f"{dataset_name(study)}.zip"
    if made.path is None:
        context = {"study": study, "what": name, "progress": made.progress, "is_file": True}
        return render(request, "comparison/made_elsewhere.html", context)
    record_sent(request, study, "data set")
    return _zip(made.path.open("rb"), name)


@vary_on_headers("HX-Request")
@study_form(Right.EXPORT)
def report(request: HttpRequest, study: Study) -> HttpResponse:
    """How far it is, for htmx; by POST it is made. For any other reader it stands in its part of the results."""
    if request.method != "POST" and "HX-Request" in request.headers:
        return render(
            request, "comparison/_report.html", {"study": study, "report": read_report(study, read_one(study))}
        )
    if request.method == "POST":
        ask_for_report(study)
    return redirect(f"{reverse('results', args=[study.slug, 'export'])}#report")


@never_cache
@study_page(Right.EXPORT)
def report_file(request: HttpRequest, study: Study) -> HttpResponseBase:
    path = finished_report(study, read_one(study))
    if path is None:
        raise Http404("The report has not been built for the current data.")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise Http404("The report was just rebuilt. Reload the page.") from None
    record_sent(request, study, "report")
    return _zip(file, f"{name(study)}.zip")


def _zip(file: IO[bytes], name: str) -> FileResponse:
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    # It is compressed already: a middleware would do it once more, and take its length away.
    response["Content-Encoding"] = "identity"
    return response


@study_page(Right.EXPORT)
def figure(request: HttpRequest, study: Study, part: str, chart: str, kind: str) -> HttpResponseBase:
    """As the address of that part of the results shows it; while a worker computes a large study's, how far it is."""
    if part not in titles():
        raise Http404(f"Results have no part {part!r}.")
    part = _now_at(part, chart)
    name = f"{study.slug}{'-synthetic' if study.people.are_synthetic else ''}-{chart}"
    try:
        shown = read_shown_part(study, selection_of(request), part)
    except SelectionError as error:
        raise Http404(str(error)) from error
    if shown.found is None:
        context = {"study": study, "what": f"{name}.{kind}", "progress": shown.progress, "is_file": True}
        return render(request, "comparison/made_elsewhere.html", context)
    if chart not in shown.found.charts:
        raise Http404(f"This study has no chart {chart!r}.")
    return chart_file(shown.found.charts[chart].spec, kind, name, said=mark(study))


def _now_at(part: str, chart: str) -> str:
    """Where a chart of Models is drawn since its check has a page of its own."""
    return MOVED.get(chart.partition("-")[0], part) if part == "models" else part


@require_safe
def training_figure(request: HttpRequest, pk: int, chart: str, kind: str) -> HttpResponseBase:
    training = get_object_or_404(trainings_for(request.user), pk=pk)
    charts = charts_of(training)
    if chart not in charts:
        raise Http404(f"This training has no chart {chart!r}.")
    return chart_file(charts[chart], kind, f"training-{training.fingerprint[:10]}-{chart}", said=str(training))


@study_page(Right.EXPORT)
def made_figure(request: HttpRequest, study: Study, name: str, kind: str) -> HttpResponseBase:
    """What was found out while the study was made: drawn, or its rows."""
    try:
        figure = figure_of_build(study, name)
    except MadeFigure.DoesNotExist:
        raise Http404(f"This study’s build has no figure {name!r}.") from None
    spec = spec_of(figure)
    if kind != CSV and spec is None:
        raise Http404("It has no picture; download the CSV file.")
    record_sent(request, study, f"made-{name}.{kind}")
    if kind != CSV and spec is not None:
        return chart_file(spec, kind, f"{study.slug}-{name}", said=figure.said)
    return as_file("".join(lines(rows_of(figure))), f"{study.slug}-{name}.csv")


def chart_file(spec: Spec, kind: str, name: str, *, said: str) -> HttpResponseBase:
    if kind not in TYPES:
        raise Http404(f"There is no chart format {kind!r}. Available: {', '.join(TYPES)}.")
    # Here and not above: the engine that draws starts with its import, which a process that draws nothing does without.
    from comparison.bundle.figures import draw

    return as_file(draw(spec, kind, note=said), f"{name}.{kind}", TYPES[kind])
