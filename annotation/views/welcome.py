"""The study's first page: what it is about, what to expect, and the button that starts a sitting."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.assignment import CannotStart, start
from annotation.models import Item, Sitting, Study, StudyLink
from annotation.views import notices
from annotation.views.identity import BadIdentity, Identity, identify
from annotation.views.instructions import paragraphs


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows the instructions and stores nothing; POST starts or resumes the visitor's sitting."""
    link = StudyLink.objects.select_related("study").filter(token=token).first()
    if link is None:
        return notices.unknown_address(request)
    study = link.study
    try:
        identity = identify(request, study)
    except BadIdentity as error:
        return notices.notice(request, heading="Your id is missing", sentence=str(error), hint=notices.ASK, status=400)
    last = _last_sitting(study, identity)
    if link.has_expired(timezone.now()):
        return notices.expired_link(request, last)
    if study.state != Study.State.OPEN:
        # Someone who had begun gets the page that says what was saved, and their code.
        return HttpResponseRedirect(last.get_absolute_url(), status=303) if last else notices.study_shut(request, study)
    response = _begin(request, study, identity) if request.method == "POST" else _show(request, study, last)
    identity.remember(response)
    return response


def _last_sitting(study: Study, identity: Identity) -> Sitting | None:
    annotator = identity.known()
    return study.sittings.filter(annotator=annotator).order_by("-started_at").first() if annotator else None


def _begin(request: HttpRequest, study: Study, identity: Identity) -> HttpResponse:
    annotator = identity.annotator()
    try:
        sitting = start(study, annotator)
    except CannotStart as reason:
        return notices.cannot_start(request, reason, _last_sitting(study, identity))
    return HttpResponseRedirect(sitting.get_absolute_url(), status=303)


def _show(request: HttpRequest, study: Study, last: Sitting | None) -> HttpResponse:
    unfinished = last if last is not None and not last.is_over else None
    context = {
        "study": study,
        "instructions": paragraphs(study.instructions),
        "most_items": _most_items(study),
        "keys": [label.key for label in study.task.scale.labels],
        "unfinished": unfinished,
        "progress": unfinished.progress() if unfinished else None,
        "finished": last if last is not None and last.is_over else None,
    }
    return render(request, "annotation/welcome.html", context)


def _most_items(study: Study) -> int:
    """How long a sitting can be; shorter where the study has fewer items left."""
    practice = study.items.filter(kind=Item.Kind.PRACTICE).count()
    return study.sitting_length + study.gold_per_sitting + study.attention_per_sitting + practice
