"""The page of one item: everything known about it, and nothing that names a person."""

import math
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from annotation.models import Assignment, Item, Judgment, LabelSource, Revision
from comparison.page.item.detail import Token
from comparison.page.item.page import Bar, Picture, PicturedText
from scoring.models import Score
from tests.comparison.cast import START
from tests.comparison.page.visiting import words


def page(client, study, item="target-3"):
    return client.get(reverse("comparison_item", args=[study.slug, item]))


def test_an_unknown_item_is_not_found(logged_in, study):
    assert page(logged_in, study, "target-99").status_code == 404


def test_labels_are_shown_without_names(logged_in, study):
    response = page(logged_in, study)
    assert [given.answer for given in response.context["detail"].given] == [
        "Less likely",
        "Less likely",
        "Equally likely",
    ]
    assert "p1" not in words(response).split()
    assert "People 3 labels 2 , majority 1" in words(response)


@pytest.mark.slow
def test_only_an_item_that_nobody_was_shown_can_be_reworded(logged_in, study):
    assert "Reword item" not in words(page(logged_in, study))
    assert "Reword item" in words(page(logged_in, study, "target-6"))


def test_earlier_answers_are_shown(logged_in, study):
    judgment = Judgment.objects.filter(assignment__item__external_id="target-3").earliest("pk")
    Revision.objects.create(
        judgment=judgment, answer="impossible", answered_at=START, replaced_at=START + timedelta(seconds=1)
    )
    assert any(given.earlier == (("Impossible", START),) for given in page(logged_in, study).context["detail"].given)


@pytest.mark.slow
def test_labels_that_do_not_count_are_marked(logged_in, study):
    Assignment.objects.filter(item__external_id="target-3").update(state="excluded")
    Item.objects.filter(external_id="target-3").update(tally={}, counted=0)
    response = page(logged_in, study)
    assert not any(given.counts for given in response.context["detail"].given)
    assert "People: no labels yet" in words(response)


def test_every_run_tells_what_it_knows(logged_in, study):
    answers = {answer.run.model.key: answer for answer in page(logged_in, study).context["detail"].answers}
    assert answers["parrot"].decision == "Less likely"
    smol = answers["smol"]
    assert (smol.decision, smol.strength, smol.top[0]) == ("", "+2.00", ("lamp", "−0.500"))
    assert [option.logprob for option in smol.options] == ["−20.000", "−18.000"]
    assert smol.options[0].tokens[0] == Token("A", "−1.00", "1.44", 1 / math.log(2))


def test_an_unscored_item_gives_the_reason(logged_in, study):
    assert "Unscored: too long for the model" in words(page(logged_in, study, "target-6"))


@pytest.mark.slow
def test_items_are_linked_in_order(logged_in, study):
    detail = page(logged_in, study).context["detail"]
    assert (detail.before, detail.after) == ("target-2", "target-4")
    assert page(logged_in, study, "target-1").context["detail"].before is None


@pytest.mark.slow
def test_an_item_that_nobody_answered_says_what_to_do(logged_in, bare_study):
    text = words(page(logged_in, bare_study, "target-1"))
    assert "Invite annotators" in text
    assert "Start a run" in text


def test_scores_that_are_no_log_probabilities_are_not_called_so(logged_in, study):
    numbers = {"original": {"text": "A dog.", "score": -1234567.0}, "modified": {"text": "A hat.", "score": 0.25}}
    Score.objects.filter(item__external_id="target-3", run__model__key="smol").update(detail={"options": numbers})
    response = page(logged_in, study)
    answers = {answer.run.model.key: answer for answer in response.context["detail"].answers}["smol"]
    assert [option.score for option in answers.options] == ["−1234567.000", "+0.250"]
    text = words(response)
    assert "Option Text Score original" in text
    assert "Log-probability" not in text


@pytest.mark.slow
def test_of_an_imported_label_no_place_and_no_time_are_told(logged_in, study):
    here = words(page(logged_in, study))
    assert "2026-03-02" in here
    source = LabelSource.objects.create(study=study, name="labels.csv", sha256="0" * 64, labels=15)
    study.sittings.update(source=source)
    response = page(logged_in, study)
    assert all(given.position is None and given.answered_at is None for given in response.context["detail"].given)
    assert "2026-03-02" not in words(response)
    assert "imported" in words(response)


def test_two_texts_are_drawn_and_further_ones_are_folded(rf):
    bars = (Bar(Token("A", "−1.00", "1.44", 1.44), 0.0, 100.0),)
    for texts, folded in ((2, 0), (3, 1), (5, 1)):
        named = tuple(PicturedText(f"text {number}", "1.44", bars) for number in range(texts))
        drawn = Picture(key="1", name="owl", most="1.4", texts=named, columns=(), sentence="", others=(("1", "owl"),))
        shown = render_to_string("comparison/_surprisal.html", {"picture": drawn}, rf.get("/"))
        assert (shown.count("<details"), shown.count("</details>")) == (folded, folded)
        assert shown.count("<ol ") == texts
    assert "3 more texts" in shown
    assert shown.index("text 1") < shown.index("3 more texts") < shown.index("text 2")
