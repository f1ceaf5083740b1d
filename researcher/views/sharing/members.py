"""The members of a study, who has which role, and invitations: each has a link, which is shown once."""

import logging
from smtplib import SMTPException

from allauth.core.ratelimit import consume
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from redis.exceptions import RedisError

from accounts.adapters import let_make_account
from accounts.models import User
from annotation.access.matrix import RIGHTS, Right, Role
from annotation.access.members import (
    GOOD_FOR,
    InvitationOver,
    MembershipRefused,
    accept,
    find_invitation,
    find_member,
    find_user,
    give,
    invite,
    take,
    withdraw,
)
from annotation.access.visible import members_of, owners_of, studies_for
from annotation.models import Invitation, Study
from researcher.forms import InviteForm, MemberForm
from researcher.views.study_of import get_study_or_404, may, study_post, user_of

log = logging.getLogger(__name__)

# In the session of whoever has invited somebody, until the page that shows the link has come.
SHOWN_ONCE = "link_of_an_invitation"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """GET lists them, for whoever sees the study; POST gives a role, in the place of the one before."""
    is_sent = request.method == "POST"
    study = get_study_or_404(request, slug, Right.OWN if is_sent else Right.SEE)
    form = MemberForm(request.POST if is_sent else None)
    if is_sent and form.is_valid():
        name, role = form.cleaned_data["user"], Role(form.cleaned_data["role"])
        try:
            give(study, find_user(name), role)
        except MembershipRefused as refused:
            form.add_error("user", str(refused))
        else:
            messages.success(request, f"{name} is now {role} of {study.title}.")
            return _back(request, study)
    return page_of_members(request, study, giving=form)


def page_of_members(
    request: HttpRequest, study: Study, *, giving: MemberForm | None = None, inviting: InviteForm | None = None
) -> HttpResponse:
    """With the faults of a form that was sent and is not right."""
    owners = owners_of(study)
    waiting = study.invitations.waiting(timezone.now()).select_related("by").order_by("address")
    accepted = study.invitations.exclude(accepted_at=None) if may(request, Right.OWN) else study.invitations.none()
    sent_to = dict(accepted.order_by("accepted_at").values_list("accepted_by", "address"))
    given, asked = giving or MemberForm(), inviting or InviteForm()
    context = {
        "study": study,
        "members": [(one, sent_to.get(one.user_id, "")) for one in members_of(study)],
        "only_owner": owners[0] if len(owners) == 1 else "",
        "rights": RIGHTS.values(),
        "roles": list(Role),
        "form": given,
        "inviting": asked,
        "invitations": waiting if may(request, Right.OWN) else [],
        "shown_once": _shown_once(request, study),
        "sends_mail": settings.SENDS_MAIL,
    }
    status = 422 if given.is_bound or asked.is_bound else 200
    return render(request, "researcher/sharing/members.html", context, status=status)


def _shown_once(request: HttpRequest, study: Study) -> dict[str, str] | None:
    """The link of the invitation that was just made here; the next time it is gone."""
    kept: dict[str, str] = request.session.get(SHOWN_ONCE, {})
    if kept.get("study") != study.slug:
        return None
    del request.session[SHOWN_ONCE]
    return kept


@study_post(Right.OWN)
def remove(request: HttpRequest, study: Study) -> HttpResponse:
    name = request.POST.get("user", "")
    try:
        take(study, find_member(study, name))
    except MembershipRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{name} removed from {study.title}.")
    return _back(request, study)


def _back(request: HttpRequest, study: Study) -> HttpResponse:
    """To the members; whoever took their own role finds them no more."""
    if studies_for(request.user, Right.SEE).filter(pk=study.pk).exists():
        return redirect("members", study.slug)
    return redirect("studies")


@never_cache
@study_post(Right.OWN)
def send_invitation(request: HttpRequest, study: Study) -> HttpResponse:
    """Make the invitation, mail it where mail is configured, and show its link on the page that comes next."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return page_of_members(request, study, inviting=form)
    address, role = form.cleaned_data["address"], Role(form.cleaned_data["role"])
    if fault := _too_many(request):
        form.add_error(None, fault)
        return page_of_members(request, study, inviting=form)
    made, token = invite(study, address, role, by=user_of(request))
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    request.session[SHOWN_ONCE] = {"study": study.slug, "address": made.address, "link": link}
    if not settings.SENDS_MAIL:
        messages.success(request, f"{made.address} invited as {role}. Send them the link below.")
    elif _mailed(made, link):
        messages.success(request, f"{made.address} invited as {role}. The link was emailed.")
    else:
        messages.error(request, f"{made.address} invited as {role}, but the email failed. Send them the link below.")
    return redirect("members", study.slug)


def _too_many(request: HttpRequest) -> str:
    """Why no mail is sent to another address today, or nothing. A link that is not mailed is not counted."""
    if not settings.SENDS_MAIL or user_of(request).is_superuser:
        return ""
    try:
        if consume(request, action="invite"):
            return ""
    except RedisError as error:
        log.warning("Invitations cannot be counted: %s", error)
        return "No invitation was sent, because invitations cannot be counted right now. Try again in a minute."
    return f"You have sent {settings.INVITATIONS_PER_DAY} invitations within a day. Send more tomorrow."


def _mailed(made: Invitation, link: str) -> bool:
    about = {"invitation": made, "link": link, "days": GOOD_FOR.days}
    text = render_to_string("researcher/sharing/invitation_mail.txt", about)
    try:
        send_mail("[Parallax] Invitation to a study", text, None, [made.address])
    except (OSError, SMTPException) as error:
        log.warning("An invitation was not mailed: %s", error)
        return False
    return True


@study_post(Right.OWN)
def take_back(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    try:
        messages.success(request, f"Invitation of {withdraw(study, pk).address} withdrawn.")
    except InvitationOver as over:
        messages.error(request, str(over))
    return redirect("members", study.slug)


@never_cache
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """GET says who asks whom into what; POST accepts it, for whoever is logged in."""
    try:
        asked = find_invitation(token)
        if request.method == "POST":
            if not isinstance(request.user, User):
                return redirect_to_login(request.path)
            joined = accept(token, request.user)
            messages.success(request, f"You joined {asked.study.title} as {joined.role}.")
            return redirect("study", asked.study.slug)
    except InvitationOver as over:
        return render(request, "researcher/sharing/invitation_over.html", {"why": str(over)}, status=410)
    if not request.user.is_authenticated:
        let_make_account(request)
    own = getattr(request.user, "email", "")
    context = {"invitation": asked, "for_another": bool(own) and own.lower() != asked.address}
    return render(request, "researcher/sharing/invitation.html", context)
