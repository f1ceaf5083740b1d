"""The queues. docs/running.md has a worker for each, and so has `make run`, where one reads two."""

from enum import StrEnum


class Queue(StrEnum):
    """In the order in which `make run` starts their workers. What waits on one never waits behind another's."""

    # What takes moments, among it all that time brings about.
    UPKEEP = "upkeep"
    # What waits for the servers of others.
    WEBHOOKS = "webhooks"
    # What takes minutes and somebody waits for at a page: figures of large studies, files that are made or brought in.
    FIGURES = "figures"
    # What opens a model.
    SCORING = "scoring"
    # Hours each.
    TRAINING = "training"
    # Studies made of text or of a published data set: hours too, with a process for each core.
    JOBS = "jobs"
