"""What the pages for rewording items show: the texts of an item as fields, and what was done so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Count, Max
from pydantic import TypeAdapter

from annotation.models import Item, ItemRevision, Study
from comparison.frame.cache.remembered import remembered
from corpus.bounds import LONGEST_TEXT
from corpus.errors import Fault
from researcher.drafting.item_form import reworded

# Texts that an item of a task type may have and this one may lack.
OPTIONAL = {"forced_choice": ("context", "neutral")}
WORDS = {"context": "Context", "sentence": "Sentence", "neutral": "Neutral context", "options": "Option"}
COUNT = TypeAdapter(int)


class RevisionForm(forms.Form):
    """One field for each text of the item's content, `options.negation` for one inside another."""

    reason = forms.CharField(max_length=300, required=False)
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, item: Item, task_type: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.initial["seen"] = item.content_hash
        self.content: dict[str, Any] = item.content
        self.optional = OPTIONAL.get(task_type, ())
        for name, text in _texts(item.content, self.optional).items():
            self.fields[name] = forms.CharField(
                initial=text,
                label=_label(name),
                max_length=LONGEST_TEXT,
                required=name not in self.optional,
                widget=forms.Textarea(attrs={"rows": 1 + len(text) // 60, "class": "stimulus", "dir": "auto"}),
            )

    @property
    def text_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in ("reason", "seen")]

    def new_content(self) -> dict[str, Any]:
        """The content as filled in; empty optional texts are left out."""
        content = dict(self.content)
        for name in self.fields.keys() - {"reason", "seen"}:
            text = reworded(self.cleaned_data[name], str(self.fields[name].initial))
            outer, _, inner = name.partition(".")
            if inner:
                content[outer] = content[outer] | {inner: text}
            elif text:
                content[outer] = text
            else:
                content.pop(outer, None)
        return content

    def add_faults(self, message: str, faults: list[Fault]) -> None:
        """Each fault beside its field, and the message above them all."""
        self.add_error(None, message)
        for fault in faults:
            self.add_error(fault.field if fault.field in self.fields else None, f"{fault.field} {fault.message}.")


@dataclass(frozen=True, slots=True)
class FlaggedLine:
    """One item that waits for a researcher."""

    item: Item
    text: str


@dataclass(frozen=True, slots=True)
class RevisedLine:
    """One decision, with the words before and after."""

    revision: ItemRevision
    before: str
    after: str


def flagged_lines(study: Study, items: list[Item]) -> list[FlaggedLine]:
    return [FlaggedLine(item, study.task.text(item.content)) for item in items]


def revised_lines(study: Study, external_id: str = "") -> list[RevisedLine]:
    """The newest first; of one item, if it is named."""
    revisions = ItemRevision.objects.filter(study=study).select_related("editor").order_by("-at", "-pk")
    if external_id:
        revisions = revisions.filter(external_id=external_id)
    text = study.task.text
    return [RevisedLine(one, text(one.before), text(one.after)) for one in revisions]


def revisions_at(study: Study) -> tuple[int, int]:
    """How many flagged items are left, and how many decisions: counted once for each state of the items."""
    made = ItemRevision.objects.filter(study=study).aggregate(every=Count("pk"), latest=Max("pk"))
    parts = ["to revise", study.pk, study.content_hash, made["latest"]]
    return remembered(COUNT, parts, study.items.to_revise().count), made["every"]


def next_to_revise(study: Study, *, after: int) -> Item | None:
    """The first flagged item behind that place in the file, else the first of all."""
    waiting = study.items.to_revise()
    return waiting.filter(position__gt=after).first() or waiting.first()


def _texts(content: Mapping[str, Any], optional: tuple[str, ...]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name in dict.fromkeys([*(name for name in optional if name == "context"), *content, *optional]):
        value = content.get(name, "")
        if isinstance(value, str):
            texts[name] = value
        elif isinstance(value, dict):
            texts |= {f"{name}.{inner}": text for inner, text in value.items() if isinstance(text, str)}
    return texts


def _label(name: str) -> str:
    outer, _, inner = name.partition(".")
    word = WORDS.get(outer, outer.capitalize())
    return f"{word}: {inner}" if inner else word
