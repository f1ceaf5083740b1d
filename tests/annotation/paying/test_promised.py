"""What people are told of their payment is held against what the payment queue reckons with."""

import pytest

from annotation.paying.money import contradictions
from annotation.quality.sentences import warnings
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


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
        ("£1.20", "reckons with 1.50 GBP (pay)"),
        ("1.50 €", "the currency of the study is GBP"),
        ("USD 1.50", "the currency of the study is GBP"),
        ("about 15 pounds", "reckons with 1.50 GBP (pay)"),
    ],
)
def test_what_contradicts_is_said(tmp_path, told, says):
    study = study_that_says(tmp_path, told, pay="1.50", currency="GBP")
    assert [says in sentence and told in sentence for sentence in warnings(study)] == [True]
