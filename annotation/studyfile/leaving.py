"""The tables [codes] and [return]: what people hand in for each outcome, and where they are led."""

import re
from collections.abc import Mapping
from typing import Any

from annotation.platforms.addresses import LONGEST, is_address, tells_outcomes_apart
from annotation.platforms.contract import Outcome
from annotation.studyfile.settings import Setting, yes_or_no
from corpus.errors import Fault

EVERY, HOME, REDIRECT = "address", "home", "redirect"


def _code(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[A-Za-z0-9_-]{0,40}", value))


def _address(value: Any) -> bool:
    return value == "" or is_address(value)


CODES = {outcome.value: Setting("letters, digits, hyphens, underscores, 40 at most", _code, "") for outcome in Outcome}
TEMPLATE = Setting(
    f"an https address of {LONGEST} characters at most; in braces only code, outcome, id and session", _address, ""
)
RETURN = {
    EVERY: TEMPLATE,
    **{outcome.value: TEMPLATE for outcome in Outcome},
    HOME: Setting(f"an https address of {LONGEST} characters at most", _address, ""),
    REDIRECT: Setting("true or false", yes_or_no, False),
}


def leaving(codes: Mapping[str, Any], back: Mapping[str, Any]) -> dict[str, Any]:
    """What both tables say, without what they leave empty."""
    addresses = {name: address for name, address in back.items() if name != REDIRECT and address}
    return {
        "codes": {name: code for name, code in codes.items() if code},
        "addresses": addresses,
        "redirects": back[REDIRECT],
    }


def faults_of_leaving(study: Mapping[str, Any]) -> list[Fault]:
    """What no single field can tell."""
    every = study["addresses"].get(EVERY, "")
    if every and not tells_outcomes_apart(every):
        said = "needs {code} or {outcome}, else everybody would come back as having completed; or name each outcome"
        return [Fault(f"return.{EVERY}", said)]
    if study["redirects"] and not study["addresses"]:
        return [Fault(f"return.{REDIRECT}", "asks for an address to lead to")]
    return []
