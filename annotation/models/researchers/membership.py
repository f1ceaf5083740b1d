"""A user's role in a study."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.access.matrix import Role

ROLES = [role.value for role in Role]


class Membership(models.Model):
    """What the role allows stands in annotation/access/matrix.py. A study without one is seen by superusers alone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, db_index=False, related_name="memberships")
    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=[(role, role) for role in ROLES])

    class Meta:
        # Its index finds the studies of a user.
        constraints = [
            models.UniqueConstraint(fields=["user", "study"], name="membership_once"),
            models.CheckConstraint(condition=Q(role__in=ROLES), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} as {self.role} of {self.study_id}"
