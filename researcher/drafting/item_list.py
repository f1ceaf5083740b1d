"""The list of a study's items: searched, by kind, a page at a time; nothing that grows with the study."""

import json
from dataclasses import dataclass

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Q, TextField
from django.db.models.functions import Cast
from django.http import QueryDict

from annotation.drafting.items import common_answer
from annotation.models import Item, Study
from annotation.models.item import ItemQuerySet
from comparison.frame.cache.item_sums import read_kinds

PER_PAGE = 50
# Items whose texts one search reads: no index finds a piece of a text on SQLite, and on PostgreSQL only an extension's.
SEARCHED = 20_000
# What somebody who makes a study needs to know of each kind.
KINDS = {
    Item.Kind.TARGET: ("Target", "A regular item. It collects labels."),
    Item.Kind.GOLD: ("Gold", "The answer is known. People who are often wrong are excluded."),
    Item.Kind.ATTENTION: ("Attention check", "Tells people which answer to give."),
    Item.Kind.PRACTICE: ("Practice", "Comes first. Feedback can be shown."),
}
SEVERAL = {Item.Kind.GOLD: "gold items", Item.Kind.ATTENTION: "attention checks"}
MIXED_IN = {Item.Kind.GOLD: "gold_per_sitting", Item.Kind.ATTENTION: "attention_per_sitting"}


class SearchForm(forms.Form):
    q = forms.CharField(label="Search", required=False, max_length=200)
    kind = forms.ChoiceField(
        label="Kind",
        required=False,
        choices=[("", "all kinds"), *((kind.value, words.lower()) for kind, (words, _) in KINDS.items())],
    )
    after = forms.IntegerField(required=False, min_value=0)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, label_suffix="", auto_id="items-%s")


@dataclass(frozen=True, slots=True)
class DraftLine:
    item: Item
    kind: str
    text: str
    reference: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """The places of a large study that are searched. `goes_on`: whether more items stand behind them."""

    after: int
    goes_on: bool

    @property
    def first(self) -> int:
        return self.after + 1

    @property
    def last(self) -> int:
        return self.after + SEARCHED


@dataclass(frozen=True, slots=True)
class ItemList:
    """`unused` are kinds of checks that the study has and mixes into no sitting, in words.

    `options`: of items with options of their own, those of which one can be correct in every item; `correct` is the one
    that is, empty for none and None where items differ.
    """

    form: SearchForm
    page: "Page[Item]"
    lines: list[DraftLine]
    counts: list[tuple[str, str, int]]
    count: int
    unused: list[str]
    options: tuple[str, ...]
    correct: str | None
    has_scores: bool
    stretch: Stretch | None


def read_list(study: Study, asked: QueryDict) -> ItemList:
    form = SearchForm(asked)
    form.full_clean()
    # Without what is wrong in the address; the rest holds.
    said = form.cleaned_data
    q, kind = str(said.get("q", "")), str(said.get("kind", ""))
    counts = {kind: count for kind, count in read_kinds(study).items() if kind in Item.Kind.values}
    count = sum(counts.values())
    stretch = _stretch(study.items.all(), said.get("after") or 0) if q and count > SEARCHED else None
    pages = Paginator(_searched(study.items.order_by("position"), q, kind, stretch), PER_PAGE)
    if not q:
        # They are counted already.
        pages.__dict__["count"] = counts.get(kind, 0) if kind else count
    page = pages.get_page(asked.get("page"))
    return ItemList(
        form,
        page,
        [_line(study, item) for item in page],
        [(kind.value, words, counts.get(kind.value, 0)) for kind, (words, _) in KINDS.items()],
        count,
        [SEVERAL[kind] for kind, name in MIXED_IN.items() if counts.get(kind) and not getattr(study, name)],
        options := study.task.scale.values if study.task.scale.of_roles else (),
        common_answer(study) if options else None,
        bool(options) and study.runs.exists(),
        stretch,
    )


def _stretch(items: ItemQuerySet, after: int) -> Stretch:
    return Stretch(after, goes_on=items.place_behind(after + SEARCHED) is not None)


def _searched(items: ItemQuerySet, q: str, kind: str, stretch: Stretch | None) -> ItemQuerySet:
    """By id, group or any text of the content, as the database keeps it: other letters than English ones escaped.

    An item of just this id, also in small or capital letters, is found wherever it stands.
    """
    if kind:
        items = items.filter(kind=kind)
    if not q:
        return items
    found = Q(external_id__icontains=q) | Q(group__icontains=q) | Q(texts__icontains=q)
    if (escaped := json.dumps(q)[1:-1]) != q:
        found |= Q(texts__icontains=escaped)
    if stretch is not None:
        found &= Q(position__gt=stretch.after, position__lte=stretch.last)
        # Asked for by themselves, so that an index finds them; regardless of case, every id would be read.
        written = {q, q.lower(), q.upper(), q.capitalize()}
        found |= Q(pk__in=list(items.filter(external_id__in=written).values_list("pk", flat=True)))
    return items.annotate(texts=Cast("content", TextField())).filter(found)


def _line(study: Study, item: Item) -> DraftLine:
    task = study.task
    reference = task.scale.text(item.reference) if item.reference is not None else ""
    return DraftLine(item, KINDS[Item.Kind(item.kind)][0], task.text(item.content), reference)
