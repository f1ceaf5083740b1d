"""What the page for items without agreement shows: one item, how its labels fell, and what was decided so far."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.adjudicating import LONGEST_NOTE, Adjudicated, adjudicated, after, before, disputed, undecided
from annotation.models import Adjudication, Item, Study
from annotation.models.item import ItemQuerySet
from annotation.views.wording import stimulus

# What the page posts for an item that cannot be decided; of labels it posts the value, with a mark in front.
UNDECIDABLE, LABEL = "undecidable", "label:"
CHOOSE = "Choose a label or “Undecidable”."


def posted(decision: str) -> str:
    return f"{LABEL}{decision}" if decision else UNDECIDABLE


@dataclass(frozen=True, slots=True)
class Choice:
    """One option: what the page posts, its words as annotators read them, how many labels it has."""

    value: str
    text: str
    labels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationPage:
    item: Item
    stimulus: str
    question: str
    choices: list[Choice]
    number: int
    progress: Adjudicated
    previous: Item | None
    following: Item | None
    standing: Adjudication | None
    earlier: list[Adjudication]

    @property
    def initial(self) -> dict[str, Any]:
        """What the form begins with: the decision that stands."""
        one = self.standing
        return {} if one is None else {"decision": posted(one.decision), "note": one.note, "seen": one.pk}


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(error_messages={"required": CHOOSE, "invalid_choice": CHOOSE})
    note = forms.CharField(max_length=LONGEST_NOTE, required=False, widget=forms.Textarea(attrs={"rows": 3}))
    # The decision that stood when the page was made.
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, values: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        decision = self.fields["decision"]
        assert isinstance(decision, forms.ChoiceField)
        decision.choices = [(posted(value), value) for value in (*values, "")]

    @property
    def chosen(self) -> str:
        """The canonical value, empty for what cannot be decided."""
        decision: str = self.cleaned_data["decision"]
        return "" if decision == UNDECIDABLE else decision.removeprefix(LABEL)


def read_share(query: Mapping[str, str]) -> float:
    """`under` of the address, in percent; 0, which is ties alone, where it is no number."""
    try:
        share = float(query.get("under", "0")) / 100
    except ValueError:
        return 0.0
    return share if 0 <= share <= 1 else 0.0


def first_to_decide(items: ItemQuerySet) -> Item | None:
    return undecided(items).first() or items.first()


def next_to_decide(items: ItemQuerySet, item: Item) -> Item | None:
    """The first behind that one which nobody has decided, else the first of all; None where all are."""
    waiting = undecided(items)
    return after(waiting, item).first() or waiting.first()


def read_adjudication(study: Study, item: Item, *, under: float) -> AdjudicationPage:
    items = disputed(study, under=under)
    made = list(Adjudication.objects.filter(item=item).select_related("by").order_by("-pk"))
    standing = next((one for one in made if one.stands), None)
    # One order for all, which says nothing of what anybody saw or chose.
    presentation = {"order": list(study.task.scale.values)}
    shown = study.task.page_context(item.content, presentation)
    values = [study.task.parse(option.value, presentation) for option in shown["options"]]
    return AdjudicationPage(
        item=item,
        stimulus=stimulus(study, shown),
        question=study.task.question,
        choices=[
            Choice(posted(value), option.text, item.tally.get(value, 0))
            for value, option in zip(values, shown["options"], strict=True)
        ],
        number=before(items, item).count() + 1,
        progress=adjudicated(items),
        previous=before(items, item).first(),
        following=after(items, item).first(),
        standing=standing,
        earlier=[one for one in made if not one.stands],
    )
