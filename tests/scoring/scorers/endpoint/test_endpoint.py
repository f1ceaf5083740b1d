"""Asking a model behind an endpoint: a real server on this machine speaks the protocol."""

import hashlib
import json
import math
import time
from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.tasktypes.contract import Prompted, PromptNumbers
from scoring.library.installation import install_endpoint
from scoring.models import EndpointCall, LanguageModel, Run
from scoring.runs.fitting import CannotRun, choices_for
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.endpoint import calling
from scoring.scorers.endpoint.calling import address, written
from tests.scoring.scorers.endpoint.installed import endpoint
from tests.scoring.scorers.endpoint.server import TOKENS, Server
from tests.scoring.working_off import run_through
from tests.studies import open_small_study, own_all, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings, monkeypatch) -> Iterator[Server]:
    with endpoint(settings, monkeypatch) as found:
        yield found


@pytest.fixture
def study(tmp_path):
    return open_small_study(tmp_path, plausibility_rows(3))


def prompted(study) -> Run:
    [model] = install_endpoint()
    return run_through(start_run(study, model, "prompted"))


def test_every_item_is_asked_in_both_orders_and_read_from_the_alternatives(server, study):
    run = prompted(study)
    assert (run.state, run.error, run.scored) == ("finished", "", 3)
    assert len(server.seen) == 6
    path, payload, headers = server.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer not-a-real-key"
    assert payload["model"] == "big/model-1.5"
    assert (payload["max_tokens"], payload["logprobs"], payload["top_logprobs"]) == (1, True, 20)
    assert payload["messages"][0] == {"role": "system", "content": "Read both sentences."}
    assert "A. Impossible\nB. Less likely" in payload["messages"][1]["content"]
    assert "A. Necessarily true\nB. More likely" in server.seen[1][1]["messages"][1]["content"]
    score = run.scores.first()
    assert score is not None
    assert score.decision == "equally_likely"
    assert score.detail["orders"][0]["logprobs"][2] == pytest.approx(math.log(0.43))
    assert score.detail["probabilities"]["impossible"] == pytest.approx((0.1 + 0.05) / 2 / 0.98)


def test_every_call_is_written_down_with_its_cost(server, study):
    run = prompted(study)
    calls = list(EndpointCall.objects.order_by("pk"))
    assert len(calls) == 6
    first = calls[0]
    assert (first.run, first.model, first.status, first.tokens) == (run, "big/model-1.5", 200, TOKENS)
    assert first.cost == Decimal("0.001")
    messages = server.seen[0][1]["messages"]
    assert first.prompt_sha256 == hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()
    assert "not-a-real-key" not in json.dumps([run.provenance, run.settings])


@pytest.mark.slow
def test_the_ceiling_ends_the_run_and_raising_it_goes_on(server, study, settings):
    settings.PROMPT_ENDPOINT_CEILING = Decimal("0.002")
    run = prompted(study)
    assert run.state == "failed"
    assert "PROMPT_ENDPOINT_CEILING" in run.error
    assert len(server.seen) == 2
    settings.PROMPT_ENDPOINT_CEILING = Decimal("1")
    assert prompted(study).state == "finished"


@pytest.mark.slow
def test_a_busy_server_is_asked_again_and_every_attempt_is_recorded(server, study):
    server.trouble = [(429, {"Retry-After": "0"}, {}), (503, {}, {})]
    assert prompted(study).state == "finished"
    assert list(EndpointCall.objects.order_by("pk").values_list("status", flat=True))[:3] == [429, 503, 200]


@pytest.mark.slow
def test_a_server_that_stays_away_ends_the_run(server, study):
    server.trouble = [(500, {}, {})] * calling.TRIES
    run = prompted(study)
    assert (run.state, run.error) == (
        "failed",
        "the endpoint answered 500 6 times; resume the run to continue",
    )
    assert EndpointCall.objects.count() == calling.TRIES


