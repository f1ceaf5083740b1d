"""Amounts of money: decimal from the study file to the last page, never a binary fraction."""

import re
from datetime import timedelta
from decimal import Decimal, InvalidOperation

from django.utils.formats import number_format
from django.utils.translation import get_language

from annotation.models import Study
from annotation.setting import Warned
from annotation.studyfile.collection import SIGNS

AMOUNT = re.compile(r"\d+(?:[.,]\d{3})*(?:[.,]\d{1,2})?(?!\d)")
# As German writes 2.50; what could be thousands is no amount.
COMMA = re.compile(r"^(\d+),(\d{1,2})$")
ENGLISH = ("en", "en-us", "en-gb")

CENT = Decimal("0.01")
MOST = Decimal("99999.99")
HOUR = 3600
DIFFER = "Two pay amounts differ"


def _amount(written: str) -> Decimal:
    """A point or a comma before one or two digits at the end is the decimal one."""
    whole, cents = re.fullmatch(r"(.*?)(?:[.,](\d{1,2}))?", written).groups()  # type: ignore[union-attr]
    return Decimal(f"{re.sub('[.,]', '', whole)}.{cents or 0}")


def amount(text: str) -> Decimal:
    """What somebody wrote as an amount, to the cent. Raises ValueError with a sentence."""
    try:
        given = Decimal(COMMA.sub(r"\1.\2", text.strip()))
        fits = 0 <= given <= MOST and given == given.quantize(CENT)
    except InvalidOperation:
        fits = False
    if not fits:
        raise ValueError(f"“{text[:40]}” is not an amount from 0 to {MOST} with at most two decimals, such as 2.50.")
    return given.quantize(CENT)


def pay_of(study: Study) -> Decimal | None:
    """For one sitting; None where the study does not say."""
    return amount(study.pay) if study.pay else None


def pay_in_words(study: Study) -> str:
    """What people read of their pay: the researcher's words, else the amount as their language writes it."""
    information, pay = study.path.information, pay_of(study)
    if (information is not None and information.pay) or pay is None:
        return information.pay if information is not None else ""
    if get_language() in (None, *ENGLISH):
        return in_words(pay, study.currency)
    before, behind = written(study.currency)
    return f"{number_format(pay, 2)} {before}{behind.strip()}".strip()


def hourly(pay: Decimal | None, took: timedelta | None) -> Decimal | None:
    """What an hour of it brings; None where either is unknown, or nothing was measured."""
    seconds = int(took.total_seconds()) if took is not None else 0
    if pay is None or seconds <= 0:
        return None
    return (pay * HOUR / seconds).quantize(CENT)


def written(currency: str) -> tuple[str, str]:
    """What stands before and behind an amount.

    >>> written("GBP"), written("CHF"), written("")
    (('£', ''), ('', ' CHF'), ('', ''))
    """
    sign = next((sign for sign, code in SIGNS.items() if code == currency), "")
    return sign, f" {currency}" if currency and not sign else ""


def in_words(given: Decimal, currency: str) -> str:
    before, behind = written(currency)
    return f"{before}{given:,.2f}{behind}"


def contradictions(study: Study) -> list[Warned]:
    """Where `pay` of [information], a text, has no amount like `pay` and `currency` of [collection]: in sentences."""
    information, pay = study.path.information, pay_of(study)
    told = information.pay if information is not None else ""
    if pay is None or not told:
        return []
    found = []
    if (amounts := {_amount(one) for one in AMOUNT.findall(told)}) and pay not in amounts:
        says = f"People read “{told}” under Information, but “Pay per submission” is {in_words(pay, study.currency)}. "
        found.append(Warned("information.pay", DIFFER, f"{says}Make them the same.", stops=True))
    named = {code for sign, code in SIGNS.items() if sign in told} | ({*SIGNS.values()} & {*re.findall("[A-Z]+", told)})
    if study.currency and named and study.currency not in named:
        says = f"People read “{told}” under Information, but the currency is {study.currency}."
        found.append(Warned("information.pay", DIFFER, says, stops=True))
    return found
