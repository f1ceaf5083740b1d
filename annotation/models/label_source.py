"""Where labels come from that were given elsewhere."""

from django.db import models


class LabelSource(models.Model):
    """One label file that was imported into a study. Its sittings point here."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="label_sources")
    name = models.CharField(max_length=255, help_text="The file's name.")
    sha256 = models.CharField(max_length=64)
    note = models.CharField(max_length=500, blank=True, help_text="Where the file is from, in the researcher's words.")
    labels = models.PositiveIntegerField()
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["imported_at", "pk"]

    def __str__(self) -> str:
        return self.name
