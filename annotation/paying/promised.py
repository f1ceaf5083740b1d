"""Whether what people are told of their payment is what the payment queue reckons with."""

import re
from decimal import Decimal

from annotation.models import Study
from annotation.paying.money import in_words, pay_of

AMOUNT = re.compile(r"\d+(?:[.,]\d{3})*(?:[.,]\d{1,2})?(?!\d)")
SIGNS = {"£": "GBP", "€": "EUR", "$": "USD"}


def contradictions(study: Study) -> list[str]:
    """`pay` of [information], in the researcher's words, beside `pay` and `currency` of [collection]: in sentences.

    An amount among several is enough, such as a rate for an hour beside that for the sitting.
    """
    information, pay = study.path.information, pay_of(study)
    told = information.pay if information is not None else ""
    if pay is None or not told:
        return []
    found = []
    if (amounts := _amounts(told)) and pay not in amounts:
        found.append(
            f"People are told that they get “{told}” (information), and the payment queue reckons with "
            f"{in_words(pay, study.currency)} (pay). Say the same in both."
        )
    named = {code for sign, code in SIGNS.items() if sign in told} | ({*SIGNS.values()} & {*re.findall("[A-Z]+", told)})
    if study.currency and named and study.currency not in named:
        found.append(
            f"People are told that they get “{told}” (information), and the currency of the study is {study.currency}."
        )
    return found


def _amounts(text: str) -> set[Decimal]:
    return {_amount(found) for found in AMOUNT.findall(text)}


def _amount(written: str) -> Decimal:
    """A point or a comma before one or two digits at the end is the decimal one."""
    whole, cents = re.fullmatch(r"(.*?)(?:[.,](\d{1,2}))?", written).groups()  # type: ignore[union-attr]
    return Decimal(f"{re.sub('[.,]', '', whole)}.{cents or 0}")
