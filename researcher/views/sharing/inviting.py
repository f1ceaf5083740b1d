"""Inviting somebody into a study, taking it back, and what the invited does with the link."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.adapters import let_make_account
from accounts.models import User
from annotation.access.inviting import GOOD_FOR, InvitationOver, accept, find_invitation, invite, withdraw
from annotation.access.matrix import Right, Role
from annotation.models import Invitation
from researcher.forms import InviteForm
from researcher.views.found import found
from researcher.views.sharing.members import SHOWN_ONCE, page_of_members

log = logging.getLogger(__name__)


@never_cache
@require_POST
def send(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the invitation, mail it where mail is configured, and show its link on the page that comes next."""
    study = found(request, slug, Right.OWN)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return page_of_members(request, study, inviting=form)
    assert isinstance(request.user, User)
    address, role = form.cleaned_data["address"], Role(form.cleaned_data["role"])
    made, token = invite(study, address, role, by=request.user)
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    request.session[SHOWN_ONCE] = {"study": study.slug, "address": made.address, "link": link}
    if not settings.SENDS_MAIL:
        messages.success(request, f"{made.address} is invited as {role}. Send the link below: no mail is configured.")
    elif _mailed(made, link):
        messages.success(request, f"{made.address} is invited as {role}, and the link is mailed.")
    else:
        messages.error(request, f"{made.address} is invited as {role}, but mail does not work. Send the link below.")
    return redirect("members", study.slug)


def _mailed(made: Invitation, link: str) -> bool:
    about = {"invitation": made, "link": link, "days": GOOD_FOR.days}
    text = render_to_string("researcher/sharing/invitation_mail.txt", about)
    try:
        send_mail(f"[Parallax] {made.study.title}", text, None, [made.address])
    except (OSError, SMTPException) as error:
        log.warning("An invitation was not mailed: %s", error)
        return False
    return True


@require_POST
def take_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study = found(request, slug, Right.OWN)
    try:
        messages.success(request, f"The invitation of {withdraw(study, pk).address} is withdrawn.")
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
            messages.success(request, f"You are {joined.role} of {asked.study.title}.")
            return redirect("study", asked.study.slug)
    except InvitationOver as over:
        return render(request, "researcher/sharing/invitation_over.html", {"why": str(over)}, status=410)
    if not request.user.is_authenticated:
        let_make_account(request)
    own = getattr(request.user, "email", "")
    context = {"invitation": asked, "for_another": bool(own) and own.lower() != asked.address}
    return render(request, "researcher/sharing/invitation.html", context)
