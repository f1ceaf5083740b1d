"""Amounts and rates."""

from datetime import timedelta
from decimal import Decimal

import pytest

from annotation.paying.money import amount, hourly, in_words
from annotation.studyfile import COLLECTION


@pytest.mark.parametrize(("text", "found"), [("2.5", "2.50"), (" 0 ", "0.00"), ("99999.99", "99999.99"), ("3", "3.00")])
def test_reads_an_amount(text, found):
    assert str(amount(text)) == found


@pytest.mark.parametrize("text", ["", "ten", "-1", "1.005", "100000", "NaN", "Infinity", "1e400", "1,50"])
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
    assert in_words(Decimal("1234.5"), "GBP") == "1,234.50 GBP"
    assert in_words(Decimal("2"), "") == "2.00"
