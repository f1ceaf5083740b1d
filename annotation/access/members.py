"""The members of a study: giving a user a role, changing it and taking it away; and inviting somebody by e-mail.

The last owner stays. An invitation is made, accepted once, or withdrawn. Anyone who has its link can accept it, with
any account; owners see the address it was sent to.
"""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.access.matrix import Right, Role
from annotation.access.visible import owners_of, rights_in
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Invitation, Membership, Study

GOOD_FOR = timedelta(days=14)


class MembershipRefused(ValueError):
    """Why nothing was changed. str() is a sentence."""


def find_user(name: str) -> User:
    """The account of that user name; MembershipRefused where there is none that can log in."""
    user = User.objects.filter(username=name, is_active=True).first() if name and name.isprintable() else None
    if user is None:
        raise MembershipRefused(f"No account named {name!r}. A superuser can create it under Admin.")
    return user


def find_member(study: Study, name: str) -> User:
    """The member of the study with that name, even if they can no longer log in."""
    user = User.objects.filter(username=name, memberships__study=study).first() if name.isprintable() else None
    if user is None:
        raise MembershipRefused(f"{name} is not a member of {study.slug}.")
    return user


def read_role(name: str) -> Role:
    """MembershipRefused, listing those there are, for an unknown one."""
    if name not in list(Role):
        raise MembershipRefused(f"There is no role {name!r}. Available: {', '.join(Role)}.")
    return Role(name)


def give(study: Study, user: User, role: Role) -> Membership:
    """The user is this in the study from now on, whatever they were before."""
    with transaction.atomic():
        _lock(study)
        before = Membership.objects.filter(study=study, user=user).first()
        if before is not None and role != Role.OWNER:
            _keep_an_owner(before)
        made, _ = Membership.objects.update_or_create(study=study, user=user, defaults={"role": role.value})
        was = before.role if before is not None else "none"
        if was != role:
            record(study, Deed.ROLE_GIVEN, user.get_username(), facts={"role": [was, role.value]})
        return made


def take(study: Study, user: User) -> None:
    """The user is nothing in the study any more; MembershipRefused for one who was nothing."""
    with transaction.atomic():
        _lock(study)
        before = Membership.objects.filter(study=study, user=user).first()
        if before is None:
            raise MembershipRefused(f"{user.get_username()} is not a member of {study.slug}.")
        _keep_an_owner(before)
        record(study, Deed.ROLE_TAKEN, user.get_username(), facts={"role": [before.role, "none"]})
        before.delete()


def _lock(study: Study) -> None:
    """Two owners who take each other's role at once would both find the other still there."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _keep_an_owner(before: Membership) -> None:
    """Of those who can log in: an account that was shut keeps a role, and looks after nothing."""
    if before.role == Role.OWNER and before.user.is_active and owners_of(before.study) == [before.user.get_username()]:
        raise MembershipRefused(f"{before.user.get_username()} is the sole owner. Make another member an owner first.")


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
        raise InvitationOver("This invitation was withdrawn or replaced by a newer one.")
    _refuse_over(found)
    return found


def accept(token: str, user: User) -> Membership:
    """The user has the role; InvitationOver where it cannot be accepted, also because they have a role already."""
    with transaction.atomic():
        found = Invitation.objects.select_for_update(of=("self",)).filter(pk=find_invitation(token).pk).first()
        if found is None:
            raise InvitationOver("This invitation was just withdrawn.")
        _refuse_over(found)
        has = Membership.objects.filter(study=found.study, user=user).first()
        if has is not None:
            raise InvitationOver(
                f"You are already {has.role} of {found.study.title}. An owner can change your role under Members."
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
            raise InvitationOver("This invitation was already accepted or withdrawn.")
        record(study, Deed.INVITATION_WITHDRAWN, for_editors={"address": found.address})
        found.delete()
    return found


def _refuse_over(found: Invitation) -> None:
    if found.accepted_at is not None:
        raise InvitationOver("This invitation was already accepted. If it was you, log in.")
    if found.expires_at <= timezone.now():
        raise InvitationOver(f"This invitation has expired. Ask {found.by.get_username()} for a new one.")
    if Right.OWN not in rights_in(found.study, found.by):
        raise InvitationOver(f"{found.by.get_username()}, who invited you, no longer owns the study.")


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
