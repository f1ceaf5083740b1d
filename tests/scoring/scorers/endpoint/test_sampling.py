"""Asking several times and reading replies (docs/metrics.md, `sampled`): a real server on this machine replies."""

import math
from collections.abc import Iterator

import pytest
from django.urls import reverse

from annotation.tasktypes import task_type
from annotation.tasktypes.contract import SampledNumbers
from annotation.tasktypes.readouts import sampled
from scoring.library.installation import install_endpoint
from scoring.models import EndpointCall, Run
from scoring.runs.starting import start_run
from scoring.runs.working import work
from scoring.scorers.endpoint.sampling import named
from tests.scoring.scorers.endpoint.installed import endpoint
from tests.scoring.scorers.endpoint.server import Server
from tests.studies import open_small_study, own_all, plausibility_row, plausibility_rows

pytestmark = pytest.mark.django_db
LETTERS = ["A", "B", "C", "D", "E"]


@pytest.fixture
def server(settings, monkeypatch) -> Iterator[Server]:
    with endpoint(settings, monkeypatch) as found:
        yield found


def run_through(study) -> Run:
    [model] = install_endpoint()
    run = start_run(study, model, "sampled")
    for chunk in list(run.chunks.all()):
        work(chunk.pk, worker="w")
    run.refresh_from_db()
    return run


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("B", "B"),
        (" **B** ", "B"),
        ("(B)", "B"),
        ("B. Less likely", "B"),
        ("B) Less likely", "B"),
        ("B\nBecause lamps break.", "B"),
        ("Lamps do break.\nAnswer: B", "B"),
        ("The answer is (b).", "B"),
        ("Answer: A? No. Answer: D", "D"),
        ("A lamp that is broken", ""),
        ("I cannot say.", ""),
        ("", ""),
        ("Z", ""),
        ("Answer: Z", ""),
        ("Better not", ""),
    ],
)
def test_s2_the_letter_that_a_reply_names(reply, expected):
    assert named(reply, LETTERS) == expected


def test_s1_every_item_is_asked_so_often_in_every_order_in_turn(server, tmp_path):
    prompt = {"asks": 3, "temperature": 0.5, "answer_tokens": 40}
    study = open_small_study(tmp_path, plausibility_rows(1), prompt=prompt)
    run = run_through(study)
    assert (run.state, run.scored) == ("finished", 1)
    asked = [payload for _, payload, _ in server.seen]
    assert [(one["temperature"], one["max_tokens"], one["seed"]) for one in asked] == [
        (0.5, 40, 0),
        (0.5, 40, 1),
        (0.5, 40, 2),
    ]
    assert "logprobs" not in asked[0]
    firsts = ["A. Impossible", "A. Necessarily true", "A. Impossible"]
    assert all(first in one["messages"][-1]["content"] for first, one in zip(firsts, asked, strict=True))
    assert EndpointCall.objects.count() == 3


def test_s3_most_replies_decide_and_their_shares_are_kept(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 4})
    # In the second and fourth ask the scale is turned round, so that D is the second degree.
    server.replies = ["B", "Answer: D", "E", "no idea"]
    run = run_through(study)
    [score] = run.scores.all()
    assert score.decision == "less_likely"
    assert score.detail["probabilities"]["less_likely"] == pytest.approx(2 / 3)
    assert score.strength == pytest.approx((2 + 2 + 5) / 3)
    assert [one["answer"] for one in score.detail["asks"]] == ["less_likely", "less_likely", "necessarily_true", ""]
    assert score.detail["asks"][3]["reply"] == "no idea"


def test_s3_of_equally_frequent_answers_none_stands():
    task = task_type("yes_no").configured({})
    both = ("yes", "no")
    tied = sampled(task.scale, SampledNumbers((both, both), ("yes", "no"), ("A", "B")))
    assert (tied.decision, tied.strength) == (None, 0)
    assert "equally often" in tied.detail["no_decision"]
    sure = sampled(task.scale, SampledNumbers((both, both), ("yes", "yes"), ("A", "A")))
    assert sure.strength == pytest.approx(math.log(2.5 / 0.5))


def test_s2_replies_that_name_nothing_leave_the_item_unscored(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 2})
    server.replies = [None, "A lamp\0 is a lamp"]
    run = run_through(study)
    [score] = run.scores.all()
    assert score.unscored.startswith("none of 2 replies names one of the letters")


def test_another_number_of_asks_is_another_measure(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 2})
    assert run_through(study).scored == 1
    assert len(server.seen) == 2
    study.prompt = {**study.prompt, "asks": 3}
    study.save()
    assert run_through(study).scored == 1
    assert len(server.seen) == 5


def test_pages_show_the_prompt_its_shots_and_every_reply(server, tmp_path, client, django_user_model):
    rows = [*plausibility_rows(1), plausibility_row(1, kind="practice", reference="impossible")]
    prompt = {"asks": 2, "system": "You judge <sentences>.", "shots": ["practice-1"]}
    study = open_small_study(tmp_path, rows, prompt=prompt)
    server.replies = ["Well. <b>Answer: C</b>", "C"]
    run = run_through(study)
    client.force_login(own_all(django_user_model.objects.create_user("r")))
    of_run = client.get(reverse("run", args=[study.slug, run.pk])).content.decode()
    assert "You judge &lt;sentences&gt;." in of_run
    assert "broken lamp number 300001" in of_run
    assert "2 calls, 1,000 tokens, cost 0.00 of at most 1.00" in of_run
    of_item = client.get(reverse("comparison_item", args=[study.slug, "target-1"])).content.decode()
    assert "Well. &lt;b&gt;Answer: C&lt;/b&gt;" in of_item
    assert of_item.count("broken lamp number 300001") == 1
    assert "Answer with one letter: A, B, C, D or E." in of_item
