"""From pairs of sentences, and people's ratings of them, to items: a choice between the two, or a rating of each."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from annotation.elsewhere.labelfile import LabelRow
from annotation.elsewhere.names import LONGEST_ANNOTATOR, annotator_name
from annotation.itemfile import ItemRow
from corpus.errors import Fault, SourceError
from stimuli.datasets.events.source import POINTS, EventSet, Pair, Parse, is_form_of
from stimuli.datasets.published import SourceLine, read_table

COLUMNS = ("Sentence", "Score")
WORKER = "WorkerId"
NO_RATING = "NA"
SCORES = tuple(str(point) for point in range(1, POINTS + 1))

AUXILIARIES = {"is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "does", "did", "do"}
DETERMINERS = {"the", "a", "an", "his", "her", "its", "their", "some"}
ROLES = ("plausible", "implausible")


@dataclass(frozen=True, slots=True)
class Rating:
    sentence: str
    worker: str
    score: str


@dataclass(frozen=True, slots=True)
class Ratings:
    """`each` is empty where only means are given. `repeated` are rows after a worker's first for a sentence."""

    rows: int
    means: Mapping[str, float]
    each: list[Rating] = field(default_factory=list)
    without_score: int = 0
    repeated: list[dict[str, Any]] = field(default_factory=list)

    @property
    def has_raters(self) -> bool:
        return bool(self.each)

    @property
    def workers(self) -> int:
        return len({rating.worker for rating in self.each})


def read_ratings(path: Path, sentences: Sequence[str]) -> Ratings:
    """The ratings of these sentences; SourceError with every fault, by line."""
    lines = read_table(path, columns=COLUMNS)
    sentence_set = set(sentences)
    faults = [
        Fault(f"{line.where}.Sentence", f"{line['Sentence']!r} is not in the sentence set")
        for line in lines
        if line["Sentence"] not in sentence_set
    ]
    has_raters = WORKER in lines[0]
    if not has_raters and len({line["Sentence"] for line in lines}) < len(lines):
        wrong = "is missing: without this column a sentence can have only one line, its mean, but some have more"
        raise SourceError(path, [Fault(f"line 1.{WORKER}", wrong)])
    for line in lines:
        faults += _rating_faults(line) if has_raters else _mean_faults(line)
    if faults:
        raise SourceError(path, faults)
    if has_raters:
        return _each(lines)
    return Ratings(len(lines), {line["Sentence"]: float(line["Score"]) for line in lines})


def _each(lines: list[SourceLine]) -> Ratings:
    """The first rating of each worker for a sentence; NA is no rating."""
    first: dict[tuple[str, str], tuple[SourceLine, Rating]] = {}
    repeated: list[dict[str, Any]] = []
    without_score = 0
    for line in lines:
        rating = Rating(line["Sentence"], line[WORKER], line["Score"])
        if rating.score == NO_RATING:
            without_score += 1
            continue
        earliest = first.setdefault((rating.sentence, rating.worker), (line, rating))
        if earliest[0] is not line:
            repeated.append(
                {
                    "line": line.number,
                    "score": rating.score,
                    "kept": {"line": earliest[0].number, "score": earliest[1].score},
                    "why": "this worker rated this sentence before",
                }
            )
    scores: dict[str, list[int]] = defaultdict(list)
    for _, rating in first.values():
        scores[rating.sentence].append(int(rating.score))
    means = {sentence: fmean(own) for sentence, own in scores.items()}
    return Ratings(len(lines), means, [rating for _, rating in first.values()], without_score, repeated)


def _rating_faults(line: SourceLine) -> list[Fault]:
    faults = []
    if not annotator_name(line[WORKER]):
        faults.append(Fault(f"{line.where}.{WORKER}", f"must be a name of at most {LONGEST_ANNOTATOR} characters"))
    if line["Score"] not in (*SCORES, NO_RATING):
        allowed = f"{', '.join(SCORES)} or {NO_RATING}"
        faults.append(Fault(f"{line.where}.Score", f"{line['Score']!r} is not one of {allowed}"))
    return faults


def _mean_faults(line: SourceLine) -> list[Fault]:
    try:
        value = float(line["Score"])
    except ValueError:
        value = math.nan
    if 1 <= value <= POINTS:
        return []
    return [Fault(f"{line.where}.Score", f"{line['Score']!r} is not a number from 1 to {POINTS}")]


@dataclass(frozen=True, slots=True)
class VerbPlace:
    """The verb as written, and the index from 0 of its word in the plausible and in the implausible sentence."""

    verb: str
    plausible: int
    implausible: int


def words(sentence: str) -> list[str]:
    """The words by spaces, without the final point; the verb's index counts these."""
    return sentence.rstrip(" .!?").split()


def verb_place(plausible: str, implausible: str) -> VerbPlace | None:
    """None where the pair is of neither form."""
    one, other = ([word.casefold().removesuffix("'s") for word in words(text)] for text in (plausible, implausible))
    difference = _exchanged(one, other) or _same_start(one, other)
    if difference is None:
        return None
    first, second, middle = difference
    for step, word in enumerate(middle):
        if word not in AUXILIARIES:
            return VerbPlace(words(plausible)[first + step], first + step, second + step)
    return None


