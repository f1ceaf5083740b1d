"""A test question to a model behind the endpoint: asked by a worker, told on the page, and asked by the command."""

import re
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO

import pytest
from celery import current_app
from django.core.management import CommandError, call_command
from django.urls import reverse
from kombu.exceptions import OperationalError

from scoring.library.trials import TRIALS
from scoring.models import EndpointCall
from scoring.scorers.endpoint import calling
from scoring.worker_requests import Trial
from tests.researcher.library.asking import text
from tests.scoring.scorers.endpoint.server import Server, serving
from work.queue import resend

pytestmark = pytest.mark.django_db

MODEL = "big/model-1.5"
KEY = "not-a-real-key"


@pytest.fixture
def server(settings) -> Iterator[Server]:
    """A real server on this machine, which the settings name."""
    with serving() as found:
        settings.PROMPT_ENDPOINT = f"http://127.0.0.1:{found.server_port}/v1"
        settings.PROMPT_ENDPOINT_MODELS, settings.PROMPT_ENDPOINT_KEY = [MODEL], KEY
        settings.PROMPT_ENDPOINT_PRICE = Decimal("2")
        yield found


def shown(admin) -> str:
    return text(admin.post(reverse("endpoint_ask"), {"model": MODEL}, follow=True))


def answer(*, content="A", top=(("A", -0.1), ("B", -2.5)), **more):
    alternatives = [{"token": token, "logprob": logprob} for token, logprob in top]
    logprobs = {"content": [{"token": "A", "top_logprobs": alternatives}]} if top else None
    usage = {"prompt_tokens": 61, "completion_tokens": 1, "total_tokens": 62}
    return {"choices": [{"message": {"content": content}, "logprobs": logprobs}], "usage": usage} | more


def test_an_answer_with_its_time_and_tokens(admin, server, worker):
    page = text(admin.get(reverse("model_add"), {"way": "endpoint"}))
    assert "Ask a test question" in page and "Not asked" in page and "The keys to the cabinet" in page
    server.trouble = [(200, {}, answer())]
    page = shown(admin)
    assert worker == ["scoring"]
    assert "Answered" in page and "“A”" in page and "61 + 1" in page and " ms</td>" in page
    assert "It gives log-probabilities. Both prompted and sampled will work." in page
    [(path, payload, headers)] = server.seen
    assert (path, payload["model"], payload["logprobs"]) == ("/v1/chat/completions", MODEL, True)
    assert headers["Authorization"] == f"Bearer {KEY}" and KEY not in page
    assert not EndpointCall.objects.exists()


def test_no_log_probabilities(admin, server, worker):
    server.trouble = [(200, {}, answer(top=()))]
    assert "It gives no log-probabilities. Use sampled, not prompted." in shown(admin)
    server.trouble = [(200, {}, answer(content="<think>", top=[("<think>", -0.01)]))]
    page = shown(admin)
    assert "but the letter A is not among the 1 most probable answers. Use sampled" in page


def test_log_probabilities_refused(admin, server, worker):
    server.trouble = [
        (400, {}, {"error": {"message": "logprobs is not supported"}}),
        (200, {}, answer(content="<think>Plural.</think>A", top=())),
    ]
    page = shown(admin)
    assert "Asked for log-probabilities, it refused the request (400): logprobs is not supported. Use sampled" in page
    assert "“A”" in page and "logprobs" not in server.seen[1][1]


FAILURES = {
    "key": (
        (401, {}, {"error": {"message": f"bad key {KEY}"}}),
        "refuses the key in PROMPT_ENDPOINT_KEY. It refused the",
    ),
    "unknown": ((404, {}, {}), f"There is no model {MODEL}, or no chat/completions at this address."),
    "busy": ((429, {}, {}), "The endpoint is busy, or its limit is reached."),
    "broken": ((500, {}, {}), "The endpoint failed (500)."),
    "redirect": ((302, {"Location": "http://169.254.169.254/"}, {}), "redirects are not followed."),
    "no JSON": ((200, {}, "<html>"), "answered something other than a JSON object, so it is no such endpoint."),
    "no message": ((200, {}, {"hello": 1}), "the endpoint's answer holds no message, so it is no such endpoint"),
}


