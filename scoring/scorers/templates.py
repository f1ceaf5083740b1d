"""A model's own chat template: which of several is used, and by which clock it is rendered. Without torch.

The rule is Q1 of docs/metrics.md.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.replies import without_reasoning

DEFAULT = "default"
# What every template is told that day, so that a run can be repeated on another: its own clock, and the date that some
# ask for instead. Others ask whether to reason before the answer.
NOW = datetime(2025, 1, 1)
SETTINGS: dict[str, Any] = {"enable_thinking": False, "date_string": f"{NOW:%d %b %Y}"}


class NoTemplate(ModelError):
    """Why a model cannot be asked in words. str() goes on after its name."""


def named(templates: object) -> dict[str, str]:
    """A model's templates by name, from any form in which files give them; a single one is the default."""
    if isinstance(templates, str):
        return {DEFAULT: templates} if templates else {}
    if isinstance(templates, Mapping):
        return {str(name): text for name, text in templates.items() if isinstance(text, str) and text}
    if isinstance(templates, list | tuple):
        return {str(one["name"]): str(one["template"]) for one in templates if _is_named(one)}
    return {}


def chosen(templates: Mapping[str, str]) -> str:
    """The template named default, which is what a chat without tools is asked with."""
    if not templates:
        raise NoTemplate("has no chat template, so it cannot be prompted; instruct models have one")
    if DEFAULT not in templates:
        names = ", ".join(sorted(templates))
        raise NoTemplate(f"has chat templates for {names} but none named {DEFAULT}, so it cannot be prompted")
    return templates[DEFAULT]


def prompt_fault(prompt: str, *, question: str) -> str:
    """Why the prompt that a template makes of a question cannot be used, to go on after a model's name; or nothing."""
    if question not in prompt:
        return "has a chat template that leaves out the user's message, so it cannot be prompted"
    if without_reasoning(prompt.rstrip().rsplit("\n", 1)[-1][-1_000:]) is None:
        return (
            "has a chat template that starts every answer with reasoning, so no letter can be read; use the metric "
            "sampled with an endpoint"
        )
    return ""


def _is_named(one: object) -> bool:
    return isinstance(one, Mapping) and bool(one.get("name")) and bool(one.get("template"))
