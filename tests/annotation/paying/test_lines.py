"""Amounts of money, what a line of the queue says, and what people were promised."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from annotation.assignment import finish
from annotation.models import Study
from annotation.paying.lines import read_lines
from annotation.paying.money import amount, contradictions, hourly, in_words
from annotation.paying.queue import queue, to_approve
from annotation.platforms import Outcome
from annotation.quality.sentences import warnings
from annotation.studyfile import COLLECTION
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import open_whole
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


def codes(study: Study) -> list[str]:
    """The newest first."""
    return [line.code for line in read_lines(study, list(queue(study).select_related("annotator")), pay=None)]


@pytest.mark.slow
def test_the_code_is_the_one_that_was_shown(study, come):
    finish(come(1, answers=1), Outcome.SCREENED_OUT)
    finish(come(2, answers=1), Outcome.WITHDRAWN)
    come(3)
    come(4, answers=1)
    study.codes = {"completed": "DONE", "screened_out": "OUT"}
    assert codes(study) == ["", "DONE", "", "OUT"]


@pytest.mark.slow
def test_without_the_platforms_codes_it_is_the_sittings_own(study, come):
    assert codes(study) == []
    sitting = come(1)
    assert codes(study) == [sitting.completion_code]


@pytest.mark.slow
def test_codes_take_no_query_of_their_own(study, come, django_assert_num_queries):
    come(1)
    lines = read_lines(study, list(queue(study).select_related("annotator")), pay=None)
    with django_assert_num_queries(0):
        assert lines[0].code


@pytest.mark.slow
def test_practice_is_no_answer(tmp_path: Path) -> None:
    study = open_whole(tmp_path / "whole")
    walker = Walker()
    walker.reaches_items(study.links.get().get_absolute_url())
    walker.practices()
    [line] = read_lines(study, list(queue(study).select_related("annotator")), pay=None)
    assert (line.answered, line.offered, line.measured) == (0, 3, 0)
    finish(line.sitting, Outcome.COMPLETED)
    assert not to_approve(study).exists(), "nobody is paid for practice alone"


@pytest.mark.parametrize(("text", "found"), [("2.5", "2.50"), (" 0 ", "0.00"), ("99999.99", "99999.99"), ("3", "3.00")])
def test_reads_an_amount(text, found):
    assert str(amount(text)) == found


@pytest.mark.parametrize("text", ["", "ten", "-1", "1.005", "100000", "NaN", "Infinity", "1e400", "1,500", "1,5,0"])
def test_refuses_what_is_no_amount(text):
    with pytest.raises(ValueError, match="is not an amount"):
        amount(text)


@pytest.mark.parametrize(
    ("value", "fits"),
    [("2.50", True), ("", True), ("2", True), (2.5, False), ("2.505", False), ("-1", False), ("٢", False)],
)
def test_a_study_file_says_amounts_as_text(value, fits):
    assert COLLECTION["pay"].holds(value) is fits


def test_an_hour_of_it():
    assert hourly(Decimal("2.50"), timedelta(minutes=15)) == Decimal("10.00")
    assert hourly(Decimal("0.10"), timedelta(seconds=7)) == Decimal("51.43")


@pytest.mark.parametrize(("pay", "took"), [(None, timedelta(1)), (Decimal(1), None), (Decimal(1), timedelta(0))])
def test_an_hour_that_is_not_known(pay, took):
    assert hourly(pay, took) is None


def test_in_words():
    assert in_words(Decimal("1234.5"), "GBP") == "£1,234.50"
    assert in_words(Decimal("2"), "") == "2.00"


def study_that_says(tmp_path, told, **collection):
    return open_small_study(tmp_path, plausibility_rows(3), information={"pay": told}, collection=collection)


@pytest.mark.parametrize(
    ("told", "pay", "currency"),
    [
        ("£1.50", "1.50", "GBP"),
        ("1,50 €", "1.5", "EUR"),
        ("$1,200 for the week", "1200", "USD"),
        ("1.50 pounds (£9.00 an hour)", "1.50", "GBP"),
        ("course credit", "1.50", "GBP"),
        ("£1.20", "", ""),
        ("", "1.50", "GBP"),
        ("GBP 2", "2.00", ""),
    ],
)
def test_what_agrees_or_cannot_be_compared_is_passed_over(tmp_path, told, pay, currency):
    assert contradictions(study_that_says(tmp_path, told, pay=pay, currency=currency)) == []


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("£1.20", "is £1.50"),
        ("1.50 €", "the currency is GBP"),
        ("USD 1.50", "the currency is GBP"),
        ("about 15 pounds", "is £1.50"),
    ],
)
def test_what_contradicts_is_said(tmp_path, told, says):
    study = study_that_says(tmp_path, told, pay="1.50", currency="GBP")
    assert [says in sentence and told in sentence for sentence in warnings(study)] == [True]
