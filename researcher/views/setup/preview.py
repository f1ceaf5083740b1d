"""The participant's pages as they are, each by itself: nothing in them can be pressed, and nothing is stored."""

from copy import copy

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.arrival.refusals import CannotStart
from annotation.models import Sitting, Study
from annotation.models.sitting import HOLDING, SittingStage
from annotation.stages.preview import link_of, sitting_at
from annotation.views import place, showing
from annotation.views.htmx import HtmxRequest
from annotation.views.welcome import welcome
from researcher.setup.parts import OF_PATH, OF_STUDY
from researcher.setup.preview import FIRST, stages_of
from researcher.views.setup.parts import found

# In a frame of ours and nowhere else; without scripts, forms or a way out of the frame.
POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'self'; form-action 'none'; sandbox"


@never_cache
@require_safe
def preview(request: HtmxRequest, slug: str, stage: str = FIRST) -> HttpResponse:
    study = found(request, slug)
    stages = stages_of(study)
    if stage not in stages:
        raise Http404("This study has no such page.")
    pages = list(stages.items())
    here = list(stages).index(stage)
    context = {
        "study": study,
        "of_path": OF_PATH,
        "of_study": OF_STUDY,
        "part": "preview",
        "stages": pages,
        "stage": stage,
        "called": stages[stage],
        "before": pages[here - 1] if here else None,
        "after": pages[here + 1] if here + 1 < len(pages) else None,
    }
    return render(request, "researcher/setup/preview.html", context)


@never_cache
@require_safe
def preview_page(request: HtmxRequest, slug: str, stage: str) -> HttpResponse:
    """What stands in the frame."""
    study = found(request, slug)
    if stage not in stages_of(study):
        raise Http404("This study has no such page.")
    # As somebody who has never been here.
    visit = copy(request)
    visit.COOKIES = {}
    try:
        response = _first(visit, study) if stage == FIRST else _page(visit, study, SittingStage(stage))
    except CannotStart as reason:
        response = render(request, "researcher/setup/preview_none.html", {"reason": reason})
    response.cookies.clear()
    del response["Refresh"]
    response["X-Frame-Options"] = "SAMEORIGIN"
    response["Content-Security-Policy"] = POLICY
    return response


def _first(request: HtmxRequest, study: Study) -> HttpResponse:
    with link_of(study) as link:
        return welcome(request, link.token)


def _page(request: HtmxRequest, study: Study, stage: SittingStage) -> HttpResponse:
    with sitting_at(study, stage) as sitting:
        if stage == SittingStage.END:
            return showing.show_done(request, sitting)
        if stage in HOLDING:
            return _item(request, sitting)
        response: HttpResponse = place.PAGES[stage].show(request, sitting)
        return response


def _item(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    """The first of its stage."""
    behind = 0 if sitting.stage == SittingStage.PRACTICE else sitting.practice_items
    assignment = sitting.assignments.filter(position__gt=behind).select_related("item").first()
    assert assignment is not None, "a sitting with items has one of each stage that the study has"
    return showing.show(request, sitting, assignment)
