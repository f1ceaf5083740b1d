"""A chart of the results as a file for a paper; the browser saves it as SVG and PNG by itself."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotation.models import Study
from comparison.frame.filters.selection import SelectionError, read_selection
from researcher.studies.shown import read_shown
from researcher.views.comparison import PARTS


@require_safe
def figure(request: HttpRequest, slug: str, part: str, chart: str) -> HttpResponse:
    """As the address of that part of the results shows it."""
    # Here and not above: the engine that draws starts with its import, which a process that draws nothing does without.
    from comparison.bundle import figures

    study = get_object_or_404(Study, slug=slug)
    if part not in PARTS:
        raise Http404(f"Results have no part {part!r}.")
    try:
        shown = read_shown(study, read_selection(dict(request.GET.lists())), part)
    except SelectionError as error:
        raise Http404(str(error)) from error
    spec = figures.chart(shown.page, part, chart) if shown.page else None
    if spec is None:
        raise Http404(f"There is no chart {chart!r} to be drawn of this study.")
    mark = "-synthetic" if study.people.are_synthetic else ""
    name = f'attachment; filename="{study.slug}{mark}-{chart}.pdf"'
    return HttpResponse(figures.pdf(spec), content_type="application/pdf", headers={"Content-Disposition": name})
