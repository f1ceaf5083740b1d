"""Giving a user a role in a study, changing it and taking it away. The last owner stays."""

from django.db import transaction

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.visible import owners_of
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Membership, Study


class MembershipRefused(ValueError):
    """Why nothing was changed. str() is a sentence."""


def find_user(name: str) -> User:
    """The account of that user name; MembershipRefused where there is none that can log in."""
    user = User.objects.filter(username=name, is_active=True).first() if name and name.isprintable() else None
    if user is None:
        raise MembershipRefused(f"There is no account {name!r}. A superuser makes accounts under Records.")
    return user


def find_member(study: Study, name: str) -> User:
    """Whoever has a role in the study under that name, also if they cannot log in any more."""
    user = User.objects.filter(username=name, memberships__study=study).first() if name.isprintable() else None
    if user is None:
        raise MembershipRefused(f"{name} has no role in {study.slug}.")
    return user


def read_role(name: str) -> Role:
    """MembershipRefused, listing those there are, for an unknown one."""
    if name not in list(Role):
        raise MembershipRefused(f"There is no role {name!r}. There are: {', '.join(Role)}.")
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
            raise MembershipRefused(f"{user.get_username()} has no role in {study.slug}.")
        _keep_an_owner(before)
        record(study, Deed.ROLE_TAKEN, user.get_username(), facts={"role": [before.role, "none"]})
        before.delete()


def _lock(study: Study) -> None:
    """Two owners who take each other's role at once would both find the other still there."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _keep_an_owner(before: Membership) -> None:
    """Of those who can log in: an account that was shut keeps a role, and looks after nothing."""
    if before.role == Role.OWNER and before.user.is_active and owners_of(before.study) == [before.user.get_username()]:
        raise MembershipRefused(
            f"{before.user.get_username()} is the only owner. Make somebody else an owner first: a study keeps one."
        )
