"""How many more items and labels a study needs: the form, and the studies drawn for what it asks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import Study
from comparison.frame.selected import select
from comparison.frame.selection import Selection
from comparison.page.page import SHOWN_NEXT
from comparison.page.planning import Known
from comparison.page.reading import read_ground, read_next_items, read_plans, read_stopping
from comparison.statistics.planning.drawing import Design

# What a page draws while a reader waits; the command takes more.
STUDIES = 200
MOST_ITEMS, MOST_LABELS = 10_000, 50


@require_safe
def planning(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_object_or_404(Study, slug=slug)
    chosen = select(study, Selection())
    ground = read_ground(chosen)
    asked, fault = _asked(request, study, ground)
    context = {
        "study": study,
        "ground": ground,
        "plans": read_plans(chosen, ground, asked, studies=STUDIES),
        "stopping": read_stopping(chosen),
        "waiting": read_next_items(chosen, most=SHOWN_NEXT),
        "items": request.GET.get("items", ""),
        "labels": request.GET.get("labels", study.labels_per_item),
        "most_items": MOST_ITEMS,
        "most_labels": MOST_LABELS,
        "fault": fault,
    }
    return render(request, "comparison/planning.html", context, status=400 if fault else 200)


def _asked(request: HttpRequest, study: Study, ground: Known) -> tuple[list[Design], str]:
    """This study's own design and the one that the address asks for; nothing is drawn until it asks."""
    if ground.here is None or not ("items" in request.GET or "labels" in request.GET):
        return [], ""
    own = Design(min(len(ground.here.counts), MOST_ITEMS), study.labels_per_item)
    items = _whole(request.GET.get("items", ""), own.items, MOST_ITEMS)
    labels = _whole(request.GET.get("labels", ""), own.labels, MOST_LABELS)
    if items is None or labels is None:
        return [], f"Items are a whole number from 1 to {MOST_ITEMS:,}, labels from 1 to {MOST_LABELS}."
    return list(dict.fromkeys([own, Design(items, labels)])), ""


def _whole(text: str, default: int, most: int) -> int | None:
    if not text:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most else None
