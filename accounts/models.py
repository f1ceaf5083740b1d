"""The user model. Ours from the first release on: Django's own cannot be replaced once there are rows."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A researcher, or whoever else logs in. Annotators have no account (annotation.models.Annotator)."""
