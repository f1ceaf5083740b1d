"""The visits: a participant's path to the first answer, and what a researcher and their programs open."""

import secrets
import time
from collections.abc import Callable, Iterator

from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Study
from api.models import make_token
from comparison.frame.cache.item_sums import LAG_SECONDS
from researcher.rail import PAGES
from tests.annotation.pages.bot import Bot

# What they read is what was asked for: all answers of fifty sittings, a stretch of texts, a bounded count of labels.
MAY_READ = ("Collect: Payment", "item list, search", "delete")
LISTS = ("items", "labels", "scores", "sittings", "runs")


def visits(study: Study) -> Iterator[tuple[str, Callable[[], object]]]:
    yield from _participant(study)
    yield from _researcher(study)
    yield from _programs(study)


def _participant(study: Study) -> Iterator[tuple[str, Callable[[], object]]]:
    bot, link = Bot(), study.links.get().get_absolute_url()
    bot.client.defaults["HTTP_HOST"] = "localhost"
    yield "participant: first page", lambda: bot.open(f"{link}?annotator={secrets.token_hex(8)}")
    yield "participant: begins, next item", bot.post
    yield "participant: saves an answer, next item", bot.answer
    yield "participant: comes back to the item", lambda: bot.open(bot.page.address)


def _researcher(study: Study) -> Iterator[tuple[str, Callable[[], object]]]:
    # So that the answer is a while ago: until then sums go by steps of time (comparison/frame/cache/item_sums.py).
    time.sleep(LAG_SECONDS + 1)
    user, _ = User.objects.get_or_create(username="bench", defaults={"is_superuser": True})
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    item = study.items.order_by("pk").values_list("external_id", flat=True)[0]
    who, run = study.annotator_numbers.order_by("number")[0].number, study.runs.get().pk
    addresses = {"studies": reverse("studies"), "system": reverse("system")}
    addresses |= {f"{page.part.value}: {page.name}": page.address(study) for page in PAGES}
    addresses |= {
        "one item": reverse("comparison_item", args=[study.slug, item]),
        "one run": reverse("run", args=[study.slug, run]),
        "new runs": reverse("runs_new", args=[study.slug]),
        "import labels": reverse("label_files", args=[study.slug]),
        "item list, page 2": reverse("items", args=[study.slug]) + "?page=2",
        "item list, search": reverse("items", args=[study.slug]) + "?q=12345",
        "results, items, page 2": reverse("results", args=[study.slug, "items"]) + "?page=2",
        "planning": reverse("planning", args=[study.slug]),
        "history": reverse("history", args=[study.slug]),
        "delete": reverse("study_delete", args=[study.slug]),
        "person": reverse("person", args=[study.slug, who]),
        "models": reverse("models"),
    }
    for name, address in addresses.items():
        yield name, lambda address=address: _opened(client, address)  # type: ignore[misc]


def _opened(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code in (200, 302, 404), f"{address}: {answer.status_code}"


def _programs(study: Study) -> Iterator[tuple[str, Callable[[], object]]]:
    user = User.objects.get(username="bench")
    token = make_token(user, name="bench", scopes=["read"]).secret
    client = Client(HTTP_HOST="localhost", HTTP_AUTHORIZATION=f"Bearer {token}")
    addresses = {"studies": "/api/v1/studies", "study": f"/api/v1/studies/{study.slug}"}
    addresses |= {name: f"/api/v1/studies/{study.slug}/{name}?limit=1000" for name in LISTS}
    for name, address in addresses.items():
        yield f"API: {name}", lambda address=address: _opened(client, address)  # type: ignore[misc]
