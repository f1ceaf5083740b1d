"""Mail where none is configured. Pages ask settings.SENDS_MAIL first; whoever did not hears of it here."""

from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class NoMail(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        raise ImproperlyConfigured("This server sends no email: set EMAIL_HOST or EMAIL_FOLDER (docs/settings.md).")