@pytest.mark.parametrize("case", FAILURES)
def test_failures_are_said_in_words(admin, server, worker, case):
    server.trouble, says = [FAILURES[case][0]], FAILURES[case][1]
    page = shown(admin)
    assert "Failed" in page and says in page and KEY not in page
    assert len(server.seen) == 1


def test_a_missing_key_is_said(admin, server, worker, settings):
    settings.PROMPT_ENDPOINT_KEY = ""
    server.trouble = [(401, {}, {})]
    assert "asks for a key: PROMPT_ENDPOINT_KEY is not set." in shown(admin)


@pytest.mark.slow
def test_what_cannot_be_reached(admin, server, worker, settings):
    nobody = Server()
    settings.PROMPT_ENDPOINT = f"http://127.0.0.1:{nobody.server_port}/v1"
    nobody.server_close()
    assert "The endpoint cannot be reached (Connection refused)." in shown(admin)
    settings.PROMPT_ENDPOINT = "http://no-such-host.invalid/v1"
    assert "cannot be reached: its name is not known here." in shown(admin)
    settings.PROMPT_ENDPOINT = f"https://127.0.0.1:{server.server_port}/v1"
    assert "cannot be reached: no secure connection" in shown(admin)


@pytest.mark.slow
def test_an_answer_that_drips_is_cut_off(admin, server, worker, monkeypatch):
    monkeypatch.setattr(calling, "TIMEOUT_SECONDS", 0.5)
    server.raw = [(b"HTTP/1.1 200 OK\r\n" + b"x" * 1000, 0)]
    assert "gave no whole answer within 0.5 seconds." in shown(admin)


def test_a_wrong_setting_is_said(admin, server, worker, settings):
    settings.PROMPT_ENDPOINT = "http://me:secret@127.0.0.1/v1"
    page = text(admin.get(reverse("model_add"), {"way": "endpoint"}))
    assert "must be an address such as" in page and "secret" not in page
    assert "secret" not in shown(admin) and "Not asked" in Trial.objects.get().said


def test_only_the_settings_models_at_the_settings_address(admin, server, worker):
    page = text(admin.post(reverse("endpoint_ask"), {"model": "http://10.0.0.1/", "endpoint": "x"}, follow=True))
    assert "No model of that name is set up on this server." in page
    assert not worker and not server.seen and not Trial.objects.exists()


def test_a_question_under_way_is_not_asked_twice(admin, server, monkeypatch):
    sent: list[int] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: sent.append(args[1]))
    page = shown(admin)
    assert "Waiting" in page and 'hx-trigger="every 2s"' in page and "disabled" in page
    shown(admin)
    assert len(sent) == 1 and not server.seen
    TRIALS.work(sent[0], worker="here")
    assert len(server.seen) == 1 and Trial.objects.get().state == "finished"


def test_a_silent_queue_is_said_and_the_question_asked_when_it_answers(admin, server, monkeypatch):
    def silent(*given, **named) -> None:
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", silent)
    assert "The task queue cannot be reached; the question is asked when it can." in shown(admin)
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: TRIALS.work(args[1], worker="here"))
    resend()
    assert Trial.objects.get().state == "finished"


def test_who_may_add_no_models_asks_nothing(client, researcher, server, worker):
    assert client.post(reverse("endpoint_ask"), {"model": MODEL}).status_code == 403
    assert not server.seen and client.get(reverse("endpoint_ask")).status_code == 405


def test_the_command_asks_as_the_page_does(server, settings):
    out = StringIO()
    call_command("ask_endpoint", stdout=out)
    assert "The keys to the cabinet ___ on the table." in out.getvalue()
    assert re.search(rf"{MODEL}: 'C' in \d+ ms, 499 \+ 1 tokens\. It gives log-probabilities\.", out.getvalue())
    server.trouble = [(401, {}, {})]
    with pytest.raises(CommandError, match="1 of the models did not answer") as failed:
        call_command("ask_endpoint", MODEL, stdout=out)
    assert failed.value.returncode == 1 and "refuses the key in PROMPT_ENDPOINT_KEY" in out.getvalue()
    with pytest.raises(CommandError, match="other is not one of the models") as unknown:
        call_command("ask_endpoint", "other", stdout=out)
    assert unknown.value.returncode == 2
    settings.PROMPT_ENDPOINT, settings.PROMPT_ENDPOINT_MODELS = "", []
    with pytest.raises(CommandError, match="name no endpoint"):
        call_command("ask_endpoint", stdout=out)
