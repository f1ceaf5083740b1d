"""Studies of the same items shown otherwise, such as AltBoolQ's four: one item in all of them, with
the words marked that differ.

Such studies have slugs that differ in their last part, the same task, and items that say in the attribute `variant`
which one they are. The one that was loaded first is what the others are made from.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

import numpy as np
from django.db.models import QuerySet

from annotation.models import Item, Study
from comparison.frame.coded import count_tallies
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING
from scoring.models import Score

WORDS_AND_REST = re.compile(r"\w+|\W+")

ATTRIBUTE = "variant"
# What stands where a word was taken out. An article goes with the word after it, and is none that was exchanged.
REDACTED, EXCHANGED = "redacted", "exchanged"
ARTICLES = ("a", "an")
# Items whose answers are read at once for the download.
TOGETHER = 200
HEADER = [
    "item", "variant", "study", "population", "rater", "kind", "answer", "n", "of", "reference", "right", "text"
]  # fmt: skip
PEOPLE, RUN = "people", "run"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; `is_changed` where it is not what stood there before."""

    text: str
    is_changed: bool = False


def marked(text: str, before: str) -> tuple[Piece, ...]:
    """The text in pieces, with the words that `before` has not got at that place.

    >>> [(piece.text, piece.is_changed) for piece in marked("A lamp is hot.", "A king is hot.")]
    [('A ', False), ('lamp', True), (' is hot.', False)]
    """
    return tuple(
        Piece("".join(word for word, _ in run), is_changed)
        for is_changed, run in groupby(_marked_words(text, before), key=lambda pair: pair[1])
    )


def _marked_words(text: str, before: str) -> Iterator[tuple[str, bool]]:
    new, old = WORDS_AND_REST.findall(text), WORDS_AND_REST.findall(before)
    if len(new) == len(old):
        # Words were exchanged one for one, which is what this is mostly for.
        yield from ((one, one != other and one.strip() != "") for one, other in zip(new, old, strict=True))
        return
    for what, _, _, start, end in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        yield from ((word, what != "equal" and word.strip() != "") for word in new[start:end])


