"""An item that a researcher has reworded: what it was, what it became, who did it, why. Kept for good."""

from typing import Any

from django.conf import settings
from django.db import models


class ItemRevision(models.Model):
    """`before` and `after` are contents; they are the same where a researcher found nothing to change.

    The item is named, not pointed at: a new wording is a new row of Item, so that scores of the old one go with it.
    """

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="item_revisions")
    external_id = models.CharField(max_length=400, help_text="The item's id in items.jsonl.")
    editor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        indexes = [models.Index(fields=["study", "external_id", "at"], name="item_revision_of_item")]

    def __str__(self) -> str:
        return f"{self.external_id} by {self.editor}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only ever a new row."""
        if not self._state.adding:
            raise TypeError("A revision of an item is never changed; make another.")
        super().save(*args, **kwargs)

    @property
    def has_changed_it(self) -> bool:
        return bool(self.before != self.after)
