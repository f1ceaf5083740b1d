"""What can be told. Free of Django and of rows."""

from enum import StrEnum


class Event(StrEnum):
    """The value stands in messages."""

    STUDY_COMPLETE = "study.complete"
    RUN_FINISHED = "run.finished"
    SITTING_FINISHED = "sitting.finished"
    # Only ever asked for, on the page.
    TEST = "test"


WORDS: dict[Event, str] = {
    Event.STUDY_COMPLETE: "every item has its labels",
    Event.RUN_FINISHED: "a run has finished or failed",
    Event.SITTING_FINISHED: "a sitting has ended",
}
