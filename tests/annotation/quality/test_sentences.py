"""What a study says of its quality control: nothing of checks that it does not have."""

import pytest

from annotation.quality.sentences import policy
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


def said(tmp_path, items, *, quality=None, **collection) -> str:
    page = {"cannot_judge": True}
    return " ".join(policy(open_small_study(tmp_path, items, collection=collection, page=page, quality=quality or {})))


def test_a_study_without_gold_speaks_of_none(tmp_path):
    text = said(tmp_path, plausibility_rows(9), attention_per_sitting=0, gold_per_sitting=0)
    assert "gold" not in text and "attention" not in text
    assert "No rule excludes anyone." in text
    assert "items and no checks" in text


def test_gold_is_spoken_of_where_there_is_some(tmp_path):
    text = said(tmp_path, plausibility_rows(9, gold=2), attention_per_sitting=0, gold_per_sitting=1)
    assert "Gold answers exclude an annotator if more than" in text
    assert "attention" not in text and "No rule" not in text
    assert "with 1 gold items mixed in" not in text
    assert "items and 1 gold item" in text


def test_a_batch_has_no_more_items_than_there_are_and_one_step_off_is_wrong(tmp_path):
    items = plausibility_rows(9, gold=2, attention=2)
    checks = {"attention_per_sitting": 1, "gold_per_sitting": 2}
    text = said(tmp_path, items, **checks, sitting_length=20, quality={"gold_distance": 1})
    assert "A batch has 9 items, 2 gold items and 1 attention check." in text
    assert "if more than 10 % are wrong." in text


def test_attention_checks_are_spoken_of_where_there_are_some(tmp_path):
    text = said(tmp_path, plausibility_rows(9, attention=2), attention_per_sitting=1, gold_per_sitting=0)
    assert "Any failed attention check excludes an annotator." in text
    assert "A skipped attention check counts as failed." in text
