"""The task types there are.

To add one:

1. Make a module beside this file, whose class is a TaskType (contract.py), and a template of its name: what the page
   shows. A scale whose options stay in their order begins with FixedOrder.
2. Name the class below, under the word that study.toml says as [task] type.
3. Say what it asks in docs/studies.md. tests/annotation/test_tasktypes.py then holds it to the contract.
"""

from importlib import import_module

from annotation.setting import Setting
from annotation.tasktypes.contract import TaskType

TASK_TYPES = {
    "forced_choice": "annotation.tasktypes.forced_choice:ForcedChoice",
    "plausibility": "annotation.tasktypes.plausibility:Plausibility",
    "rating": "annotation.tasktypes.rating:Rating",
    "yes_no": "annotation.tasktypes.yes_no:YesNo",
}


def task_settings() -> dict[str, Setting]:
    """What [task] may say, whatever its type; a name means the same in all of them."""
    return {name: setting for key in TASK_TYPES for name, setting in task_type(key).settings.items()}


def task_type(key: str) -> type[TaskType]:
    """The task type of that name; LookupError, listing those there are, if it is unknown."""
    if key not in TASK_TYPES:
        raise LookupError(f"There is no task type {key!r}. Available: {', '.join(sorted(TASK_TYPES))}.")
    module, name = TASK_TYPES[key].split(":")
    found: type[TaskType] = getattr(import_module(module), name)
    return found
