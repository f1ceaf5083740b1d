"""What of a bonus was handed in to the platform. Kept for good: a platform pays a line as often as it is handed in."""

from typing import Any

from django.conf import settings
from django.db import models


class BonusHandedIn(models.Model):
    """One amount in one list. Below zero: what was listed was not handed in after all."""

    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, related_name="bonuses_handed_in")
    amount = models.DecimalField(max_digits=8, decimal_places=2)
    # None: by command.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "bonuses handed in"

    def __str__(self) -> str:
        return f"{self.amount}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only ever a new row."""
        if not self._state.adding:
            raise TypeError("What was handed in is never changed.")
        super().save(*args, **kwargs)
