"""An act: one deed of a researcher in a study."""

from django.db import models
from django.utils import timezone

from annotation.audit.deeds import Deed


class Act(models.Model):
    """Who did what, on what, when. Written with the deed; the database lets no row be changed or deleted.

    It outlives the study and the user, so that it has their names as text and no foreign key. It holds no platform's
    id and nothing in an annotator's words: whoever sees the study reads it, and erasing a person leaves it alone.
    """

    at = models.DateTimeField(default=timezone.now, editable=False)
    study_pk = models.BigIntegerField(help_text="The key that the study has, or had.")
    slug = models.CharField(max_length=80, help_text="What the study was called in addresses.")
    title = models.CharField(max_length=200)
    deed = models.CharField(max_length=30, help_text="A Deed.")
    subject = models.CharField(max_length=200, blank=True, help_text="On what in the study: an item, a run, a link.")
    facts = models.JSONField(default=dict, help_text="What there is to say of it, by name.")
    for_editors = models.JSONField(default=dict, help_text="The same, for those who may edit: names of other studies.")
    who = models.CharField(max_length=200, blank=True, help_text="The user's name; of a command without, the system's.")
    user_pk = models.BigIntegerField(null=True, help_text="The key that the user has, or had.")
    via = models.CharField(max_length=10, help_text="A Via.")
    system_user = models.CharField(max_length=100, blank=True, help_text="Of a command: who ran it on the machine.")

    class Meta:
        # A page of a study's, also of one deed or one person, is read from the index backwards.
        indexes = [
            models.Index(fields=["study_pk", "id"], name="act_of_study"),
            models.Index(fields=["study_pk", "deed", "id"], name="act_of_deed"),
            models.Index(fields=["study_pk", "who", "id"], name="act_of_user"),
            models.Index(fields=["slug", "id"], name="act_of_slug"),
        ]

    def __str__(self) -> str:
        return f"{self.who or 'by itself'}: {self.words}{f' ({self.subject})' if self.subject else ''}"

    @property
    def words(self) -> str:
        return Deed(self.deed).words
