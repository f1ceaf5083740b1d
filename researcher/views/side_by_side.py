"""Two runs of a study side by side, and two studies."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from annotation.access.visible import rights_in, studies_for
from annotation.models import Study
from comparison.exports.cells import lines as csv_lines
from comparison.frame.filters.address import LONGEST_PAGE, not_understood
from researcher.library.board import titles_of
from researcher.library.same_items import Studies, figure_lines, lines, read_shared, same_labels
from researcher.library.two_studies import read_together, read_two_studies
from researcher.studies.run_page import compare_origins
from researcher.views.comparison import part_address, part_addresses, read_asked
from researcher.views.sent import as_file, record_sent
from researcher.views.study_of import study_page
from scoring.models import Run

COMPUTED = "The comparison of two runs"


@study_page(Right.SEE)
def two_runs(request: HttpRequest, study: Study) -> HttpResponse:
    """`run` and `beside` are of this study; without them the nearest, and the best baseline or the next nearest."""
    runs = {str(run.pk): run for run in Run.objects.filter(study=study).select_related("model__training", "study")}
    for name in ("run", "beside"):
        if request.GET.get(name, "") not in ("", *runs):
            raise Http404(f"This study has no run {name}.")
    shown, fault = read_asked(request, study, "beside")
    status = 400 if fault else 200
    context = {"study": study, "shown": shown, "page": shown.found, "fault": fault, "parts": part_addresses(study.slug)}
    context["not_understood"] = not_understood(dict(request.GET.lists()))
    if shown.found is None:
        return render(request, "comparison/computing.html", context | {"part_title": COMPUTED}, status=status)
    chosen = shown.found.selection
    if chosen.run in runs and chosen.beside in runs:
        context["made"] = compare_origins(runs[chosen.run], runs[chosen.beside])
    context["kept"] = [(name, value) for name, value in request.GET.items() if name not in ("run", "beside")]
    context["items_address"] = part_address(study.slug, "items")
    return render(request, "comparison/two_runs.html", context, status=status)


@never_cache
@require_safe
def two_studies(request: HttpRequest) -> HttpResponse:
    """`a` and `b` are slugs; with one of them missing there is only the form."""
    studies = {study.slug: study for study in studies_for(request.user, Right.SEE).order_by("title")}
    slugs = [request.GET.get(name, "") for name in ("a", "b")]
    if any(slug not in ("", *studies) for slug in slugs):
        raise Http404("There is no such study.")
    is_pair = all(slugs) and slugs[0] != slugs[1]
    found = read_two_studies(studies[slugs[0]], studies[slugs[1]]) if is_pair else None
    context: dict[str, Any] = {"studies": titles_of(studies.values()), "a": slugs[0], "b": slugs[1], "found": found}
    if found is not None:
        context["may_score"] = Right.SCORE in rights_in(found.sides[0].study, request.user)
    if found is not None and found.people:
        both = studies[slugs[0]], studies[slugs[1]]
        context |= {"shared": read_shared(both, page=_page(request)), "same_labels": same_labels(both)}
        context["together"] = read_together(both, seen=studies_for(request.user, Right.SEE))
    return render(request, "researcher/library/two_studies.html", context)


@require_safe
def two_studies_file(request: HttpRequest, what: str) -> HttpResponseBase:
    """Item by item, the figures over the items that both have, or everybody's accuracy in each and in both together."""
    own = studies_for(request.user, Right.EXPORT)
    one, other = (get_object_or_404(own, slug=_plain(request.GET.get(name, ""))) for name in ("a", "b"))
    both = one, other
    if one == other or what not in ("items", "figures", "accuracy"):
        raise Http404("Two different studies have three files: items, figures and accuracy.")
    rows = _rows(both, what, studies_for(request.user, Right.SEE))
    if rows is None:
        raise Http404("Run manage.py two_studies to compute these figures. It needs two studies with the same labels.")
    for study in both:
        record_sent(request, study, f"beside another study: {what}.csv")
    return as_file(csv_lines(rows), f"{one.slug}-beside-{other.slug}-{what}.csv")


def _rows(both: Studies, what: str, seen: QuerySet[Study]) -> Iterable[Sequence[Any]] | None:
    if what == "items":
        return lines(both)
    if what == "figures":
        figures = read_shared(both, page=1).figures
        return None if figures is None else figure_lines(both, figures)
    together = read_together(both, seen=seen)
    return None if together is None else together.rows


def _page(request: HttpRequest) -> int:
    asked = _plain(request.GET.get("page", "")) or "1"
    if not (asked.isascii() and asked.isdigit() and len(asked) <= LONGEST_PAGE and int(asked)):
        raise Http404("The page must be a number from 1.")
    return int(asked)


def _plain(text: str) -> str:
    """What a database takes: no NUL."""
    return text if text.isprintable() else ""
