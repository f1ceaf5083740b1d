"""What can be told. Free of Django and of rows."""

from annotation.audit.deeds import Worded


class Event(Worded):
    """The value stands in messages."""

    STUDY_COMPLETE = "study.complete", "every item has its labels"
    RUN_FINISHED = "run.finished", "a run has finished or failed"
    SITTING_FINISHED = "sitting.finished", "a sitting has ended"
    TEST = "test", "a message to try an address, which is only ever asked for on the page"


# What an address can be told of by itself.
TOLD = tuple(event for event in Event if event is not Event.TEST)
