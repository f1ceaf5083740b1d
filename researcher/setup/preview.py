"""Which pages a participant of a study comes to, in their order, and which instead."""

from annotation.models import Study
from annotation.platforms.outcome import Outcome
from annotation.stages.preview import places_of

FIRST, AGAIN, FEEDBACK, LAST_PAGE = "first", "again", "feedback", "end"
# By the kind of item, or what else stands for its place.
ITEMS = {
    "target": "An item",
    "attention": "An attention check",
    "gold": "A gold item",
    "last": "The last target",
}
ENDED = {
    Outcome.NO_CONSENT: "declined",
    Outcome.SCREENED_OUT: "was screened out by the comprehension questions",
    Outcome.FAILED_CHECKS: "failed checks",
    Outcome.QUOTA_FULL: "found the quota full behind the first pages",
    Outcome.TOO_LATE: "was away until the items had gone to others: too late",
    Outcome.WITHDRAWN: "has withdrawn",
}
CLOSED, CLOSED_MIDWAY = "closed", "closed_midway"
TURNED_AWAY = {
    "nothing_left": "finds the quota full: no item is left",
    "link_full": "finds the quota full: as many have begun by the link as may",
    "crowd": "comes while as many are beginning as may at once",
    CLOSED: "comes too late: the study has closed",
    CLOSED_MIDWAY: "is too late: the study closes while they are at it",
    "took_part": "is screened out for having taken part before",
    "elsewhere": "has begun in another browser",
}
WITHOUT_ID = {"no_id": "comes without an id", "bad_id": "comes with what cannot be an id"}


def walk_of(study: Study) -> dict[str, str]:
    """What each page is called, by its name in the address, as somebody comes to them."""
    path, where = study.path, places_of(study)
    items = [name for name in sorted(where, key=lambda name: where[name]) if name != "practice"] or ["target"]
    feedback = path.feedback and study.items.filter(kind="practice").exists()
    pages = {
        FIRST: ("First page", True),
        "consent": ("Consent", path.consent is not None),
        "instructions": ("Instructions", path.has_gate),
        "comprehension": ("Comprehension", path.comprehension is not None),
        "practice": ("A practice item", "practice" in where),
        FEEDBACK: ("What is said about it", feedback and "practice" in where),
        **{name: (ITEMS[name], True) for name in items},
        "questionnaire": ("Questionnaire", bool(path.questionnaire)),
        "debriefing": ("Debriefing", bool(path.debriefing)),
        LAST_PAGE: ("Last page", True),
    }
    return {name: called for name, (called, is_there) in pages.items() if is_there}


def aside_of(study: Study) -> dict[str, str]:
    """Pages that only some come to."""
    asked = study.path.comprehension
    again = {AGAIN: "has one try left at the comprehension questions"} if asked is not None and asked.tries > 1 else {}
    never = {Outcome.NO_CONSENT: study.path.consent is None, Outcome.SCREENED_OUT: asked is None}
    ended = {one.value: called for one, called in ENDED.items() if not never.get(one)}
    return again | ended | TURNED_AWAY | (WITHOUT_ID if study.needs_id else {})
