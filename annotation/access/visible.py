"""The studies of a user. Every query that a page makes for somebody starts here."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from annotation.access.matrix import RIGHTS, Right, Role, rights_of, roles_with
from annotation.models import Membership, Study

Reader = AbstractBaseUser | AnonymousUser


def studies_for(user: Reader, right: Right) -> QuerySet[Study]:
    """The studies in which the user has this right; a superuser has all. One subquery, narrowed like others."""
    if not isinstance(user, User) or not user.is_active:
        return Study.objects.none()
    if user.is_superuser:
        return Study.objects.all()
    mine = Membership.objects.filter(user=user, role__in=roles_with(right))
    return Study.objects.filter(pk__in=mine.values("study"))


def being_deleted_for(user: Reader) -> QuerySet[Study]:
    """Those that are being deleted, of which the user was an owner; a superuser's are all."""
    if not isinstance(user, User) or not user.is_active:
        return Study.with_deleted.none()
    going = Study.with_deleted.exclude(deleted_at=None).order_by("deleted_at")
    mine = Membership.objects.filter(user=user, role=Role.OWNER.value)
    return going if user.is_superuser else going.filter(pk__in=mine.values("study"))


def rights_in(study: Study, user: Reader) -> frozenset[Right]:
    """What the user may do in this study."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    if user.is_superuser:
        return frozenset(Right)
    role = Membership.objects.filter(user=user, study=study).values_list("role", flat=True).first()
    return rights_of(Role(role)) if role else frozenset()


def refusal(study: Study, right: Right) -> str:
    """What is said to somebody who sees the study and lacks this right in it."""
    owners = ", ".join(owners_of(study))
    whom = f"Ask an owner for a role that can: {owners}" if owners else "A superuser can change that"
    return f"You can see {study.title}, but you cannot {RIGHTS[right].words}. {whom}."


def members_of(study: Study) -> list[Membership]:
    """Who may most comes first."""
    order = list(Role)
    found = study.memberships.select_related("user").order_by("user__username")
    return sorted(found, key=lambda one: order.index(Role(one.role)))


def owners_of(study: Study) -> list[str]:
    """The user names of those who can log in, in order."""
    owners = study.memberships.filter(role=Role.OWNER.value, user__is_active=True).order_by("user__username")
    return list(owners.values_list("user__username", flat=True))