@pytest.mark.slow
def test_no_answer_is_recorded_as_such(server, study, settings):
    with_nobody = Server()
    settings.PROMPT_ENDPOINT = f"http://127.0.0.1:{with_nobody.server_port}/v1"
    with_nobody.server_close()
    run = prompted(study)
    assert "did not answer 6 times" in run.error
    assert set(EndpointCall.objects.values_list("status", flat=True)) == {0}


# A whole answer, dripping, takes some ten seconds.
@pytest.mark.parametrize("dripping", ["all of it", "the body", "a body without a length"])
@pytest.mark.slow
def test_an_answer_that_drips_is_none(server, study, monkeypatch, dripping):
    monkeypatch.setattr(calling, "TIMEOUT_SECONDS", 0.5)
    body = json.dumps(server.completion()).encode()
    length = f"Content-Length: {len(body)}\r\n" if dripping != "a body without a length" else ""
    head = f"HTTP/1.0 200 OK\r\n{length}\r\n".encode()
    server.raw = [(head + body, 0 if dripping == "all of it" else len(head))]
    run = prompted(study)
    assert (run.state, run.scored) == ("finished", 3)
    first, second = EndpointCall.objects.order_by("pk")[:2]
    assert (first.status, second.status) == (0, 200)
    assert 400 < first.milliseconds < 8000


def test_an_answer_that_breaks_off_is_none(server, study):
    body = json.dumps(server.completion()).encode()
    broken = f"HTTP/1.0 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:-40]
    server.raw = [(broken, len(broken))]
    run = prompted(study)
    assert (run.state, run.scored) == ("finished", 3)
    assert list(EndpointCall.objects.order_by("pk").values_list("status", flat=True))[:2] == [0, 200]


@pytest.mark.slow
@pytest.mark.parametrize("body", [b"<html>Gateway</html>", b'{"choices": [{"mess', b"[]", b"null", b"", b"[" * 100_000])
def test_a_200_that_holds_no_object_is_no_answer(server, study, body):
    head = f"HTTP/1.0 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    server.raw = [(head + body, len(head + body))]
    run = prompted(study)
    assert (run.state, run.error, run.scored) == ("finished", "", 3)
    calls = EndpointCall.objects.order_by("pk").values_list("status", "tokens", "cost")
    assert list(calls)[:2] == [(0, None, 0), (200, TOKENS, Decimal("0.001"))]


@pytest.mark.parametrize("date", ["Fri, 21 Nov 2036 08:00:00 GMT", "Fri, 21 Nov 2036 08:00:00 -0000"])
@pytest.mark.slow
def test_a_date_to_wait_for_is_waited_for_and_bounded(server, study, monkeypatch, date):
    monkeypatch.setattr(calling, "LONGEST_WAIT", 0.4)
    server.trouble = [(503, {"Retry-After": date}, {})]
    started = time.monotonic()
    assert prompted(study).state == "finished"
    assert 0.4 < time.monotonic() - started < 60


@pytest.mark.parametrize("after", ["Fri, 21 Nov 2014 08:00:00 GMT", "tomorrow", "-5", "Fri, 21 Nov 99999 08:00:00 GMT"])
def test_a_date_that_is_over_or_none_asks_for_no_wait(server, study, after):
    server.trouble = [(503, {"Retry-After": after}, {})]
    assert prompted(study).state == "finished"
    assert len(server.seen) == 7


def test_a_redirect_is_not_followed(server, study):
    server.trouble = [(302, {"Location": f"http://127.0.0.1:{server.server_port}/elsewhere"}, {})]
    run = prompted(study)
    assert "redirects are not followed" in run.error
    assert len(server.seen) == 1


def test_a_refusal_says_what_the_server_says(server, study):
    server.trouble = [(401, {}, {"error": {"message": "no such key"}})]
    assert prompted(study).error == "the endpoint refused the request (401): no such key"


def test_a_refusal_that_repeats_the_key_does_not_show_it(server, study):
    server.trouble = [(401, {}, {"error": {"message": "not-a-real-key is no key of ours"}})]
    assert prompted(study).error == "the endpoint refused the request (401): … is no key of ours"


