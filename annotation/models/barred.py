"""The ids of those who may not begin in a study, as keyed hashes: no list of people lies here."""

from django.db import models


class BarredId(models.Model):
    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="barred_ids")
    key = models.CharField(max_length=64, help_text="HMAC of study and id (annotation/arrival/repeats.py).")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="barred_id_once")]

    def __str__(self) -> str:
        return self.key[:8]
