"""The preview: a walk through the participant's own pages, marked as such, of which nothing is stored.

What is pressed there is done by the participant's flows in a sitting that is gone with the reply, and leads to the
page that would come next.
"""

import re
from html import unescape

from django.contrib.messages import get_messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache

from annotation.access.matrix import Right
from annotation.models import Study
from annotation.stages.preview import token_of
from annotation.views.requests import HtmxRequest, speaking_for
from researcher.setup.checklist import keep_preview
from researcher.setup.preview import AGAIN, FIRST, ITEMS, LAST_PAGE, aside_of, walk_of
from researcher.views.setup.parts import shared
from researcher.views.setup.previewed import Went, page_of_step, went
from researcher.views.study_of import study_form, study_page

# The button on a last page, and where it leads.
WAY_BACK = re.compile(r'(<a class="button action" href=")([^"]*)(" rel="noopener noreferrer">)')
HOUR = "3600"


@never_cache
@study_page(Right.EDIT)
def preview(request: HtmxRequest, study: Study) -> HttpResponse:
    context = shared(study) | {"part": "preview", "walk": list(walk_of(study).items())}
    return render(request, "researcher/setup/preview.html", context | {"aside": list(aside_of(study).items())})


@study_form(Right.EDIT)
def preview_page(request: HtmxRequest, study: Study, step: str) -> HttpResponse:
    """GET shows the page; POST leads to the one that would follow."""
    walk, aside = walk_of(study), aside_of(study)
    if step not in walk | aside:
        raise Http404("This study has no such page.")
    if request.POST.get("stage") == "still_here":
        return HttpResponse(status=204, headers={"Lease-Seconds": HOUR})
    with speaking_for(study):
        if request.method == "POST":
            page = went(request, study, step)
            if isinstance(page, Went):
                if step in ITEMS:
                    keep_preview(study)
                return _lead(request, study, page.to or _after(list(walk), step), page.answer)
        else:
            page = page_of_step(request, study, step)
            if step == LAST_PAGE:
                keep_preview(study)
    return _marked(request, page, study, step, walk, aside)


@study_form(Right.EDIT)
def beside(request: HtmxRequest, study: Study, step: str, what: str) -> HttpResponse:
    """What a sitting has besides its page: the way back by one item, and a report, which goes nowhere."""
    walk = list(walk_of(study))
    return _lead(request, study, _before(walk, step) if what == "back" else step)


def _lead(request: HtmxRequest, study: Study, step: str, answer: str = "") -> HttpResponse:
    address = reverse("setup_preview_at", args=[study.slug, step]) + (f"?answer={answer}" if answer else "")
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address, status=303)


def _after(walk: list[str], step: str) -> str:
    here = "comprehension" if step == AGAIN else step
    return walk[min(walk.index(here) + 1, len(walk) - 1)] if here in walk else FIRST


def _before(walk: list[str], step: str) -> str:
    here = "comprehension" if step == AGAIN else step
    return walk[max(walk.index(here) - 1, 0)] if here in walk else FIRST


def _marked(
    request: HtmxRequest, page: HttpResponse, study: Study, step: str, walk: dict[str, str], aside: dict[str, str]
) -> HttpResponse:
    """With a bar above it, and with what leads to a sitting, or away, leading nowhere but to the preview."""
    text = page.content.decode()
    here = reverse("setup_preview_at", args=[study.slug, step])
    text = text.replace(reverse("item", args=[token_of(study)]), here)
    leads = WAY_BACK.search(text)
    text = WAY_BACK.sub(r"\1#preview\3", text)
    names = list(walk)
    bar = render_to_string(
        "researcher/setup/preview_bar.html",
        {
            "study": study,
            "step": step,
            "called": walk[step] if step in walk else aside[step],
            "before": _before(names, step) if step != FIRST and step in walk else "",
            "after": _after(names, step) if step in walk and step != names[-1] else "",
            "leads": unescape(leads[2]) if leads else "",
            # “Save and continue” may lead here: said now, and not on whatever page of the site comes next.
            "messages": get_messages(request),
        },
    )
    style = render_to_string("researcher/setup/preview_style.html")
    text = text.replace("<title>", "<title>PREVIEW · ", 1).replace("</head>", f"{style}</head>", 1)
    response = HttpResponse(text.replace('<body class="annotator">', f'<body class="annotator">{bar}', 1))
    response.status_code = page.status_code if request.method == "POST" else 200
    return response