def _exchanged(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, Sequence[str]] | None:
    """X M Y T against Y M X T: where M begins in each, and M. The shortest T, then the longest X and Y, win."""
    if len(one) != len(other):
        return None
    for end in range(len(one), 2, -1):
        if one[end:] != other[end:]:
            return None
        for start in range(end - 2, 0, -1):
            for stop in range(start + 1, end):
                subject, middle, rest = one[:start], one[start:stop], one[stop:end]
                if [*rest, *middle, *subject] == list(other[:end]) and subject != rest:
                    return start, len(rest), middle
    return None


def _same_start(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, Sequence[str]] | None:
    """Sentences that differ in the object alone: the verb is the word before the object's determiner."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    while shared and one[shared - 1] in DETERMINERS:
        shared -= 1
    if shared < 3:  # determiner, subject, verb
        return None
    return shared - 1, shared - 1, one[shared - 1 : shared]


@dataclass(frozen=True, slots=True)
class EventRows:
    """Items, labels, and what the manifest says about them."""

    rows: list[ItemRow]
    labels: list[LabelRow] = field(default_factory=list)
    without_verb: list[str] = field(default_factory=list)
    verb_differs: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Maker:
    """What the items of one import are made with."""

    events: EventSet
    ratings: Ratings | None
    parses: Mapping[str, Parse]

    def pairs(self, pairs: Iterable[Pair]) -> EventRows:
        """A forced choice for each pair. Where both sentences are possible there is no right answer."""
        event_rows = EventRows([])
        for pair in pairs:
            verb = self._verb(pair, event_rows)
            attributes = self._attributes(pair)
            content: dict[str, Any] = {"options": {role: getattr(pair, role) for role in ROLES}}
            if verb is not None:
                attributes |= {"verb": verb.verb}
                content |= {"verb_at": {role: getattr(verb, role) for role in ROLES}}
            row = ItemRow(
                id=self._id(pair),
                content=content,
                reference="plausible" if self.events.conditions[pair.trial_type].has_reference else None,
                attributes=attributes,
                group=self._group(pair),
                strength=self._difference(pair),
            )
            event_rows.rows.append(row)
        return event_rows

    def single(self, pairs: Iterable[Pair]) -> EventRows:
        """A rating for each sentence, with the ratings given to it or their mean."""
        event_rows = EventRows([])
        ids: dict[str, str] = {}
        for pair in pairs:
            verb = self._verb(pair, event_rows)
            for role in ROLES:
                sentence: str = getattr(pair, role)
                attributes = {"plausibility": role, **self._attributes(pair)}
                content: dict[str, Any] = {"sentence": sentence}
                if verb is not None:
                    attributes |= {"verb": verb.verb}
                    content |= {"verb_at": {"sentence": getattr(verb, role)}}
                row = ItemRow(f"{self._id(pair)}-{role}", content, attributes=attributes, group=self._group(pair))
                if self.ratings is not None and not self.ratings.has_raters:
                    row = replace(row, strength=self.ratings.means.get(sentence))
                ids[sentence] = row.id
                event_rows.rows.append(row)
        if self.ratings is not None:
            # Under --limit, ratings of sentences that were left out go with them.
            ratings = (rating for rating in self.ratings.each if rating.sentence in ids)
            event_rows.labels.extend(LabelRow(ids[one.sentence], one.worker, one.score) for one in ratings)
        return event_rows

    def _id(self, pair: Pair) -> str:
        return f"{self._group(pair)}-{pair.voice}"

    def _group(self, pair: Pair) -> str:
        return f"{self.events.key}-{pair.item}"

    def _attributes(self, pair: Pair) -> dict[str, str]:
        condition = self.events.conditions[pair.trial_type]
        parse = self.parses.get(pair.plausible)
        words = condition.words or (parse.animacy.replace("-", "–") if parse else "")
        attributes = {"condition": words, "violation": condition.violation, "voice": pair.voice}
        if self.events.has_trial_types:
            attributes |= {"synonym_pair": pair.synonym_pair, "synonym_version": pair.synonym_version}
        return {name: value for name, value in attributes.items() if value or name != "condition"}

    def _verb(self, pair: Pair, event_rows: EventRows) -> VerbPlace | None:
        """By the pair's form; where the authors' parse has another root, that is noted."""
        verb = verb_place(pair.plausible, pair.implausible)
        if verb is None:
            event_rows.without_verb.append(self._id(pair))
            return None
        parse = self.parses.get(pair.plausible)
        if parse is not None and not is_form_of(verb.verb, parse.root):
            event_rows.verb_differs.append({"item": self._id(pair), "verb": verb.verb, "published_root": parse.root})
        return verb

    def _difference(self, pair: Pair) -> float | None:
        """How far people's mean ratings of the two lie apart."""
        if self.ratings is None:
            return None
        means = self.ratings.means
        if pair.plausible not in means or pair.implausible not in means:
            return None
        # The means have fewer digits than that; without rounding, 5.8 - 2.6 is 3.1999999999999997.
        return round(means[pair.plausible] - means[pair.implausible], 9)


def preferred(pairs: Iterable[Pair], ratings: Ratings) -> dict[str, Any]:
    """In how many pairs with a right answer people rate the plausible sentence higher, as Kauf et al. count."""
    means = ratings.means
    rated = [pair for pair in pairs if pair.plausible in means and pair.implausible in means]
    return {
        "pairs": len(rated),
        "plausible_higher": sum(means[pair.plausible] > means[pair.implausible] for pair in rated),
        "ties": sum(means[pair.plausible] == means[pair.implausible] for pair in rated),
    }
