"""What people were asked to agree to, word for word, and what each decided."""

from typing import Any

from django.db import models


class ConsentVersion(models.Model):
    """The text of one version, kept for good: what somebody has agreed to stays as they read it."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="consent_versions")
    version = models.CharField(max_length=40)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "version"], name="consent_version_once")]

    def __str__(self) -> str:
        return self.version

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only ever a new row."""
        if not self._state.adding:
            raise TypeError("A text that people agree to is never changed; make another version.")
        super().save(*args, **kwargs)


class Consent(models.Model):
    sitting = models.OneToOneField("annotation.Sitting", models.CASCADE, related_name="consent")
    version = models.ForeignKey(ConsentVersion, models.PROTECT, related_name="decisions")
    agreed = models.BooleanField()
    decided_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{'agreed' if self.agreed else 'declined'} ({self.version})"
