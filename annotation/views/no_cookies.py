"""Forms that come without the cookie that proves where they are from: said on annotators' pages as all else there."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.csrf import csrf_failure

from annotation.arrival.framing import framed
from annotation.models import Sitting, Study, StudyLink
from annotation.views import notices
from annotation.views.speaking import speaking_for
from annotation.way_back import way_back


def refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW. Researchers get Django's own, in our template."""
    found = _place(request)
    if found is None:
        return csrf_failure(request, reason)
    study, again = found
    with speaking_for(study):
        page = notices.notice(
            request,
            heading=gettext("This page needs cookies"),
            sentence=gettext(
                "Your browser did not send back the cookie of this page: it keeps no cookies here, or the page was "
                "open for too long. What you have just sent was not saved."
            ),
            hint=gettext(
                "Please allow cookies for this site, or open your link in another browser, and then open the page "
                "again."
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
