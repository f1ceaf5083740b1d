"""Items of a small study in two parts to learn from, and who listens to a training."""

from dataclasses import dataclass

from annotation.tasktypes import task_type
from annotation.tasktypes.contract import Labeled
from scoring.scorers.recipes import recipe
from tests.scoring.scorers.little.bert import adept_rows, boolq_rows
from training.classifier.examples import Split, StudyItem, split
from training.classifier.history import History


def parted(kind: str = "plausibility", key: str = "adept") -> Split:
    items = {"plausibility": adept_rows, "yes_no": boolq_rows}[kind]()
    task = task_type(kind).configured({})
    rows = []
    for item in items:
        (request,) = task.requests(item.content, "label")
        assert isinstance(request, Labeled)
        rows.append(StudyItem(item.group, request, item.reference))
    return split(rows, recipe(key), labels=task.scale.values, held_out=0.25, seed=1)


@dataclass
class Told:
    """Listens, and asks to leave once a step is reached."""

    leave_at: int | None = None
    steps: int = 0
    saved: int = 0

    def progress(self, *, step: int, steps: int, history: History, is_saved: bool) -> bool:
        self.steps = steps
        self.saved += is_saved
        return self.leave_at is None or step < self.leave_at
