"""The chat in which a run asked an item, and what was replied."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.models import Item
from scoring.models import Score
from scoring.runs.prompts import chat_of, prompt_of

ROLES = {"system": "System", "user": "User", "assistant": "Model"}


@dataclass(frozen=True, slots=True)
class Ask:
    """One of several asks: the order shown, the answer that was read, the reply; where none was read, why."""

    order: str
    answer: str
    reply: str
    unread: str


@dataclass(frozen=True, slots=True)
class Asked:
    """`chat` in the first order: who says what. `asks` are those of a run that reads replies."""

    version: str
    chat: tuple[tuple[str, str], ...]
    asks: tuple[Ask, ...]


def asked_of(score: Score, item: Item, words: Mapping[str, str]) -> Asked | None:
    """None of a run that asks nothing in words. Options are said in the `words` of the study's labels."""
    settings = score.run.settings
    if "instructions" not in settings:
        return None
    chat = chat_of(item.study, item.content, settings)
    return Asked(
        version=prompt_of(settings).version,
        chat=tuple((ROLES[one["role"]], one["content"]) for one in chat),
        asks=tuple(
            Ask(
                order=" · ".join(words[value] for value in one["order"]),
                answer=words.get(one["answer"], ""),
                reply=one["reply"],
                unread=one.get("unread", ""),
            )
            for one in score.detail.get("asks", [])
        ),
    )
