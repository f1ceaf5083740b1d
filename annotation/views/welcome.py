"""The study's first page: what it is about, what to expect, and the button that starts a sitting."""

from contextlib import nullcontext

from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html_join
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.arrival.availability import refuse_in_vain
from annotation.arrival.framing import framed, framing_of, is_preview
from annotation.arrival.limits import count_refusal, counted_start, note_turned_away
from annotation.arrival.ownership import is_erased, may_have, take, was_holder
from annotation.arrival.refusals import BegunElsewhere, CannotStart
from annotation.arrival.visitor import Visitor, visitor_of
from annotation.arrival.way_back import gives_code, of_sitting, of_visitor, way_back
from annotation.assignment import start
from annotation.models import Item, Sitting, Study, StudyLink
from annotation.paying.money import pay_in_words
from annotation.platforms import Outcome
from annotation.stages.order import FOR_GOOD
from annotation.views import notices
from annotation.views.requests import speaking_for
from annotation.views.wording import rendered


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows what the study is and stores nothing; POST starts or resumes the visitor's sitting."""
    link = StudyLink.objects.select_related("study").filter(token=token).first()
    if link is None:
        return notices.unknown_address(request)
    with speaking_for(link.study):
        page = _preview if is_preview(link.study, request.GET) else _come
        return framed(page(request, link), link.study)


def _preview(request: HttpRequest, link: StudyLink) -> HttpResponse:
    """What the platform shows to those who have not accepted: nothing to press, and nothing is stored."""
    if link.study.state != Study.State.OPEN:
        return notices.study_shut(request, link.study, notices.NOWHERE)
    return show(request, link.study, None, is_preview=True)


def _come(request: HttpRequest, link: StudyLink) -> HttpResponse:
    try:
        visitor = visitor_of(request, link)
    except CannotStart as reason:
        note_turned_away(link, reason)
        return notices.cannot_start(request, link.study, reason, way_back(link.study, reason.outcome))
    last = visitor.last_sitting()
    if last is None or last.browser == visitor.browser.key:
        response = _answer(request, visitor, last)
    elif is_erased(last) and was_holder(request, last):
        # Its own row has no id any more, which the way back may need; the address that they came by has.
        response = notices.erased(request, of_sitting(last, given_id=visitor.external_id))
    elif may_have(visitor, last):
        response = _take(request, visitor, last)
    else:
        response = _turn_away(request, visitor, BegunElsewhere())
    visitor.browser.remember(response)
    return response


def _take(request: HttpRequest, visitor: Visitor, last: Sitting) -> HttpResponse:
    """A step of its own, by POST: whoever only opens the link, such as a program that previews it, takes nothing."""
    if request.method != "POST":
        return render(request, "annotation/take.html", {"study": visitor.link.study, "is_over": last.is_over})
    try:
        take(visitor, last.annotator)
    except BegunElsewhere as reason:
        return _turn_away(request, visitor, reason)
    return HttpResponseRedirect(request.get_full_path(), status=303)


def _answer(request: HttpRequest, visitor: Visitor, last: Sitting | None) -> HttpResponse:
    """`last` is the visitor's latest sitting, which is theirs."""
    link, study = visitor.link, visitor.link.study
    if link.has_expired(timezone.now()):
        goes_on = last is not None and not last.is_over
        return notices.expired_link(
            request, notices.NOWHERE if goes_on else of_visitor(visitor, Outcome.TOO_LATE, last), last
        )
    if study.state != Study.State.OPEN:
        # Someone who had begun gets the page that says what was saved, and their code.
        if last:
            return HttpResponseRedirect(last.get_absolute_url(), status=303)
        outcome = Outcome.TOO_LATE if study.has_opened else None
        return notices.study_shut(request, study, of_visitor(visitor, outcome, None))
    if last is not None and (last.outcome in FOR_GOOD or _was_told(visitor, last)):
        return HttpResponseRedirect(last.get_absolute_url(), status=303)
    if request.method == "POST":
        return _begin(request, visitor, last)
    try:
        if last is None or last.is_over:
            refuse_in_vain(visitor, last)
    except CannotStart as reason:
        return _turn_away(request, visitor, reason, last)
    return show(request, study, last)


def _was_told(visitor: Visitor, last: Sitting) -> bool:
    """Whether this visit has ended with items undone: the platform takes one code of a visit, and they have it."""
    in_this_visit = bool(last.platform_session) and last.platform_session == visitor.platform_session
    return in_this_visit and last.is_over and last.outcome not in (Outcome.COMPLETED, Outcome.FAILED_CHECKS)


def _begin(request: HttpRequest, visitor: Visitor, last: Sitting | None) -> HttpResponse:
    begins = last is None or last.is_over
    try:
        # The transaction, so that of an id that is turned away nothing is left.
        with counted_start(request, visitor.link) if begins else nullcontext(), transaction.atomic():
            sitting = start(visitor.link.study, visitor.annotator(), visitor=visitor)
    except CannotStart as reason:
        # Whoever came in between in another browser has it.
        return _turn_away(request, visitor, reason, None if isinstance(reason, BegunElsewhere) else last)
    return HttpResponseRedirect(sitting.get_absolute_url(), status=303)


def _turn_away(
    request: HttpRequest, visitor: Visitor, reason: CannotStart, last: Sitting | None = None
) -> HttpResponse:
    note_turned_away(visitor.link, reason)
    count_refusal(request, visitor.link)
    return notices.cannot_start(request, visitor.link.study, reason, of_visitor(visitor, reason.outcome, last), last)


def show(request: HttpRequest, study: Study, last: Sitting | None, *, is_preview: bool = False) -> HttpResponse:
    """The page itself; `last` is the visitor's latest sitting."""
    unfinished = last if last is not None and not last.is_over else None
    information = study.path.information
    asked = {
        Item.Kind.TARGET: study.sitting_length,
        Item.Kind.GOLD: study.gold_per_sitting,
        Item.Kind.ATTENTION: study.attention_per_sitting,
    }
    context = {
        "study": study,
        "is_preview": is_preview,
        "is_framed": framing_of(study) is not None,
        "information": information,
        "payment": pay_in_words(study),
        "about": rendered(information.text) if information else "",
        # Where they have a page of their own, they are read there.
        "instructions": "" if study.path.has_gate else rendered(study.instructions),
        "most_items": sum(study.items.filter(kind=kind).up_to(most) for kind, most in asked.items() if most),
        # All of them come in a batch.
        "practice": study.items.filter(kind=Item.Kind.PRACTICE).count(),
        # Asked of a person once, not in each of their sittings.
        "gate": study.path if last is None or last.stage == Sitting.Stage.CONSENT else None,
        "asks_about_them": bool(study.path.questionnaire) and not (last is not None and last.is_over),
        "keys": format_html_join(" ", "<kbd>{}</kbd>", ([label.key] for label in study.task.scale.labels)),
        "gives_code": gives_code(study),
        "leads_back": bool(study.addresses),
        "unfinished": unfinished,
        "progress": unfinished.progress() if unfinished and unfinished.stage == Sitting.Stage.ITEMS else None,
        "finished": last if last is not None and last.is_over else None,
    }
    return render(request, "annotation/welcome.html", context)
