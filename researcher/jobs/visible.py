"""The jobs of a user: every query that a page makes for somebody starts here."""

from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import Reader, studies_for
from researcher.models import Job

# What bringing something into a study asks for there, also of whoever only looks at how far it is.
RIGHTS = {Job.Kind.LABELS: Right.COLLECT, Job.Kind.SCORES: Right.SCORE}


def jobs_for(user: Reader) -> QuerySet[Job]:
    """Those that the user asked for, in studies in which they may still ask for it; a superuser's are all."""
    if not isinstance(user, User) or not user.is_active:
        return Job.objects.none()
    if user.is_superuser:
        return Job.objects.all()
    allowed = Q(study=None)
    for kind, right in RIGHTS.items():
        allowed |= Q(kind=kind, study__in=studies_for(user, right))
    return Job.objects.filter(allowed, owner=user)
