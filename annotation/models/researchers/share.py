"""A share: a study's results for whoever has the link, without an account."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

LONGEST_NAME = 80


class Share(models.Model):
    """What it shows is fixed when it is made: the filters of `query`, and files where `gives_files`.

    The link holds a token of which only the hash is kept, so that nobody can read it here, not even its maker.
    """

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="shares")
    name = models.CharField(max_length=LONGEST_NAME, help_text="For whom, or what for.")
    token_hash = models.CharField(max_length=64, unique=True, help_text="sha256 of the token.")
    query = models.TextField(blank=True, help_text="The filters, as the results' address has them.")
    gives_files = models.BooleanField(default=False)
    # None: the account is gone.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True, help_text="When somebody ended it.")

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="share_has_a_name")]

    def __str__(self) -> str:
        return self.name

    def is_open(self, now: datetime) -> bool:
        return self.ended_at is None and (self.expires_at is None or now < self.expires_at)
