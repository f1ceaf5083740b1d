"""Idempotency-Key: what makes something, sent again, makes nothing more and is answered as it was."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Act, Item, Study
from api import once
from api.models import KeptAnswer
from scoring.library.installation import install_baselines
from scoring.models import Run
from tests.api import made
from tests.api.asking import Api
from tests.api.two_posts import TIMES
from tests.either_database import found_by
from tests.studies import plausibility_row

MADE = made.body()
KEY = {"idempotency-key": made.KEY}


def same(first: Any, again: Any) -> bool:
    """Byte by byte, but for the header that says it is not new."""
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    kept = ("Content-Type", "Location", "ETag")
    says = [(one.status_code, one.content, [one.headers.get(name) for name in kept]) for one in (first, again)]
    return bool(says[0] == says[1])


@pytest.mark.slow
def test_a_study_is_made_once_and_its_answer_stands_whatever_becomes_of_it(api):
    first = api.post("studies", MADE, **KEY)
    assert first.status_code == 201
    Study.objects.update(title="Another title")
    assert same(first, api.post("studies", MADE, **KEY))
    assert Act.objects.filter(deed="made").count() == 1
    assert api.post("studies", MADE).status_code == 409, "without the key it is another request"


@pytest.mark.slow
def test_items_are_added_once(api):
    api.post("studies", MADE)
    more = {"items": [plausibility_row(9).fields()]}
    first = api.post("studies/made/items", more, **KEY)
    api.post("studies/made/open")
    assert same(first, api.post("studies/made/items", more, **KEY))
    assert Item.objects.count() == 3


@pytest.mark.slow
def test_runs_scores_labels_and_links_are_made_once(api, study, queue):
    install_baselines()
    lines = [{"item": f"target-{n}", "label": "impossible", "score": n} for n in range(1, 7)]
    sent = {
        "runs": {"runs": [{"model": "random", "metric": "label"}]},
        "scores": {"model": "BERT", "metric": "mine", "source": "my machine", "lines": lines},
        "labels": {"labels": [{"item": "target-1", "annotator": "who", "label": "impossible"}]},
        "links": {"name": "batch"},
    }
    firsts = {}
    for what, body in sent.items():
        firsts[what] = api.post(f"studies/small/{what}", body, **{"idempotency-key": what})
        assert firsts[what].status_code < 300
    api.post("studies/small/runs/stop")
    for what, body in sent.items():
        assert same(firsts[what], api.post(f"studies/small/{what}", body, **{"idempotency-key": what}))
    assert Run.objects.get(model__key="random").state == "stopped", "what was started then is not started again"
    assert study.links.count() == 2


@pytest.mark.slow
def test_a_key_is_for_one_request_of_one_token(api, ada):
    api.post("studies", MADE, **KEY)
    for address, body in (
        ("studies", {**MADE, "items": made.items(3)}),
        ("studies/made/items", {"items": made.items(1)}),
    ):
        refused = api.post(address, body, **KEY)
        assert refused.status_code == 422
        assert [fault["field"] for fault in refused.json()["faults"]] == ["Idempotency-Key"]
    assert Item.objects.count() == 2
    assert Api(ada).post("studies", MADE, **KEY).status_code == 409, "another token's keys are its own"


@pytest.mark.parametrize("key", ["x" * 256, "two words", "späte"])
def test_what_is_no_key_is_refused(api, key):
    refused = api.post("studies", MADE, **{"idempotency-key": key})
    assert refused.status_code == 422
    assert [fault["field"] for fault in refused.json()["faults"]] == ["Idempotency-Key"]
    assert not Study.objects.exists()


def test_what_was_refused_made_nothing_and_can_be_sent_again(api):
    wrong = {**MADE, "items": [{"id": "x"}]}
    assert [api.post("studies", wrong, **KEY).status_code for _ in range(2)] == [422, 422]
    assert api.post("studies", MADE, **KEY).status_code == 201


@pytest.mark.slow
def test_after_a_day_a_key_is_forgotten(api):
    api.post("studies", MADE, **KEY)
    late = timezone.now() - timedelta(hours=24, seconds=1)
    KeptAnswer.objects.update(made_at=late)
    assert api.post("studies", MADE, **KEY).status_code == 409, "it is done again, and the name is taken"
    assert api.post("studies", made.body("more"), **KEY).status_code == 201
    assert KeptAnswer.objects.count() == 1


@pytest.mark.slow
def test_whoever_dies_before_the_answer_is_kept_has_made_nothing(api, monkeypatch):
    def die(*given: object) -> None:
        raise OSError("the machine is gone")

    with monkeypatch.context() as patched:
        patched.setattr(once, "_keep", die)
        assert api.post("studies", MADE, **KEY).status_code == 500
    assert not Study.objects.exists()
    assert api.post("studies", MADE, **KEY).status_code == 201


@pytest.mark.slow
def test_of_two_at_once_one_makes_it_and_both_are_answered_alike(either_url):
    told = found_by("tests.api.two_posts", url=either_url)
    assert told["vendor"] == either_url.split(":")[0]
    assert told["found"] == [{"statuses": [201, 201], "alike": True, "replayed": 1}] * TIMES
    assert (told["studies"], told["acts"]) == (TIMES, TIMES)


@pytest.mark.slow
def test_the_description_names_the_key_where_something_is_made(api):
    paths = api.get("openapi.json").json()["paths"]
    with_key = {
        path.removeprefix("/api/v1/")
        for path, methods in paths.items()
        for operation in methods.values()
        if any(one["name"] == "Idempotency-Key" and one["in"] == "header" for one in operation.get("parameters", ()))
    }
    kinds = {"runs", "items", "scores", "labels", "links"}
    assert with_key == {"studies", *(f"studies/{{slug}}/{what}" for what in kinds)}