def test_a_key_that_no_header_may_hold_is_refused_without_being_shown(server, study, settings):
    settings.PROMPT_ENDPOINT_KEY = "not-a-\r-key"
    run = prompted(study)
    assert (run.state, server.seen) == ("failed", [])
    assert run.error.startswith("PROMPT_ENDPOINT_KEY holds a character")
    assert "not-a" not in run.error


@pytest.mark.parametrize("count", ["500", 500.5, 1e30, [1], True, -5, 2**70, None])
def test_a_count_of_tokens_that_is_none_ends_the_run_after_one_recorded_call(server, study, count):
    server.usage = {"total_tokens": count}
    run = prompted(study)
    assert (run.state, len(server.seen)) == ("failed", 1)
    assert "token counts" in run.error
    assert [call.tokens for call in EndpointCall.objects.all()] == [None]


def test_the_ceiling_is_held_before_every_try(server, study, settings):
    settings.PROMPT_ENDPOINT_CEILING = Decimal("0.001")
    server.trouble = [(503, {}, {"usage": {"total_tokens": TOKENS}})] * calling.TRIES
    run = prompted(study)
    assert "PROMPT_ENDPOINT_CEILING" in run.error
    assert len(server.seen) == 1


def test_a_log_probability_above_0_is_none(server, study):
    body = server.completion()
    body["choices"][0]["logprobs"]["content"][0]["top_logprobs"][0]["logprob"] = 5.0
    server.trouble = [(200, {}, body)]
    assert "no log-probabilities" in prompted(study).error


def test_a_server_without_logprobs_or_usage_ends_the_run(server, study):
    server.usage = None
    assert "token counts" in prompted(study).error
    server.usage = {"total_tokens": 1}
    server.trouble = [
        (200, {}, {"choices": [{"message": {"content": "C"}, "logprobs": None}], "usage": {"total_tokens": 1}})
    ]
    assert "no log-probabilities" in prompted(study).error


def test_a_letter_that_is_not_among_the_alternatives_leaves_the_item_unscored(server, study):
    server.shares = (0.1, 0.2, 0.4, 0.2, 0.0000001)
    body = server.completion()
    del body["choices"][0]["logprobs"]["content"][0]["top_logprobs"][4]
    server.trouble = [(200, {}, body)]
    run = prompted(study)
    assert (run.state, run.scored, run.unscored) == ("finished", 2, 1)
    assert run.scores.exclude(unscored="").get().unscored == "the letter E is not among the 6 most probable answers"


def test_without_the_setting_there_is_no_endpoint(server, study, settings):
    [model] = install_endpoint()
    settings.PROMPT_ENDPOINT, settings.PROMPT_ENDPOINT_MODELS = "", []
    assert install_endpoint() == []
    assert choices_for(study) == []
    with pytest.raises(CannotRun, match="PROMPT_ENDPOINT"):
        start_run(study, model, "prompted")
    assert server.seen == []


@pytest.mark.parametrize(
    "wrong",
    [
        "ftp://example.org",
        "example.org/v1",
        "https://me@example.org",
        "https://:key@example.org",
        "http://h/v1?x=1",
        "http://h:port/v1",
        "http://[::1",
        "",
    ],
)
def test_an_address_that_is_none_is_refused(wrong):
    with pytest.raises(ModelError, match="PROMPT_ENDPOINT"):
        address(wrong)


def test_an_address_is_written_down_in_one_way():
    alike = ["HTTP://Example.org:8000/v1/", "http://example.org:8000/v1", "http://example.org:8000/v1#part"]
    assert {written(url) for url in alike} == {"http://example.org:8000/v1"}


