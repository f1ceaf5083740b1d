"""The page of a study's webhooks, and what a run has told at its end."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Delivery, Webhook
from annotation.webhooks.declaring import add_webhook, secret_of
from annotation.webhooks.sending import send_due
from scoring.models import Chunk, Run
from scoring.runs import working
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run, stop_run
from scoring.runs.working import CHUNKS
from tests.annotation.webhooks.receiving import receiving

ADDRESS = "https://hooks.example.org/parallax?key=1"


@pytest.fixture(autouse=True)
def hosts(settings) -> None:
    settings.WEBHOOK_HOSTS = ["hooks.example.org", "127.0.0.1"]


def at(study) -> str:
    return reverse("webhooks", args=[study.slug])


def add(client, study, **changed):
    return client.post(at(study), {"address": ADDRESS, "events": ["run.finished"]} | changed)


class TestThePage:
    @pytest.mark.slow
    def test_an_owner_adds_one_and_sees_its_secret_once(self, client, study):
        answer = add(client, study)
        made = Webhook.objects.get()
        assert answer.status_code == 201
        assert secret_of(made) in answer.content.decode()
        page = client.get(at(study)).content.decode()
        assert secret_of(made) not in page
        assert "Events: a run has finished or failed." in page

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("changed", "why"),
        [
            ({"address": ""}, "Enter an address."),
            ({"address": "https://other.example.org/"}, "Messages to other.example.org are not allowed"),
            ({"events": []}, "Choose at least one event."),
            ({"events": ["test"]}, "test is not one of the available choices"),
        ],
    )
    def test_what_is_wrong_stands_beside_its_field_with_what_was_typed(self, client, study, changed, why):
        answer = add(client, study, **changed)
        assert answer.status_code == 422
        assert why in answer.content.decode()
        assert not Webhook.objects.exists()

    @pytest.mark.slow
    def test_where_nothing_is_sent_the_page_says_so(self, client, study, settings):
        settings.WEBHOOK_HOSTS = []
        page = client.get(at(study)).content.decode()
        assert "The server allows no hosts." in page
        assert "Add a webhook" not in page
        assert "<form" not in page[page.index("<main") :]
        assert add(client, study).status_code == 422

    @pytest.mark.slow
    def test_a_test_is_sent_and_what_became_of_it_is_shown(self, client, study):
        with receiving() as receiver:
            receiver.answers = [503]
            add(client, study, address=receiver.address)
            made = Webhook.objects.get()
            client.post(reverse("webhook_test", args=[study.slug, made.pk]))
            send_due(seconds=60)
            assert re.search(r">test</td>\s*<td[^>]*>waiting, next [^<]+</td>", client.get(at(study)).content.decode())
            assert "The answer was 503." in client.get(at(study)).content.decode()
        client.post(reverse("webhook_remove", args=[study.slug, made.pk]))
        assert not Delivery.objects.exists()

    @pytest.mark.slow
    def test_others_neither_see_nor_change_it(self, client, study):
        add(client, study)
        made = Webhook.objects.get()
        for role in (Role.EDITOR, Role.ANALYST):
            user = User.objects.create_user(f"{role}-one")
            give(study, user, role)
            own = Client()
            own.force_login(user)
            assert own.get(at(study)).status_code == 403
            assert own.post(reverse("webhook_remove", args=[study.slug, made.pk])).status_code == 403
            assert "hooks.example.org/" not in own.get(reverse("history", args=[study.slug])).content.decode()
        assert Webhook.objects.exists()


class TestARun:
    @pytest.fixture(autouse=True)
    def told(self, study, baselines, monkeypatch) -> None:
        for module in ("scoring.runs.starting", "scoring.runs.working"):
            monkeypatch.setattr(f"{module}.send", lambda chunks: None)
        add_webhook(study, address=ADDRESS, events=["run.finished"])

    def facts(self) -> list[dict[str, Any]]:
        return [one.facts for one in Delivery.objects.order_by("pk")]

    @pytest.mark.slow
    def test_is_told_of_when_it_finishes_and_not_again(self, study):
        run = start_run(study, find_model("random"), "label")
        assert not self.facts()
        for chunk in Chunk.objects.filter(run=run):
            CHUNKS.work(chunk.pk, worker="test")
        run.refresh_from_db()
        assert run.state == Run.State.FINISHED
        named = {"id": run.pk, "model": run.model.name, "metric": "label"}
        counts = {"scored": run.scored, "unscored": run.unscored, "total": run.total}
        assert self.facts() == [{"outcome": "finished", "run": named | counts}]
        start_run(study, find_model("random"), "label")
        assert len(self.facts()) == 1

    @pytest.mark.slow
    def test_is_told_of_when_it_fails_and_not_when_it_is_stopped(self, study):
        run = start_run(study, find_model("random"), "label")
        stop_run(run)
        assert not self.facts()
        run = start_run(study, find_model("random"), "label")
        chunk = Chunk.objects.filter(run=run)[0]
        claimed = Chunk.objects.claim(chunk.pk, worker="test", until=timezone.now())
        assert claimed is not None
        working._end_run(claimed, "no such file")
        assert [one["outcome"] for one in self.facts()] == ["failed"]
