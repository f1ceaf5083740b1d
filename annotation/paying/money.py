"""Amounts of money: decimal from the study file to the last page, never a binary fraction."""

from datetime import timedelta
from decimal import Decimal, InvalidOperation

from annotation.models import Study

CENT = Decimal("0.01")
MOST = Decimal("99999.99")
HOUR = 3600


def amount(text: str) -> Decimal:
    """What somebody wrote as an amount, to the cent. Raises ValueError with a sentence."""
    try:
        given = Decimal(text.strip())
        fits = 0 <= given <= MOST and given == given.quantize(CENT)
    except InvalidOperation:
        fits = False
    if not fits:
        raise ValueError(f"“{text[:40]}” is not an amount from 0 to {MOST} with at most two decimals, such as 2.50.")
    return given.quantize(CENT)


def pay_of(study: Study) -> Decimal | None:
    """For one sitting; None where the study does not say."""
    return amount(study.pay) if study.pay else None


def hourly(pay: Decimal | None, took: timedelta | None) -> Decimal | None:
    """What an hour of it brings; None where either is unknown, or nothing was measured."""
    seconds = int(took.total_seconds()) if took is not None else 0
    if pay is None or seconds <= 0:
        return None
    return (pay * HOUR / seconds).quantize(CENT)


def in_words(given: Decimal, currency: str) -> str:
    return f"{given:,.2f} {currency}".rstrip()
