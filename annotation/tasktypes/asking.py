"""An item as a question in words, for a model that is asked as annotators are."""

import re
from collections.abc import Mapping
from typing import Any

from annotation.setting import OPENED, Fixed, Text
from annotation.tasktypes.contract import Prompted, Shot, TaskType

# What the user's message is where a study words none of its own (docs/metrics.md, Q2).
ASKED = Fixed(when=OPENED, because="the question and its options are locked: labels answer them")
QUESTION = Text(
    label="Question",
    help="Shown above the options.",
    like="question that annotators read",
    rows=2,
    fixed=ASKED,
)
TEMPLATE = "{item}\n\n{question}\n{options}\n\nAnswer with one letter: {letters}."
# What a template may have filled in, and without which it would not ask about the item.
PLACES = ("item", "question", "options", "letters")
NEEDED = ("item", "options")
_PLACE = re.compile(r"\{(\w+)\}")


def question_of(task: TaskType, content: Mapping[str, Any]) -> Prompted:
    """What the page shows of an item: texts, question and options. What is of the study is added by the run."""
    values = task.scale.values
    shown = task.page_context(content, {"order": list(values)})["options"]
    options = tuple((value, option.text) for value, option in zip(values, shown, strict=True))
    return Prompted(task.wording(content), task.question, options, task.scale.ordered)


def shot(task: TaskType, content: Mapping[str, Any], answer: str) -> Shot:
    """An item with its answer, a canonical value, as it is put before those that are asked."""
    put = question_of(task, content)
    return Shot(put.text, put.question, put.options, answer)


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with each place filled in, once: what is filled in is not looked through again.

    >>> filled("{item} {letters}?", {"item": "{letters}", "letters": "A or B"})
    '{letters} A or B?'
    """
    return _PLACE.sub(lambda found: values[found[1]], template)


def fault_of(template: str) -> str:
    """What is wrong with a template, to go on after its name; empty where it asks about an item.

    >>> fault_of("{item} {scale}")
    'has {scale}, which nothing fills in; {item}, {question}, {options}, {letters} are filled in'
    """
    found = _PLACE.findall(template)
    unknown = [name for name in found if name not in PLACES]
    if unknown:
        places = ", ".join(f"{{{name}}}" for name in PLACES)
        return f"contains {{{unknown[0]}}}, which is not a variable; the variables are {places}"
    missing = [name for name in NEEDED if name not in found]
    return f"lacks {{{missing[0]}}}, so it would not mention the item" if missing else ""
