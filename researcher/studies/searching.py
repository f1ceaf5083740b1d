"""Which studies the list shows: by words, state and tag. Archived ones only where they are asked for."""

from collections.abc import Iterable
from dataclasses import dataclass

from django import forms
from django.http import QueryDict

from annotation.models import Study

ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Found:
    """`archived`: how many would be shown too if they were not archived."""

    studies: list[Study]
    archived: int


class SearchForm(forms.Form):
    """What the address asks for. Nothing that is left empty narrows the list."""

    q = forms.CharField(label="Search", required=False, max_length=200)
    state = forms.ChoiceField(
        label="State", required=False, choices=[("", "any"), *Study.State.choices, (ARCHIVED, "Archived")]
    )
    tag = forms.ChoiceField(label="Tag", required=False)

    def __init__(self, data: QueryDict, *, studies: Iterable[Study]) -> None:
        super().__init__(data, auto_id="search-%s", label_suffix="")
        field = self.fields["tag"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "any"), *((tag, tag) for tag in _tags_of(studies))]

    @property
    def narrows(self) -> bool:
        return self.is_valid() and any(self.cleaned_data.values())

    def found(self, studies: Iterable[Study]) -> Found:
        """Of these; all that are not archived where the address asks for what is not there."""
        asked = self.cleaned_data if self.is_valid() else {"q": "", "state": "", "tag": ""}
        words = asked["q"].casefold().split()
        matching = [
            study
            for study in studies
            if (not asked["tag"] or asked["tag"] in study.tags) and all(word in _text_of(study) for word in words)
        ]
        if asked["state"] == ARCHIVED:
            return Found([study for study in matching if study.archived_at], 0)
        matching = [study for study in matching if asked["state"] in ("", study.state)]
        shown = [study for study in matching if not study.archived_at]
        return Found(shown, len(matching) - len(shown))


def _tags_of(studies: Iterable[Study]) -> list[str]:
    return sorted({tag for study in studies for tag in study.tags}, key=str.casefold)


def _text_of(study: Study) -> str:
    """What is searched. In Python: SQLite knows the capitals of no letter but A to Z."""
    return "\n".join((study.title, study.slug, *study.tags)).casefold()
