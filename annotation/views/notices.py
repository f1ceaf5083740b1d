"""Pages that say why there is no item here, and what to do."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop
from django.views.csrf import csrf_failure

from annotation.arrival.framing import framed
from annotation.arrival.refusals import (
    AnnotatorExcluded,
    BadId,
    BegunElsewhere,
    CannotStart,
    CapReached,
    ItemsElsewhere,
    LinkFull,
    NoId,
    NothingLeft,
    NothingMore,
    StudyNotOpen,
    TakenPartBefore,
    TooManyAtOnce,
    UnfilledId,
    UnsignedId,
    WrongPopulation,
)
from annotation.arrival.way_back import WayBack, gives_code, of_sitting, way_back
from annotation.lifecycle.status import end_shut
from annotation.models import Sitting, Study, StudyLink
from annotation.views import showing
from annotation.views.requests import HtmxRequest, speaking_for

ASK = gettext_noop("If you think this is a mistake, please write to the person who sent you the link.")
LATER = gettext_noop("Please try again later, with the same link.")
MORE_LATER = gettext_noop("Items become available when other people leave. Please try again later, with the same link.")
SOON = gettext_noop("Please open the same link again in a few minutes.")
NOTHING_MORE = gettext_noop("There is nothing more to do.")
NOWHERE = WayBack()
# For each reason: heading, status, and what to do.
REASONS: dict[type[CannotStart], tuple[str, int, str]] = {
    StudyNotOpen: (gettext_noop("Not open"), 403, LATER),
    NothingLeft: (gettext_noop("No items right now"), 409, MORE_LATER),
    NothingMore: (gettext_noop("No more items"), 409, NOTHING_MORE),
    CapReached: (gettext_noop("You have finished"), 403, NOTHING_MORE),
    AnnotatorExcluded: (gettext_noop("No more items for you"), 403, ASK),
    WrongPopulation: (gettext_noop("Not open to you"), 403, ASK),
    TakenPartBefore: (gettext_noop("You cannot take part in this study"), 403, ASK),
    LinkFull: (gettext_noop("This study is full"), 403, NOTHING_MORE),
    TooManyAtOnce: (gettext_noop("Please try again soon"), 429, SOON),
    ItemsElsewhere: (gettext_noop("Please try again soon"), 429, SOON),
    BegunElsewhere: (
        gettext_noop("Started in another browser"),
        403,
        gettext_noop(
            "If you no longer have that browser, please write to the person who sent you the link. They can let you "
            "continue here."
        ),
    ),
    NoId: (gettext_noop("Your ID is missing"), 400, ASK),
    UnfilledId: (gettext_noop("Your ID is missing"), 400, ASK),
    BadId: (gettext_noop("We cannot read your ID"), 400, ASK),
    UnsignedId: (gettext_noop("This link is not complete"), 403, ASK),
}


def refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW. Researchers get Django's own, in our template."""
    found = _place(request)
    if found is None:
        return csrf_failure(request, reason)
    study, again = found
    with speaking_for(study):
        page = notice(
            request,
            heading=gettext("This page needs cookies"),
            sentence=gettext(
                "Your browser did not return this page’s cookie: it blocks cookies here, or the page was open too "
                "long. What you just sent was not saved."
            ),
            hint=gettext(
                "Please allow cookies for this site, or open your link in another browser. Then open the page again."
            ),
            status=403,
            again=again,
            back=way_back(study, None),
        )
        return framed(page, study)


def _place(request: HttpRequest) -> tuple[Study, str] | None:
    """The study whose page it was, and where that is."""
    match = request.resolver_match
    if match is None or "token" not in match.kwargs:
        return None
    token = match.kwargs["token"]
    if match.view_name == "welcome":
        link = StudyLink.objects.select_related("study").filter(token=token).first()
        return (link.study, request.get_full_path()) if link else None
    if match.view_name in ("item", "back", "report_problem"):
        sitting = Sitting.objects.select_related("study").filter(token=token).first()
        return (sitting.study, sitting.get_absolute_url()) if sitting else None
    return None


