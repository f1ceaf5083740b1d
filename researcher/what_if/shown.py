"""What another policy would do, as a page shows it: at once, or by a worker where the study is large."""

import json
from dataclasses import asdict, dataclass

from annotation.models import Study
from annotation.quality.policy import Policy
from comparison.frame import selected
from comparison.frame.kept.asking import start
from comparison.frame.kept.computing import Computing, Progress
from comparison.frame.kept.gathered import read_one
from comparison.frame.kept.remembered import known
from researcher.what_if.reading import WHAT_IF, WhatIf, parts, what_if

TASK = "researcher.tasks.what_if"


@dataclass(frozen=True, slots=True)
class ShownWhatIf:
    """`found` is None while a worker is at it."""

    found: WhatIf | None
    progress: Progress | None = None


def read_what_if(study: Study, policy: Policy) -> ShownWhatIf:
    gathered = read_one(study)
    if gathered.answers <= selected.QUICK:
        return ShownWhatIf(what_if(study, policy, gathered))
    found = known(WHAT_IF, {"": parts(policy, gathered)})
    if found:
        return ShownWhatIf(found[""])
    computing = making_of(study, policy)
    start(computing, TASK, study.pk, asdict(policy))
    return ShownWhatIf(None, computing.progress())


def make_what_if(study: Study, policy: Policy) -> None:
    """Compute it for the data as they are; the page then has it."""
    gathered, computing = read_one(study), making_of(study, policy)
    computing.report("holding every answer against it")
    with computing.telling():
        what_if(study, policy, gathered)
        computing.finish(gathered)


def making_of(study: Study, policy: Policy) -> Computing:
    return Computing(study.pk, "what if", json.dumps(asdict(policy), sort_keys=True))
