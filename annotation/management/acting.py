"""Who does what a command is told to do, where their name is kept with it."""

from django.core.management.base import CommandError

from accounts.models import User
from annotation.access.joining import MembershipRefused, find_user
from annotation.access.matrix import RIGHTS, Right, Role
from annotation.access.visible import rights_in
from annotation.models import Study


def acting(name: str, study: Study, right: Right) -> User:
    """CommandError for an account that is not there, or that a page would not let do this."""
    try:
        user = find_user(name)
    except MembershipRefused as refused:
        raise CommandError(str(refused), returncode=2) from None
    if right not in rights_in(study, user):
        roles = " or ".join(role for role in Role if role in RIGHTS[right].roles)
        raise CommandError(
            f"{name} may not {RIGHTS[right].words} in {study.slug}. Who owns it can make them {roles}: "
            f"manage.py member {study.slug} {name} ROLE",
            returncode=2,
        )
    return user
