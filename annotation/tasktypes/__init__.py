"""The task types there are: what an item holds, how it is shown, answered, put to a model, and read out.

Free of Django and of models: `contract` is what each offers, and the words in which it speaks to scorers.
To add one: a folder beside this file with `task.py` and `item.html`, and a line below; the contract tests take it up.
"""

from importlib import import_module

from annotation.tasktypes.contract import TaskType

TASK_TYPES = {
    "forced_choice": "annotation.tasktypes.forced_choice.task:ForcedChoice",
    "plausibility": "annotation.tasktypes.plausibility.task:Plausibility",
    "rating": "annotation.tasktypes.rating.task:Rating",
    "yes_no": "annotation.tasktypes.yes_no.task:YesNo",
}


def task_type(key: str) -> type[TaskType]:
    """The task type of that name; LookupError, listing those there are, if it is unknown."""
    if key not in TASK_TYPES:
        raise LookupError(f"There is no task type {key!r}. There are: {', '.join(sorted(TASK_TYPES))}.")
    module, name = TASK_TYPES[key].split(":")
    found: type[TaskType] = getattr(import_module(module), name)
    return found
