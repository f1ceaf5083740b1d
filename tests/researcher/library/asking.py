"""Who may add models, a scoring worker that does at once what it is asked, and what a page says."""

from html import unescape

import pytest
from celery import current_app

from accounts.models import User


@pytest.fixture
def admin(client):
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def worker(monkeypatch) -> list[str]:
    """The queues that were asked."""
    asked: list[str] = []
    current_app.loader.import_default_modules()

    def send(name: str, args: tuple[str, int], *, queue: str, **options: object) -> None:
        asked.append(queue)
        current_app.tasks[name](*args)

    monkeypatch.setattr(current_app, "send_task", send)
    return asked


def text(answer) -> str:
    return " ".join(unescape(answer.content.decode()).split())