@dataclass(frozen=True, slots=True)
class Answer:
    """What one rater says of one variant. Of people, `n` of `of` labels are the answer, which is their majority.

    `why` is the reason for no answer; `right` is "right" or "wrong" where the item has a reference.
    """

    answer: str = ""
    why: str = ""
    right: str = ""
    n: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class VariantLine:
    """One rater's answers, one for each variant; None where it has none there."""

    rater: str
    kind: str
    answers: tuple[Answer | None, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One item of one study; each of its texts in pieces, of which those are marked that the first does not have."""

    item: Item
    fields: tuple[tuple[str, tuple[Piece, ...]], ...]

    @property
    def study(self) -> Study:
        return self.item.study

    @property
    def name(self) -> str:
        return str(self.item.attributes[ATTRIBUTE])

    @property
    def reference(self) -> str:
        return _words(self.study).get(self.item.reference or "", "")

    @property
    def changed(self) -> tuple[tuple[str, int], ...]:
        """How many words were exchanged and how many redacted, of those that there are."""
        new = (piece.text.lower() for _, pieces in self.fields for piece in pieces if piece.is_changed)
        counts = Counter(REDACTED if word == REDACTED else EXCHANGED for word in new if word not in ARTICLES)
        return tuple(sorted(counts.items()))


@dataclass(frozen=True, slots=True)
class Variants:
    """`before` and `after` are the items beside this one in the file."""

    variants: tuple[Variant, ...]
    lines: tuple[VariantLine, ...]
    before: str | None
    after: str | None


def read_variants(study: Study, item: Item, *, among: QuerySet[Study]) -> Variants:
    """The item in each study `among` the reader's that shows it; that item alone if it is no variant."""
    items = _items(study, [item.external_id], among)[item.external_id]
    lines = _lines(items)
    first = _texts(items[0]) if items else {}
    variants = tuple(
        Variant(one, tuple((name, marked(text, first.get(name, text))) for name, text in _texts(one).items()))
        for one in items
    )
    siblings = Item.objects.filter(study=study, kind=item.kind).values_list("external_id", flat=True)
    before = siblings.filter(position__lt=item.position).order_by("-position").first()
    after = siblings.filter(position__gt=item.position).order_by("position").first()
    return Variants(variants, lines, before, after)


def variant_records(study: Study, *, among: QuerySet[Study], item: str = "") -> Iterator[list[object]]:
    """The download: a line for each rater of each variant, of one item or of all targets in their order."""
    yield list(HEADER)
    targets = Item.objects.filter(study=study, kind=Item.Kind.TARGET).order_by("position")
    ids = list((targets.filter(external_id=item) if item else targets).values_list("external_id", flat=True))
    for start in range(0, len(ids), TOGETHER):
        together = ids[start : start + TOGETHER]
        by_id = _items(study, together, among)
        scores = _scores([one for items in by_id.values() for one in items])
        for name in together:
            yield from _records(by_id[name], _lines(by_id[name], scores))


def _records(items: Sequence[Item], lines: Sequence[VariantLine]) -> Iterator[list[object]]:
    for at, one in enumerate(items):
        reference = _words(one.study).get(one.reference or "", "")
        for line in lines:
            answer = line.answers[at]
            if answer is not None:
                yield [
                    one.external_id, one.attributes[ATTRIBUTE], one.study.slug, one.study.population,
                    line.rater, line.kind, answer.answer or answer.why,
                    answer.n if line.kind == PEOPLE else None, answer.of if line.kind == PEOPLE else None,
                    reference, answer.right, one.study.task.text(one.content),
                ]  # fmt: skip


def family_of(slug: str) -> str:
    """What the slugs of studies of the same items have in common: all but the last part."""
    return slug.rpartition("-")[0]


def _items(study: Study, ids: Sequence[str], among: QuerySet[Study]) -> dict[str, list[Item]]:
    """Of each id its variants, in the order in which their studies were loaded."""
    family = family_of(study.slug)
    studies = among.filter(task_type=study.task_type, slug__startswith=f"{family}-" if family else study.slug)
    related = [one.pk for one in studies if family_of(one.slug) == family]
    by_id: dict[str, list[Item]] = {name: [] for name in ids}
    rows = Item.objects.filter(study__in=related, external_id__in=ids).select_related("study")
    for one in rows.order_by("study_id"):
        if ATTRIBUTE in one.attributes:
            by_id[one.external_id].append(one)
    return by_id


def _scores(items: Sequence[Item]) -> dict[int, list[Score]]:
    by_item: dict[int, list[Score]] = defaultdict(list)
    for score in Score.objects.filter(item__in=items).select_related("run__model").order_by("run_id"):
        by_item[score.item_id].append(score)
    return by_item


def _lines(items: Sequence[Item], scores: dict[int, list[Score]] | None = None) -> tuple[VariantLine, ...]:
    """People, then models and then baselines by name; of a rater's several runs in a study, the last."""
    scores = _scores(items) if scores is None else scores
    by_rater: dict[tuple[bool, str], dict[int, Answer]] = defaultdict(dict)
    for one in items:
        for score in scores.get(one.pk, []):
            by_rater[score.run.model.is_baseline, str(score.run)][one.pk] = _run(one, score)
    people = VariantLine("People", PEOPLE, tuple(_people(one) for one in items))
    runs = (
        VariantLine(rater, RUN, tuple(answers.get(one.pk) for one in items))
        for (_, rater), answers in sorted(by_rater.items(), key=lambda pair: pair[0])
    )
    return (people, *runs)


def _people(item: Item) -> Answer:
    words = _words(item.study)
    counts = count_tallies([item.tally], list(words))[0]
    total, code = int(counts.sum()), int(majority(counts[None, :])[0])
    if not total:
        return Answer(why="no labels yet")
    if code == MISSING:
        return Answer(why="no majority", n=int(np.max(counts)), of=total)
    value = list(words)[code]
    return Answer(words[value], "", _right(item, value), int(counts[code]), total)


def _run(item: Item, score: Score) -> Answer:
    if score.unscored:
        return Answer(why=f"unscored: {score.unscored}")
    if score.decision is None:
        return Answer(why="no answer")
    return Answer(_words(item.study)[score.decision], "", _right(item, score.decision))


def _right(item: Item, value: str) -> str:
    return "" if item.reference is None else "right" if value == item.reference else "wrong"


def _words(study: Study) -> dict[str, str]:
    return {label.value: label.text for label in study.task.scale.labels}


def _texts(item: Item) -> dict[str, str]:
    return {name: text for name, text in item.content.items() if isinstance(text, str)}