@pytest.mark.slow
def test_another_address_is_another_model_and_nothing_of_the_first_is_kept(server, study, settings):
    first = settings.PROMPT_ENDPOINT
    settings.PROMPT_ENDPOINT_CEILING = Decimal("0.002")
    run = prompted(study)
    assert (run.state, run.scored, len(server.seen)) == ("failed", 0, 2)
    assert run.settings["endpoint"] == first
    settings.PROMPT_ENDPOINT_CEILING = Decimal("1")
    settings.PROMPT_ENDPOINT = first.replace("/v1", "/v2")
    run = prompted(study)
    assert (run.state, run.scored, run.settings["endpoint"]) == ("finished", 3, settings.PROMPT_ENDPOINT)
    assert run.provenance["endpoint"] == settings.PROMPT_ENDPOINT
    assert [asked[0] for asked in server.seen[2:]] == ["/v2/chat/completions"] * 6
    # A finished run too: the scores of one address are not those of the other.
    settings.PROMPT_ENDPOINT = first
    assert (prompted(study).scored, len(server.seen)) == (3, 14)
    assert (prompted(study).scored, len(server.seen)) == (3, 14)


def test_a_worker_whose_settings_name_another_address_asks_nobody(server, study, settings):
    [model] = install_endpoint()
    first = settings.PROMPT_ENDPOINT
    run = start_run(study, model, "prompted")
    settings.PROMPT_ENDPOINT = second = first.replace("/v1", "/v2")
    CHUNKS.work(run.chunks.get().pk, worker="w")
    run.refresh_from_db()
    assert (run.state, server.seen) == ("failed", [])
    assert run.error.startswith(f"the run was started for {first}, but this worker's settings list {second} ")


def test_an_address_that_is_none_is_told_before_a_run_is_stored(server, study, settings):
    [model] = install_endpoint()
    settings.PROMPT_ENDPOINT = "https://me:secret@example.org/v1"
    with pytest.raises(CannotRun, match="PROMPT_ENDPOINT must be an address") as refused:
        start_run(study, model, "prompted")
    assert "secret" not in str(refused.value)
    assert choices_for(study) == []
    assert not Run.objects.exists()


@pytest.mark.slow
def test_the_page_of_runs_shows_what_one_has_cost(server, study, client, django_user_model):
    prompted(study)
    client.force_login(own_all(django_user_model.objects.create_user("r")))
    text = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert "6 calls, 3,000 tokens, cost 0.01 of at most 1.00" in text


def test_names_that_read_alike_have_keys_of_their_own_and_keep_them(db, settings):
    kept = LanguageModel.objects.create(
        key="endpoint-gpt-4-1",
        name="gpt-4-1",
        family="endpoint",
        method="endpoint",
        location="endpoint",
        source="gpt-4-1",
    )
    names = ["gpt-4.1", "gpt-4-1", "GPT-4.1", "gpt/4.1", "模型", "型模", "a" * 100, "a" * 101]
    settings.PROMPT_ENDPOINT_MODELS = names
    rows = install_endpoint()
    assert [row.source for row in rows] == names
    assert rows[1] == kept
    assert len({row.key for row in rows}) == len(names)
    for row in rows:
        row.full_clean(exclude=["settings", "files"])
    settings.PROMPT_ENDPOINT_MODELS = names[::-1]
    assert {row.source: row.key for row in install_endpoint()} == {row.source: row.key for row in rows}


def test_who_opens_the_scorer_holds_its_calls_and_records_them(server, django_assert_num_queries):
    """A scorer knows texts: what its calls cost, and in which run, is for whoever hands the endpoint in."""
    held, recorded = [], []
    endpoint = calling.Endpoint(
        url=f"http://127.0.0.1:{server.server_port}/v1",
        key="not-a-real-key",
        models=("big/model-1.5",),
        hold=lambda: held.append("held"),
        record=lambda prompt, attempt: recorded.append((len(prompt), attempt.status)),
    )
    assert "not-a-real-key" not in repr(endpoint)
    with django_assert_num_queries(0):
        scorer = open_scorer(
            ModelSpec("endpoint", "big/model-1.5"),
            metric="prompted",
            settings={"endpoint": written(endpoint.url)},
            endpoint=endpoint,
        )
        [result] = scorer.score([Prompted("Mice squeak.", "Is it so?", (("yes", "Yes"), ("no", "No")))])
    assert isinstance(result, PromptNumbers)
    assert (held, recorded) == (["held"] * 2, [(64, 200)] * 2)
