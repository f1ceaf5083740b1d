"""What is said of people's agreement, in worlds where the truth is known."""

import re

import numpy as np
import pytest

from comparison.statistics.counts import count
from comparison.statistics.verdict.evidence import Entrant, Evidence, Voices
from comparison.statistics.verdict.rule import verdict


def judged(labels, *, values, ordered=False, runs=None):
    """Of labels of shape (items, people)."""
    items, people = labels.shape
    rows, raters = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    return verdict(
        Evidence(
            counts=count(rows, labels.ravel(), size=items, values=values),
            truth=np.full(items, -1),
            words=tuple(str(value) for value in range(values)),
            ordered=ordered,
            entrants=tuple(
                Entrant(run=run, name=name, is_baseline=False, decided=codes)
                for run, (name, codes) in enumerate((runs or {}).items())
            ),
            voices=Voices(rows, raters, labels.ravel(), tuple(f"a{rater}" for rater in range(people))),
        )
    )


def said(labels, *, values, ordered=False):
    return judged(labels, values=values, ordered=ordered).on("people")


@pytest.mark.slow
def test_one_of_three_with_the_scale_upside_down_is_named_and_is_no_noise():
    rng = np.random.default_rng(1)
    truth = rng.integers(5, size=200)
    labels = np.clip(truth[:, None] + rng.integers(-1, 2, size=(200, 3)), 0, 4)
    labels[:, 2] = 4 - labels[:, 2]
    text = said(labels, values=5, ordered=True)
    assert text.startswith("Annotators contradict one another. α = −")
    assert "without a2 it is ." in text
    assert re.search(
        r"Labels of a2 run against the others’\. r = −\.\d\d \[−\.\d\d, −\.\d\d\] on 200 items · is the scale", text
    )
    assert "a0" not in text
    assert "not shown to beat chance" not in text
    assert "noise" not in text


def test_slips_on_different_items_are_no_contradiction():
    slips = np.zeros((50, 2), dtype=int)
    slips[:3, 0] = slips[3:5, 1] = 1
    assert said(slips, values=2).startswith("95 % of labels are “0”; agreement beyond that is not shown.")


@pytest.mark.slow
def test_noise_is_no_contradiction():
    rng = np.random.default_rng(8)
    worlds = [rng.integers(values, size=(items, people)) for items, people, values in [(10, 2, 2), (12, 3, 5)] * 100]
    values = [2, 5] * 100
    assert sum("contradict" in said(labels, values=of) for labels, of in zip(worlds, values, strict=True)) <= 9


@pytest.mark.slow
def test_one_of_five_with_the_scale_upside_down_is_named_though_alpha_is_above_0():
    rng = np.random.default_rng(5)
    truth = rng.integers(7, size=120)
    labels = np.clip(truth[:, None] + rng.integers(-1, 2, size=(120, 5)), 0, 6)
    labels[:, 3] = 6 - labels[:, 3]
    text = said(labels, values=7, ordered=True)
    assert text.startswith("Annotators agree ")
    assert "Labels of a3 run against the others’. r = −." in text


def test_one_of_four_who_mixes_up_two_labels_is_named():
    rng = np.random.default_rng(6)
    truth = rng.integers(2, size=120)
    labels = np.where(rng.random((120, 4)) < 0.9, truth[:, None], 1 - truth[:, None])
    labels[:, 1] = 1 - labels[:, 1]
    text = said(labels, values=2)
    assert "Labels of a1 run against the others’. r = −." in text
    assert "on 120 items · are the two labels mixed up?" in text


def test_full_agreement_on_a_handful_of_items_is_compared_with_labels_by_lot():
    assert said(np.array([[0, 0], [1, 1]]), values=2).startswith(
        "The 2 items agree fully, which chance alone does 25 % of the time."
    )
    assert "chance alone" not in said(np.tile([[0, 0], [1, 1]], (4, 1)), values=2)


