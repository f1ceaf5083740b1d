"""Asking several times and reading replies (docs/metrics.md, `sampled`): a real server on this machine replies."""

import math
from collections.abc import Iterator

import pytest
from django.urls import reverse

from annotation.models import Study
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import SampledNumbers
from annotation.tasktypes.readouts import sampled
from scoring.library.installation import install_endpoint
from scoring.models import EndpointCall, Run
from scoring.runs.prompts import settings_of
from scoring.runs.starting import start_run
from scoring.scorers.questions import orders
from tests.scoring.scorers.endpoint.installed import endpoint
from tests.scoring.scorers.endpoint.server import Server
from tests.scoring.working_off import run_through
from tests.studies import open_small_study, own_all, plausibility_row, plausibility_rows

pytestmark = pytest.mark.django_db

TOLD = {"instructions": "Read the sentence."}


@pytest.fixture
def server(settings, monkeypatch) -> Iterator[Server]:
    with endpoint(settings, monkeypatch) as found:
        yield found


def numbers(shown, answers) -> SampledNumbers:
    unread = tuple("" if answer else "it is empty" for answer in answers)
    return SampledNumbers(tuple(shown), tuple(answers), ("",) * len(answers), unread)


def several(study) -> Run:
    [model] = install_endpoint()
    return run_through(start_run(study, model, "sampled"))


@pytest.mark.parametrize(
    ("task", "asks", "balanced"),
    [("yes_no", 5, 6), ("yes_no", 6, 6), ("plausibility", 1, 2), ("plausibility", 5, 6), ("rating", 3, 4)],
)
def test_s1_asks_are_a_multiple_of_the_orders(task, asks, balanced):
    kind = task_type(task)
    study = Study(task_type=task, task_settings=kind.example_settings, prompt={"asks": asks}, declared=TOLD)
    assert settings_of(study, metric="sampled")["asks"] == balanced


def test_s1_a_choice_of_three_has_three_orders():
    settings = {"question": "Which?", "options": ["a", "b", "c"]}
    study = Study(task_type="forced_choice", task_settings=settings, prompt={}, declared=TOLD)
    assert settings_of(study, metric="sampled")["asks"] == 6
    study.prompt = {"asks": 7}
    assert settings_of(study, metric="sampled")["asks"] == 9


@pytest.mark.slow
def test_s1_every_item_is_asked_so_often_in_every_order_in_turn(server, tmp_path):
    prompt = {"asks": 3, "temperature": 0.5, "answer_tokens": 40}
    study = open_small_study(tmp_path, plausibility_rows(1), prompt=prompt)
    run = several(study)
    assert (run.state, run.scored) == ("finished", 1)
    asked = [payload for _, payload, _ in server.seen]
    assert [(one["temperature"], one["max_tokens"], one["seed"]) for one in asked] == [
        (0.5, 40, 0),
        (0.5, 40, 1),
        (0.5, 40, 2),
        (0.5, 40, 3),
    ]
    assert "logprobs" not in asked[0]
    firsts = ["A. Impossible", "A. Necessarily true"] * 2
    assert all(first in one["messages"][-1]["content"] for first, one in zip(firsts, asked, strict=True))
    assert EndpointCall.objects.count() == 4


def test_s3_most_replies_decide_and_their_shares_are_kept(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 4})
    # In the second and fourth ask the scale is turned round, so that D is the second degree.
    server.replies = ["B", "Answer: D", "E", "no idea"]
    run = several(study)
    [score] = run.scores.all()
    assert score.decision == "less_likely"
    # Half of the first order's answers, and the only one of the second's.
    assert score.detail["probabilities"]["less_likely"] == pytest.approx(3 / 4)
    assert score.strength == pytest.approx(2 * 3 / 4 + 5 / 4)
    assert [one["answer"] for one in score.detail["asks"]] == ["less_likely", "less_likely", "necessarily_true", ""]
    assert score.detail["asks"][3]["reply"] == "no idea"
    assert score.detail["asks"][3]["unread"] == "it names no option"


@pytest.mark.slow
@pytest.mark.parametrize("letter", ["A", "E"])
def test_s3_a_model_that_knows_only_the_place_decides_nothing(server, tmp_path, letter):
    study = open_small_study(tmp_path, plausibility_rows(2))
    server.replies = [letter] * 12
    run = several(study)
    assert len(server.seen) == 12
    for score in run.scores.all():
        assert (score.decision, score.unscored, score.strength) == (None, "", 3)
        assert "changes with the order of the options" in score.detail["no_decision"]


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("place", [0, -1])
def test_s3_no_choice_is_decided_by_place(count, place):
    values = tuple("abcd"[:count])
    settings = {"question": "Which?", "options": list(values)}
    scale = task_type("forced_choice").configured(settings).scale
    shown = [tuple(value for value, _ in one) for one in orders(tuple((v, v) for v in values), ordered=False)] * 2
    found = sampled(scale, numbers(shown, [one[place] for one in shown]))
    assert (found.decision, found.strength) == (None, 0)


