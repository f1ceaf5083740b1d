"""The queues. docs/running.md has a worker for each, and so has `make run`, where one reads two."""

from enum import StrEnum


class Queue(StrEnum):
    """In the order in which `make run` starts their workers. What waits on one never waits behind another's."""

    # What takes moments, among it all that time brings about.
    UPKEEP = "upkeep"
    # What waits for the servers of others.
    WEBHOOKS = "webhooks"
    # What takes seconds and somebody waits for at a page: figures and files.
    FIGURES = "figures"
    # The same where it takes minutes, because the study is large; and files that are brought in.
    LARGE = "large"
    # What opens a model.
    SCORING = "scoring"
    # Hours each.
    TRAINING = "training"
    # Studies made of text or of a published data set: hours too, with a process for each core.
    JOBS = "jobs"
