"""Asking somebody into a study by e-mail address: an invitation made, accepted once, or withdrawn.

Whoever has its link can accept it, with whatever account: to whom it was sent stands with it, for the owners to see.
"""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.access.joining import give
from annotation.access.matrix import Right, Role
from annotation.access.visible import rights_in
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Invitation, Membership, Study

GOOD_FOR = timedelta(days=14)


class InvitationOver(ValueError):
    """Why an invitation cannot be accepted. str() is a sentence."""


def invite(study: Study, address: str, role: Role, *, by: User) -> tuple[Invitation, str]:
    """The invitation and its token, which is kept nowhere. It takes the place of one that still waits."""
    token = secrets.token_urlsafe(24)
    address = address.strip().lower()
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        study.invitations.filter(address=address, accepted_at=None).delete()
        made = study.invitations.create(
            address=address, role=role.value, by=by, key=_key(token), expires_at=timezone.now() + GOOD_FOR
        )
        record(study, Deed.INVITED, by=by, facts={"role": role.value}, for_editors={"address": address})
    return made, token


def find_invitation(token: str) -> Invitation:
    """The one that still waits; InvitationOver, with what to do, for any other."""
    found = Invitation.objects.select_related("study", "by").filter(key=_key(token)).first()
    if found is None:
        raise InvitationOver("There is no such invitation. It may have been withdrawn, or a newer one has its place.")
    _refuse_over(found)
    return found


def accept(token: str, user: User) -> Membership:
    """The user has the role; InvitationOver where it cannot be accepted, also because they have a role already."""
    with transaction.atomic():
        found = Invitation.objects.select_for_update(of=("self",)).filter(pk=find_invitation(token).pk).first()
        if found is None:
            raise InvitationOver("The invitation has just been withdrawn.")
        _refuse_over(found)
        has = Membership.objects.filter(study=found.study, user=user).first()
        if has is not None:
            raise InvitationOver(
                f"You are {has.role} of {found.study.title} already. An owner can change that on its Members page."
            )
        made = give(found.study, user, Role(found.role))
        found.accepted_at, found.accepted_by = timezone.now(), user
        found.save(update_fields=["accepted_at", "accepted_by"])
    return made


def withdraw(study: Study, pk: int) -> Invitation:
    """InvitationOver where none of that number waits in the study."""
    with transaction.atomic():
        found = study.invitations.select_for_update().filter(pk=pk, accepted_at=None).first()
        if found is None:
            raise InvitationOver("That invitation has been accepted or withdrawn already.")
        record(study, Deed.INVITATION_WITHDRAWN, for_editors={"address": found.address})
        found.delete()
    return found


def _refuse_over(found: Invitation) -> None:
    if found.accepted_at is not None:
        raise InvitationOver("This invitation has been accepted already. If it was you, log in.")
    if found.expires_at <= timezone.now():
        raise InvitationOver(f"This invitation has run out. Ask {found.by.get_username()} for a new one.")
    if Right.OWN not in rights_in(found.study, found.by):
        raise InvitationOver(f"{found.by.get_username()}, who invited you, is no owner of the study any more.")


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
