"""An item as a question in words, for a model that is asked as annotators are."""

from collections.abc import Mapping
from typing import Any

from annotation.tasktypes.contract import Prompted, TaskType


def asked(task: TaskType, content: Mapping[str, Any]) -> Prompted:
    """What the page shows of an item: its texts, the question, and the options in the annotators' words.

    The study's instructions are not the item's; the run adds them.
    """
    values = task.scale.values
    shown = task.shown(content, {"order": list(values)})["options"]
    options = tuple((value, option.text) for value, option in zip(values, shown, strict=True))
    return Prompted(task.wording(content), task.question, options, task.scale.ordered)
