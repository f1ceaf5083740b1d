"""What annotators of event studies read first. Our own words."""

PAIRS = """\
You will see two sentences about an event. Choose the one that describes what is more likely to happen in the world.

Sometimes one of them is impossible, sometimes it is only unusual, and sometimes both are quite possible. Think of \
what the sentences say, not of how they are written.
"""

RATINGS = """\
You will see one sentence about an event. Say how plausible the event is, from 1 to 7.

1 means that it is completely implausible: you cannot imagine that it happens. 7 means that it is completely \
plausible: it is just what one would expect. Use the numbers between for what lies between.

Judge what the sentence says, not how it is written.
"""

QUESTION_PAIRS = "Which of the two is more likely to happen?"
QUESTION_RATINGS = "How plausible is this event?"
LOW, HIGH = "Completely implausible", "Completely plausible"
