"""Results: the figures of the report, the verdict, and every file. Of a large study a worker computes them first."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from ninja import Router

from annotation.access.matrix import Right
from api.answering.documents import document, unchanged_since, versioned
from api.answering.faults import Refused
from api.answering.schema import needs
from api.caller import ApiRequest
from api.routes.shapes import EstimateOut, FindingOut, PlacedOut, ProgressOut, StatisticsOut, VerdictOut
from comparison.exported import dataset_name, read_dataset, read_download
from comparison.exports.cells import lines
from comparison.exports.registry import FILES, export
from comparison.exports.report import REPORT, figures_json
from comparison.frame.cache.computing import Computing, Progress, start
from comparison.frame.cache.gathered import read_one
from comparison.frame.filters.address import SelectionError
from comparison.frame.selected import NotComputed, Selected, select
from comparison.page.page import COMPUTE
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.finding import Finding
from comparison.statistics.verdict.parts import Placed

router = Router(tags=["results"])
PART = "overview"
AGAIN_SECONDS = 2
CSV, ZIP = "text/csv", "application/zip"


@router.get(
    "/studies/{slug:slug}/statistics",
    response={200: StatisticsOut, 202: ProgressOut},
    summary="Get the report's figures",
    **needs(Right.EXPORT, also=(503,)),
)
def api_statistics(request: ApiRequest, slug: str) -> HttpResponse:
    """Takes the filters of the results page's URL. Other figures have their own files (docs/exports.md)."""
    study = request.auth.study_or_404(slug, Right.EXPORT)
    selection = request.auth.selection(request, study)
    version = f"{read_one(study).version} {selection.anonymous}"
    if there := unchanged_since(request, version):
        return there
    with _filters_refused():
        made = read_download(study, REPORT.key, selection, ending="json")
        if made is not None and made.path is None:
            return computing(request, made.progress)
        if made is not None and made.path is not None:
            body = made.path.read_bytes()
        else:
            body = "".join(figures_json(REPORT.rows(study, selection))).encode()
    return versioned(request, body, version)


@router.get(
    "/studies/{slug:slug}/verdict",
    response={200: VerdictOut, 202: ProgressOut},
    summary="Get the verdict: which models are nearest to people",
    **needs(Right.SEE, also=(503,)),
)
def api_verdict(request: ApiRequest, slug: str) -> HttpResponse:
    """The verdict that the results page shows. Takes the filters of that page's URL."""
    study = request.auth.study_or_404(slug, Right.SEE)
    selection = request.auth.selection(request, study)
    chosen = select(study, selection, waits=False)
    with _filters_refused():
        try:
            return document(request, _verdict(chosen))
        except NotComputed:
            at = Computing(study.pk, PART, selection.query())
            start(at, COMPUTE, study.pk, PART, selection.query(), answers=chosen.gathered.answers)
            return computing(request, at.progress())


def _verdict(chosen: Selected) -> dict[str, Any]:
    found, runs, names = chosen.verdict, chosen.verdict.runs, chosen.outline.titles
    return VerdictOut(
        study=chosen.study.slug,
        population=chosen.study.population,
        items_selected=chosen.words,
        measure=found.measure,
        against=found.against,
        headline=found.headline,
        subtitle=found.subtitle,
        findings=[_finding(one) for one in found.findings],
        method=found.method,
        items=found.labels.items,
        compared=runs.items,
        chance=runs.chance if runs.placed else None,
        one_person=_estimate(runs.person),
        runs=[_placed(one, names[one.run]) for one in runs.placed] if not chosen.selection.no_nearest else [],
    ).plain()


def _finding(one: Finding) -> FindingOut:
    return FindingOut(
        part=one.part, state=one.state.word, kind=one.state.kind, statement=one.statement, evidence=one.evidence
    )


def _placed(one: Placed, name: str) -> PlacedOut:
    return PlacedOut(
        run=one.run,
        name=name,
        is_baseline=one.is_baseline,
        value=_estimate(one.value),
        rank=one.rank,
        first_in_resamples=one.best,
        chance=one.chance,
        p_no_better_than_chance=one.over_chance,
        p_no_better_than_shuffled=one.over_dealt,
        p_constant_no_better=one.under_constant,
        nearest=one.nearest,
        nearer_than_one_person=_estimate(one.beside),
    )


def _estimate(found: Estimate) -> EstimateOut:
    names = ("value", "low", "high", "n", "undefined", "no_interval", "note")
    return EstimateOut(n_counts=found.unit, **{name: getattr(found, name) for name in names})


@router.get(
    "/studies/{slug:slug}/exports/{slug:what}",
    response={202: ProgressOut},
    summary="Download a file",
    **needs(Right.EXPORT, also=(503,), file=CSV),
)
def api_export(request: ApiRequest, slug: str, what: str) -> HttpResponseBase:
    """A CSV file, such as judgments, scores or items (docs/exports.md). Takes the filters of the results page's URL."""
    study = request.auth.study_or_404(slug, Right.EXPORT)
    if what not in FILES:
        raise Http404(f"There is no file {what!r}. Available: {', '.join(FILES)}.")
    if FILES[what].names_people:
        request.auth.study_or_404(slug, Right.IDENTIFY)
    selection = request.auth.selection(request, study)
    with _filters_refused():
        made = read_download(study, what, selection)
        if made is None:
            written = export(what)(study, selection)
            return StreamingHttpResponse(lines(chain([next(written)], written)), content_type=CSV)
    if made.path is None:
        return computing(request, made.progress)
    return FileResponse(made.path.open("rb"), content_type=CSV)


@router.get(
    "/studies/{slug:slug}/dataset",
    response={202: ProgressOut},
    summary="Download the study as a data set",
    **needs(Right.EXPORT, also=(503,), file=ZIP),
)
def api_dataset(request: ApiRequest, slug: str) -> HttpResponseBase:
    """A zip file with Parquet, JSON Lines and the data set's card."""
    study = request.auth.study_or_404(slug, Right.EXPORT)
    if not read_one(study).items:
        raise Http404("The study has no target items, so there is no data set.")
    made = read_dataset(study)
    if made.path is None:
        return computing(request, made.progress)
    name = f"{dataset_name(study)}.zip"
    response = FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type=ZIP)
    # It is compressed already: a middleware would do it once more, and take its length away.
    response["Content-Encoding"] = "identity"
    return response


def computing(request: ApiRequest, progress: Progress | None) -> HttpResponse:
    """202 while a worker is at it; 503 where that failed."""
    now = progress or Progress("waiting for a worker")
    if now.failed:
        raise Refused(503, now.words, headers={"Retry-After": "60"})
    said = ProgressOut(words=now.words, share=now.share).plain()
    return document(request, said, status=202, headers={"Retry-After": str(AGAIN_SECONDS)})


@contextmanager
def _filters_refused() -> Iterator[None]:
    """What the filters name that the study lacks is a fault of the address."""
    try:
        yield
    except SelectionError as error:
        raise Refused(422, str(error)) from None
