"""Constraints that several models declare."""

from django.db import models
from django.db.models import Q


def one_of(field: str, choices: type[models.TextChoices], *, name: str) -> models.CheckConstraint:
    """The database holds the field to the choices as well: an update of a query set asks no form."""
    return models.CheckConstraint(condition=Q((f"{field}__in", choices.values)), name=name)
