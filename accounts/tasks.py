"""Celery's side of accounts: what time brings about."""

from celery import shared_task
from django.core.management import call_command
from django.utils import timezone

from accounts.models import KEPT, AccountEvent


@shared_task(name="accounts.tasks.forget")
def forget() -> None:
    """Sessions that have run out, and old events."""
    call_command("clearsessions")
    AccountEvent.objects.filter(at__lt=timezone.now() - KEPT).delete()
