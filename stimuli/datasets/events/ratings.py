"""Human ratings of a set, clean_*_human_dat.csv: one row a rating where raters are given, else one row a mean."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from annotation.elsewhere.names import LONGEST_ANNOTATOR, annotator_name
from corpus.errors import Fault, SourceError
from stimuli.datasets.events.sets import POINTS
from stimuli.datasets.published import Line, read_table

COLUMNS = ("Sentence", "Score")
WORKER = "WorkerId"
NO_RATING = "NA"
SCORES = tuple(str(point) for point in range(1, POINTS + 1))


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
    known = set(sentences)
    faults = [
        Fault(f"{line.where}.Sentence", f"{line['Sentence']!r} is not in the sentence set")
        for line in lines
        if line["Sentence"] not in known
    ]
    has_raters = WORKER in lines[0]
    if not has_raters and len({line["Sentence"] for line in lines}) < len(lines):
        wrong = "is missing as a column, and without it a sentence can have one line, its mean; here some have more"
        raise SourceError(path, [Fault(f"line 1.{WORKER}", wrong)])
    for line in lines:
        faults += _rating_faults(line) if has_raters else _mean_faults(line)
    if faults:
        raise SourceError(path, faults)
    if has_raters:
        return _each(lines)
    return Ratings(len(lines), {line["Sentence"]: float(line["Score"]) for line in lines})


def _each(lines: list[Line]) -> Ratings:
    """The first rating of each worker for a sentence; NA is no rating."""
    first: dict[tuple[str, str], tuple[Line, Rating]] = {}
    repeated: list[dict[str, Any]] = []
    without_score = 0
    for line in lines:
        rating = Rating(line["Sentence"], line[WORKER], line["Score"])
        if rating.score == NO_RATING:
            without_score += 1
            continue
        kept = first.setdefault((rating.sentence, rating.worker), (line, rating))
        if kept[0] is not line:
            repeated.append(
                {
                    "line": line.number,
                    "score": rating.score,
                    "kept": {"line": kept[0].number, "score": kept[1].score},
                    "why": "this worker rated this sentence before",
                }
            )
    scores: dict[str, list[int]] = defaultdict(list)
    for _, rating in first.values():
        scores[rating.sentence].append(int(rating.score))
    means = {sentence: fmean(own) for sentence, own in scores.items()}
    return Ratings(len(lines), means, [rating for _, rating in first.values()], without_score, repeated)


def _rating_faults(line: Line) -> list[Fault]:
    faults = []
    if not annotator_name(line[WORKER]):
        faults.append(Fault(f"{line.where}.{WORKER}", f"must be a name of at most {LONGEST_ANNOTATOR} characters"))
    if line["Score"] not in (*SCORES, NO_RATING):
        known = f"{', '.join(SCORES)} or {NO_RATING}"
        faults.append(Fault(f"{line.where}.Score", f"{line['Score']!r} is not one of {known}"))
    return faults


def _mean_faults(line: Line) -> list[Fault]:
    try:
        value = float(line["Score"])
    except ValueError:
        value = math.nan
    if 1 <= value <= POINTS:
        return []
    return [Fault(f"{line.where}.Score", f"{line['Score']!r} is not a number from 1 to {POINTS}")]