def test_s3_a_most_frequent_answer_that_one_order_contradicts_is_no_decision():
    task = task_type("yes_no").configured({})
    shown = [("yes", "no"), ("no", "yes")] * 3
    mostly = sampled(task.scale, numbers(shown, ["yes", "no", "yes", "no", "yes", "yes"]))
    assert mostly.decision is None
    assert mostly.detail["no_decision"] == "the answer changes with the order of the options: yes, then no"
    assert mostly.detail["probabilities"]["yes"] == pytest.approx(2 / 3)
    assert mostly.strength == pytest.approx(math.log(4.5 / 2.5))
    agreed = sampled(task.scale, numbers(shown, ["yes", "no", "yes", "yes", "yes", "yes"]))
    assert agreed.decision == "yes"


def test_s3_replies_without_an_answer_shift_no_balance():
    task = task_type("yes_no").configured({})
    shown = [("yes", "no"), ("no", "yes")] * 3
    found = sampled(task.scale, numbers(shown, ["yes", "no", "yes", "", "yes", ""]))
    assert (found.decision, found.strength) == (None, 0)


def test_s3_of_equally_frequent_answers_none_stands():
    task = task_type("yes_no").configured({})
    shown = [("yes", "no"), ("no", "yes")] * 2
    tied = sampled(task.scale, numbers(shown, ["yes", "no", "no", "yes"]))
    assert (tied.decision, tied.strength) == (None, 0)
    assert tied.detail["no_decision"] == "yes and no are equally frequent"
    sure = sampled(task.scale, numbers(shown[:2], ["yes", "yes"]))
    assert sure.strength == pytest.approx(math.log(2.5 / 0.5))


def test_s2_an_order_without_an_answer_leaves_the_item_unscored(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 4})
    server.replies = ["B", "A or B", "B", "neither"]
    [score] = several(study).scores.all()
    assert score.unscored.startswith("no reply to the order necessarily_true, ")
    assert "it names more than one option" in score.unscored


def test_s2_a_reply_in_parts_is_its_text(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 2})
    parts = [{"type": "thinking", "thinking": "Answer: A"}, {"type": "text", "text": "C"}]
    server.replies = [parts, parts]
    [score] = several(study).scores.all()
    assert score.decision == "equally_likely"


def test_s2_replies_that_name_nothing_leave_the_item_unscored(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 2})
    server.replies = [None, "A lamp\0 is a lamp"]
    run = several(study)
    [score] = run.scores.all()
    assert score.unscored.startswith("no reply names an option: it is empty")


@pytest.mark.slow
def test_another_number_of_asks_is_another_measure(server, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1), prompt={"asks": 2})
    assert several(study).scored == 1
    assert len(server.seen) == 2
    study.prompt = {**study.prompt, "asks": 4}
    study.save()
    assert several(study).scored == 1
    assert len(server.seen) == 6


@pytest.mark.slow
def test_pages_show_the_prompt_its_shots_and_every_reply(server, tmp_path, client, django_user_model):
    rows = [*plausibility_rows(1), plausibility_row(1, kind="practice", reference="impossible")]
    prompt = {"asks": 2, "system": "You judge <sentences>.", "shots": ["practice-1"]}
    study = open_small_study(tmp_path, rows, prompt=prompt)
    server.replies = ["Well. <b>Answer: C</b>", "C"]
    run = several(study)
    client.force_login(own_all(django_user_model.objects.create_user("r")))
    of_run = client.get(reverse("run", args=[study.slug, run.pk])).content.decode()
    assert "You judge &lt;sentences&gt;." in of_run
    assert "broken lamp number 300001" in of_run
    assert "2 calls, 1,000 tokens, cost 0.00 of at most 1.00" in of_run
    of_item = client.get(reverse("comparison_item", args=[study.slug, "target-1"])).content.decode()
    assert "Well. &lt;b&gt;Answer: C&lt;/b&gt;" in of_item
    assert of_item.count("broken lamp number 300001") == 1
    assert "Answer with one letter: A, B, C, D or E." in of_item
