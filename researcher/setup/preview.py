"""Which pages a participant of a study comes to, in their order, and which instead."""

import re
from collections.abc import Iterator

from annotation.models import Item, Study
from annotation.platforms import Outcome
from annotation.stages.preview import places_of, practice_name

FIRST, AGAIN, LAST_PAGE = "first", "again", "end"
# What is said about a practice item, by its number: feedback, feedback-2 …
FEEDBACK = re.compile(r"feedback(?:-(\d+))?")
# By the kind of item, or what else stands for its place.
ITEMS = {
    "target": "An item",
    "attention": "An attention check",
    "gold": "A gold item",
    "last": "The last item",
}
ENDED = {
    Outcome.NO_CONSENT: "Declined",
    Outcome.SCREENED_OUT: "Screened out by comprehension questions",
    Outcome.FAILED_CHECKS: "Failed checks",
    Outcome.QUOTA_FULL: "No items left after the first pages",
    Outcome.TOO_LATE: "Too late: away too long",
    Outcome.WITHDRAWN: "Withdrew",
}
CLOSED, CLOSED_MIDWAY = "closed", "closed_midway"
TURNED_AWAY = {
    "nothing_left": "No items left for now",
    "nothing_more": "No more answers needed",
    "link_full": "Link is full",
    "crowd": "All places taken for the moment",
    CLOSED: "Study has closed",
    CLOSED_MIDWAY: "Study closes midway",
    "took_part": "Took part before",
    "elsewhere": "Started in another browser",
}
WITHOUT_ID = {"no_id": "No ID", "bad_id": "Unreadable ID"}


def walk_of(study: Study) -> dict[str, str]:
    """What each page is called, by its name in the address, as somebody comes to them."""
    path, where = study.path, places_of(study)
    items = [name for name in sorted(where, key=lambda name: where[name]) if name in ITEMS] or ["target"]
    pages = {
        FIRST: ("First page", True),
        "consent": ("Consent", path.consent is not None),
        "instructions": ("Instructions", path.has_gate),
        "comprehension": ("Comprehension", path.comprehension is not None),
        **{name: (called, True) for name, called in _practice(study, where)},
        **{name: (ITEMS[name], True) for name in items},
        "questionnaire": ("Questionnaire", bool(path.questionnaire)),
        "debriefing": ("Debriefing", bool(path.debriefing)),
        LAST_PAGE: ("Last page", True),
    }
    return {name: called for name, (called, is_there) in pages.items() if is_there}


def _practice(study: Study, where: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Each practice item, and what is said about it where there is something to say."""
    practice = study.items.filter(kind=Item.Kind.PRACTICE).order_by("position")
    for number, item in enumerate(practice, start=1):
        if (name := practice_name(number)) in where:
            yield name, f"Practice item {number}"
            if study.path.feedback and item.has_feedback:
                yield feedback_name(number), "Feedback"


def feedback_name(number: int) -> str:
    return practice_name(number).replace("practice", "feedback")


def explained(step: str) -> int:
    """Of which practice item a page says something; 0 of any other page."""
    found = FEEDBACK.fullmatch(step)
    return int(found[1] or 1) if found else 0


def aside_of(study: Study) -> dict[str, str]:
    """Pages that only some come to."""
    asked = study.path.comprehension
    again = {AGAIN: "One try left at the comprehension questions"} if asked is not None and asked.tries > 1 else {}
    never = {Outcome.NO_CONSENT: study.path.consent is None, Outcome.SCREENED_OUT: asked is None}
    ended = {one.value: called for one, called in ENDED.items() if not never.get(one)}
    return again | ended | TURNED_AWAY | (WITHOUT_ID if study.needs_id else {})
