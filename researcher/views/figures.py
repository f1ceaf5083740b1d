"""A chart of results, of a training or of a making as a file: SVG, PDF or PNG, in the light theme on white."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from comparison.bundle.mark import mark
from comparison.exports.cells import lines
from comparison.frame.filters.address import SelectionError
from comparison.pictures.charts import Spec
from researcher.construction_figures import CSV, kept_figure, rows_of, spec_of
from researcher.models import MadeFigure
from researcher.studies.shown import read_shown
from researcher.trainings.page import charts_of
from researcher.views.comparison import PARTS
from researcher.views.sharing.history import record_sent
from researcher.views.study_of import get_study_or_404, selection_of
from training.visible import trainings_for

TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


@require_safe
def figure(request: HttpRequest, slug: str, part: str, chart: str, kind: str) -> HttpResponse:
    """As the address of that part of the results shows it; while a worker computes a large study's, how far it is."""
    study = get_study_or_404(request, slug, Right.EXPORT)
    if part not in PARTS:
        raise Http404(f"Results have no part {part!r}.")
    name = f"{study.slug}{'-synthetic' if study.people.are_synthetic else ''}-{chart}"
    try:
        shown = read_shown(study, selection_of(request), part)
    except SelectionError as error:
        raise Http404(str(error)) from error
    if shown.page is None:
        context = {"study": study, "what": f"{name}.{kind}", "progress": shown.progress, "is_file": True}
        return render(request, "comparison/made_elsewhere.html", context)
    if chart not in shown.page.charts:
        raise Http404(f"There is no chart {chart!r} to be drawn of this study.")
    return _file(shown.page.charts[chart].spec, kind, name, said=mark(study))


@require_safe
def training_figure(request: HttpRequest, pk: int, chart: str, kind: str) -> HttpResponse:
    training = get_object_or_404(trainings_for(request.user), pk=pk)
    charts = charts_of(training)
    if chart not in charts:
        raise Http404(f"There is no chart {chart!r} to be drawn of this training.")
    return _file(charts[chart], kind, f"training-{training.fingerprint[:10]}-{chart}", said=str(training))


@require_safe
def made_figure(request: HttpRequest, slug: str, name: str, kind: str) -> HttpResponse:
    """What was found out while the study was made: drawn, or its rows."""
    study = get_study_or_404(request, slug, Right.EXPORT)
    try:
        figure = kept_figure(study, name)
    except MadeFigure.DoesNotExist:
        raise Http404(f"Of the making of this study there is no figure {name!r}.") from None
    spec = spec_of(figure)
    if kind != CSV and spec is None:
        raise Http404("It is a table alone: there is a CSV file of it.")
    record_sent(request, study, f"made-{name}.{kind}")
    if kind != CSV and spec is not None:
        return _file(spec, kind, f"{slug}-{name}", said=figure.said)
    named = f'attachment; filename="{slug}-{name}.csv"'
    content = "".join(lines(rows_of(figure)))
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": named})


def _file(spec: Spec, kind: str, name: str, *, said: str) -> HttpResponse:
    if kind not in TYPES:
        raise Http404(f"A chart is no {kind!r}; there are: {', '.join(TYPES)}.")
    # Here and not above: the engine that draws starts with its import, which a process that draws nothing does without.
    from comparison.bundle.figures import draw

    content, named = draw(spec, kind, said=said), f'attachment; filename="{name}.{kind}"'
    return HttpResponse(content, content_type=TYPES[kind], headers={"Content-Disposition": named})