def notice(
    request: HttpRequest,
    *,
    heading: str,
    sentence: str,
    status: int,
    hint: str = "",
    sitting: Sitting | None = None,
    again: str = "",
    back: WayBack = NOWHERE,
    study: Study | None = None,
) -> HttpResponse:
    """A page with one thing to say, under the title of the `study` where it is of one.

    `sitting` is offered to go on with or to see again, `again` is a page to reopen. One whose code stands on the page
    already is not offered.
    """
    if sitting is not None and sitting.is_over and back.code and back.code == of_sitting(sitting).code:
        sitting = None
    context = {
        "heading": heading,
        "sentence": sentence,
        "hint": hint,
        "sitting": sitting,
        "gives_code": sitting is not None and gives_code(sitting.study),
        "again": again,
        "back": back,
        "study": study,
    }
    return render(request, "annotation/notice.html", context, status=status)


def unknown_address(request: HttpRequest) -> HttpResponse:
    return notice(
        request,
        heading=gettext("Nothing at this address"),
        sentence=gettext("This address does not lead to a study. Part of it may be missing."),
        hint=gettext("Please copy the whole link that you were given, and open it again."),
        status=404,
    )


def expired_link(request: HttpRequest, back: WayBack, sitting: Sitting | None) -> HttpResponse:
    return notice(
        request,
        heading=gettext("This link has expired"),
        sentence=gettext("You can no longer start with this link."),
        hint=gettext("Please ask the person who sent it for a new one."),
        status=410,
        sitting=sitting,
        back=back,
    )


def not_this_browser(request: HttpRequest, back: WayBack) -> HttpResponse:
    """For a sitting's own address in a browser that does not hold it. It may be anybody's, so it says nothing of it:
    `back` only leads to the platform's own pages.
    """
    return notice(
        request,
        heading=gettext("Not in this browser"),
        sentence=gettext("This address works only in the browser you started in."),
        hint=gettext("If it is yours, please open the link you were given in the browser you used before."),
        status=403,
        back=back,
    )


def erased(request: HttpRequest, back: WayBack) -> HttpResponse:
    """For whoever has asked for it, and nothing of what they had done."""
    return notice(
        request,
        heading=gettext("You have withdrawn"),
        sentence=gettext("As you asked, we deleted the data that could identify you."),
        hint=gettext(NOTHING_MORE),
        status=410,
        back=back,
    )


def cannot_start(
    request: HttpRequest, study: Study, reason: CannotStart, back: WayBack, sitting: Sitting | None = None
) -> HttpResponse:
    heading, status, hint = REASONS[type(reason)]
    if hint in (LATER, MORE_LATER) and back != NOWHERE:
        # Who hands in a code, or goes back, has come to their end: coming again would contradict it.
        hint = ""
    words = gettext(hint) if hint else ""
    if hint == SOON and reason.outcome is not None and back != NOWHERE:
        words += " " + gettext("If you would rather not wait, you can leave the study here:")
    return notice(
        request,
        heading=gettext(heading),
        sentence=str(reason),
        hint=words,
        status=status,
        sitting=sitting,
        back=back,
        study=study,
    )


def study_shut(request: HttpRequest, study: Study, back: WayBack) -> HttpResponse:
    """For someone who has not begun."""
    if study.state == Study.State.DRAFT:
        return notice(
            request,
            heading=gettext("Not open yet"),
            sentence=gettext("This study has not opened yet."),
            hint=gettext(LATER),
            status=403,
            back=back,
            study=study,
        )
    return notice(
        request,
        heading=gettext("This study has closed"),
        sentence=gettext("This study has closed and takes no more answers."),
        hint=gettext("There is nothing to do here. Thank you for coming."),
        status=410,
        back=back,
        study=study,
    )


def closed_midway(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    """The study closed before the sitting was done. Whoever is told so, and given a code for it, has ended so."""
    if not end_shut(sitting):
        return HttpResponseRedirect(sitting.get_absolute_url(), status=303)
    return showing.show_done(request, sitting)
