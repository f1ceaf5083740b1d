"""Results of a study: people beside models, part by part, and the page of one item."""

import random
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.access.matrix import Right
from annotation.models import Item, Study
from annotation.views.wording import stimulus
from comparison.exported import read_report
from comparison.exports.registry import FILES, wanted
from comparison.figures.file import File
from comparison.figures.registry import checks
from comparison.frame.cache.computing import LARGE
from comparison.frame.cache.gathered import Gathered, read_one
from comparison.frame.filters.address import SelectionError, not_understood
from comparison.page.item.page import read_item_page
from comparison.page.left_out import unfinished
from comparison.page.page import Page
from comparison.statistics.aggregation import KINDS
from comparison.tasks import AGGREGATE
from researcher.studies.current_figures import Shown, read_shown_part
from researcher.views.study_of import everything_of, get_item_or_404, may, selection_of, study_page, study_post
from scoring.library.language import foreign
from work.errands import ask
from work.queue import QueueSilent

# What the results are read in, each at its own address; the first at the study's results themselves.
PARTS = {
    "overview": "Overview",
    "people": "People",
    "models": "Models",
    "items": "Items",
    "breakdown": "Breakdown",
    "export": "Export",
}


@study_page(Right.SEE)
def results(request: HttpRequest, study: Study, part: str = "overview") -> HttpResponse:
    if part not in titles():
        raise Http404(f"Results have no part {part!r}. Available: {', '.join(titles())}.")
    check = check_asked(request, part)
    if check:
        return redirect(with_query(part_address(study.slug, check), request))
    gathered = read_one(study)
    shown, fault = read_asked(request, study, part, gathered)
    context = part_context(request, study, shown, gathered, part)
    context |= {"fault": fault, "not_understood": not_understood(dict(request.GET.lists()))}
    if part == "export":
        context |= {"report": read_report(study, gathered), "files": wanted(_files(request, study))}
    return render(request, template_of(part, shown), context, status=400 if fault else 200)


def titles() -> dict[str, str]:
    """Of all pages of the results, by what their addresses have: the parts, and the checks of Models."""
    return PARTS | {figure.key: figure.title for figure in checks()}


def check_asked(request: HttpRequest, part: str) -> str:
    """The check that an address asks Models to unfold, as it did before each had a page; empty of any other."""
    opened = request.GET.getlist("open") if part == "models" else []
    return opened[0] if len(opened) == 1 and opened[0] in titles().keys() - PARTS.keys() else ""


def with_query(address: str, request: HttpRequest) -> str:
    """With what else the address asks for."""
    kept = request.GET.copy()
    kept.pop("open", None)
    return f"{address}{'?' if kept else ''}{kept.urlencode()}"


def template_of(part: str, shown: Shown[Page]) -> str:
    if shown.found is None:
        return "comparison/computing.html"
    return f"comparison/{part if part in PARTS else 'check'}.html"


def read_asked(
    request: HttpRequest, study: Study, part: str, gathered: Gathered | None = None
) -> tuple[Shown[Page], str]:
    """As the address asks; where it asks for what is not there, the part without any choice, and what is wrong."""
    try:
        return read_shown_part(study, selection_of(request), part, gathered=gathered), ""
    except SelectionError as error:
        return read_shown_part(study, everything_of(request), part, gathered=gathered), str(error)


def _files(request: HttpRequest, study: Study) -> list[tuple[File, str]]:
    """The downloads that the reader may have, with what each holds."""
    names = may(request, Right.IDENTIFY)
    hidden = not names or study.people.are_synthetic
    return [
        (one, one.words(study.people, anonymous=not names))
        for one in FILES.values()
        if not (one.names_people and hidden)
    ]


def part_context(
    request: HttpRequest, study: Study, shown: Shown[Page], gathered: Gathered, part: str
) -> dict[str, Any]:
    """What the templates of a part show, whoever reads it."""
    return {
        "study": study,
        "gathered": gathered,
        "shown": shown,
        "page": shown.found,
        "kinds": KINDS,
        "part": part,
        "part_title": titles()[part],
        "folds": shown.found.folds if shown.found else (),
        "unfinished": list(unfinished(gathered.runs)),
        "foreign": foreign(study.stimuli_speak, [run.model for run in gathered.runs]),
        "opened": request.GET.getlist("open"),
        "items_address": part_address(study.slug, "items"),
        "parts": part_addresses(study.slug),
        "checks_in_rail": check_addresses(shown, lambda key: part_address(study.slug, key)),
    }


def check_addresses(shown: Shown[Page], address: Callable[[str], str]) -> list[tuple[str, str, str]]:
    """Each check of Models that has something to show, with its title and where it is; none on another part."""
    found = shown.found
    named = titles()
    if found is None or found.part not in {"models", *(named.keys() - PARTS.keys())}:
        return []
    return [(key, named[key], address(key)) for key in found.listed]


def part_addresses(slug: str) -> list[tuple[str, str, str]]:
    """Each part with its title and where it is."""
    return [(name, title, part_address(slug, name)) for name, title in PARTS.items()]


def part_address(slug: str, part: str) -> str:
    return reverse("results", args=[slug] if part == "overview" else [slug, part])


@study_post(Right.SEE)
def aggregations(request: HttpRequest, study: Study) -> HttpResponse:
    """Have every way to aggregate computed, for the filters of the address; it takes too long for a page."""
    query = request.GET.urlencode()
    try:
        ask(AGGREGATE, study.pk, query, study=study.pk, is_large=read_one(study).answers > LARGE)
    except QueueSilent as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Aggregation started. Reload this page in a moment.")
    return redirect(f"{part_address(study.slug, 'people')}{'?' if query else ''}{query}#aggregations")


def as_read(study: Study, one: Item) -> dict[str, Any]:
    """The item as people see it. Options that are its own stand in one of their orders, always the same."""
    shown = study.task.page_context(one.content, study.task.present(one.content, random.Random(0)))
    options = [label.text for label in shown["options"]] if study.task.options_from == "item" else []
    return {"stimulus": stimulus(study, shown), "options": options}


@study_page(Right.SEE)
def item(request: HttpRequest, study: Study, external_id: str) -> HttpResponse:
    one = get_item_or_404(study, external_id)
    fault, status, tokens = "", 200, request.GET.get("tokens", "")
    try:
        page = read_item_page(study, one, selection_of(request), tokens=tokens, listed="page" in request.GET)
    except SelectionError as error:
        # The list that the address is of cannot be: say so, and show the item by itself.
        fault, status = str(error), 400
        page = read_item_page(study, one, everything_of(request), tokens=tokens)
    context = {
        "study": study,
        "item": one,
        "was_shown": one.was_shown(),
        **as_read(study, one),
        "detail": page.detail,
        "page": page,
        "fault": fault,
        "not_understood": not_understood(dict(request.GET.lists())),
        "items_address": part_address(study.slug, "items"),
    }
    return render(request, "comparison/item.html", context, status=status)
