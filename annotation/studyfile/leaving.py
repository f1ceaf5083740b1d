"""The tables [codes] and [return]: what people hand in for each outcome, and where they are led."""

from collections.abc import Mapping
from typing import Any

from annotation.platforms import LONGEST, Outcome, is_address, tells_outcomes_apart
from annotation.setting import Setting, Text, Tick, matching
from corpus.errors import Fault

EVERY, HOME, REDIRECT = "address", "home", "redirect"
# For each outcome, whose it is, and what else the file's page says of them.
WHO = {
    Outcome.COMPLETED: ("answered everything", ""),
    Outcome.FAILED_CHECKS: (
        "excluded by the rules; if empty, gets the code of completed",
        "Also if you excluded them during the batch. They did the work; you decide whether it is paid.",
    ),
    Outcome.SCREENED_OUT: (
        "failed the comprehension questions or is on a block list",
        "The list is `excludes` or a list of IDs. Also people who return after an exclusion.",
    ),
    Outcome.NO_CONSENT: ("did not agree", ""),
    Outcome.QUOTA_FULL: (
        "no items were left",
        "No items, the link is full, or the person has reached the limit.",
    ),
    Outcome.TOO_LATE: (
        "came too late, or was away too long",
        "The study was closed or the link had expired, or the study closed during the batch.",
    ),
    Outcome.WITHDRAWN: ("withdrew", ""),
}


CODES: dict[str, Setting] = {
    outcome.value: Text(
        label=f"Code for {outcome.words}",
        help=f"{who[0].upper()}{who[1:]}.",
        more=more,
        like="at most 40 letters, digits, hyphens and underscores",
        test=matching(r"[A-Za-z0-9_-]{1,40}"),
        default="",
    )
    for outcome, (who, more) in WHO.items()
}
TEMPLATE = f"an https address of at most {LONGEST} characters; in braces only code, outcome, id and session"
RETURN: dict[str, Setting] = {
    EVERY: Text(
        label="Return URL",
        help="Must contain {code} or {outcome}.",
        empty="people see their code, and no button",
        more="Used for outcomes without their own URL.",
        like=TEMPLATE,
        test=is_address,
        default="",
    ),
    **{
        outcome.value: Text(label=f"Return URL for {outcome.words}", like=TEMPLATE, test=is_address, default="")
        for outcome in Outcome
    },
    HOME: Text(
        label="Fallback URL",
        help="For people without a code. For example the platform’s home page.",
        empty="none",
        more="So are people who cannot be recognized, such as those without an ID.",
        like=f"an https address of at most {LONGEST} characters",
        test=is_address,
        default="",
    ),
    REDIRECT: Tick(
        label="Redirect automatically after 20 seconds",
        more="WCAG asks for at least 20 seconds. Works without JavaScript; people can "
        "choose to stay. All answers are stored by then.",
    ),
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
        said = "needs {code} or {outcome}, or one URL per outcome"
        return [Fault(f"return.{EVERY}", said)]
    if study["redirects"] and not study["addresses"]:
        return [Fault(f"return.{REDIRECT}", "needs a return URL")]
    return []
