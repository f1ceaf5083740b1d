"""How an item looks to annotators: for choosing a task type, and for seeing that the columns are right."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotation.tasktypes import TASK_TYPES, task_type
from annotation.tasktypes.contract import Label, TaskType
from annotation.templatetags.spoken import spoken


@dataclass(frozen=True, slots=True)
class Picture:
    """What stands on the page of an item: what is read, what is asked, and what can be answered."""

    stimulus: SafeString
    question: str
    options: Sequence[Label]


@dataclass(frozen=True, slots=True)
class Kind:
    """A task type to choose, with its example."""

    key: str
    name: str
    picture: Picture


def picture_of(task: TaskType, content: Mapping[str, Any]) -> Picture:
    """Of a valid item. Options stand in one of their orders, always the same."""
    shown = task.shown(content, task.present(content, random.Random(0)))
    stimulus = render_to_string(task.template, {**shown, "lang": spoken(""), "page_lang": SafeString(' dir="ltr"')})
    return Picture(stimulus, task.question, shown["options"])


def kinds() -> list[Kind]:
    """Every task type there is."""
    found = []
    for key in TASK_TYPES:
        kind = task_type(key)
        found.append(Kind(key, kind.name, picture_of(kind.configured(kind.example_settings), kind.example)))
    return found