def test_agreement_below_two_thirds_has_bands():
    rng = np.random.default_rng(2)
    truth = rng.integers(2, size=3000)
    for right, word in ((0.65, "barely"), (0.77, "weakly"), (0.87, "in part")):
        labels = np.where(rng.random((3000, 3)) < right, truth[:, None], 1 - truth[:, None])
        assert said(labels, values=2).startswith(f"Annotators agree {word}. ")


def test_a_sentence_does_not_capitalize_a_model_s_name():
    truth = np.arange(80) % 2
    runs = tuple(
        Entrant(
            run=run, name=f"m{run}", is_baseline=False, decided=np.where(np.arange(80) % 10 == run, 1 - truth, truth)
        )
        for run in (1, 2)
    )
    found = verdict(
        Evidence(counts=np.eye(2, dtype=int)[truth] * 3, truth=truth, words=("no", "yes"), ordered=False, entrants=runs)
    )
    assert "m1 and m2" in found.on("nearest")
    assert "M1" not in found.headline


def test_annotators_at_chance_are_named_with_their_share_of_the_labels():
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=200)
    right = rng.random((200, 5)) < np.array([0.85, 0.5, 0.85, 0.85, 0.5])
    text = said(np.where(right, truth[:, None], 1 - truth[:, None]), values=2)
    assert "a1 and a4 gave 40 % of the labels and are not shown to beat chance. 2 of 5" in text


def test_a_run_that_copies_one_annotator_is_named_with_its_source():
    rng = np.random.default_rng(4)
    truth = rng.integers(2, size=240)
    labels = np.where(rng.random((240, 5)) < 0.8, truth[:, None], 1 - truth[:, None])
    copy = np.where(rng.random(240) < 0.95, labels[:, 3], 1 - labels[:, 3])
    good = np.where(rng.random(240) < 0.9, truth, 1 - truth)
    [found] = judged(labels, values=2, runs={"m1": copy, "m2": good}).of("person")[:1]
    assert found.state.word == "Copy"
    assert "m1 follows a3" in found.statement and "m2" not in found.statement
    assert "a3’s label .9" in found.evidence and "240 items" in found.evidence


def test_two_camps_are_named_with_who_is_in_which():
    rng = np.random.default_rng(7)
    one, other = rng.integers(2, size=(2, 240))
    seen = np.where(np.arange(5) < 3, one[:, None], np.where(np.arange(240) % 5 < 3, other, one)[:, None])
    text = said(np.where(rng.random((240, 5)) < 0.9, seen, 1 - seen), values=2)
    assert re.search(r"two camps: a0, a1 and a2, and a3 and a4\. Label pairs match \.8\d and \.8\d within, \.", text)
    assert "run against" not in text
    assert "not shown to beat chance" not in text


def test_nobody_who_stands_out_is_a_word_too():
    rng = np.random.default_rng(4)
    truth = rng.integers(2, size=80)
    labels = np.where(rng.random((80, 5)) < 0.85, truth[:, None], 1 - truth[:, None])
    text = said(labels, values=2)
    assert "No annotator is shown to stand out. 5 tested · exact test of misses of the others’ majority (Holm)" in text
    # Of two nobody can be told to differ, and of noise there is nobody to differ from.
    assert "stand out" not in said(labels[:, :2], values=2)
    assert "stand out" not in said(rng.integers(2, size=(80, 5)), values=2)


def test_one_who_errs_more_and_follows_nonetheless_stands_out():
    rng = np.random.default_rng(4)
    truth = rng.integers(2, size=200)
    right = rng.random((200, 5)) < np.array([0.97, 0.97, 0.97, 0.97, 0.75])
    text = said(np.where(right, truth[:, None], 1 - truth[:, None]), values=2)
    assert "a4 stands out. 1 of 5 · exact test of misses of the others’ majority, p < .05 (Holm)" in text
    assert "not shown to beat chance" not in text
