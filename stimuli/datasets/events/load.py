"""The importer of the three event sets: choices between two sentences, or ratings of each with people's own.

What annotators read is our own.
"""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from annotation.tasktypes.forced_choice import ForcedChoice
from annotation.tasktypes.rating import Rating
from corpus.arguments import Help
from stimuli.datasets.events.rows import ROLES, EventRows, Maker, Ratings, preferred, read_ratings
from stimuli.datasets.events.source import POINTS, SETS, EventSet, Pair, is_parsed, read_pairs, read_parses
from stimuli.datasets.published import DataSet, Reading
from stimuli.making.settings import LABELS, study_settings

INSTRUCTIONS_PAIRS = """\
You will see two sentences about an event. Choose the one that describes what is more likely to happen in the world.

Sometimes one of them is impossible, sometimes it is only unusual, and sometimes both are quite possible. Think of \
what the sentences say, not of how they are written.
"""
INSTRUCTIONS_RATINGS = """\
You will see one sentence about an event. Say how plausible the event is, from 1 to 7.

1 means that it is completely implausible: you cannot imagine that it happens. 7 means that it is completely \
plausible: it is just what one would expect. Use the numbers between for what lies between.

Judge what the sentence says, not how it is written.
"""
QUESTION_PAIRS = "Which of the two is more likely to happen?"
QUESTION_RATINGS = "How plausible is this event?"
LOW, HIGH = "Completely implausible", "Completely plausible"

PAIRS, RATINGS = "pairs", "ratings"
METRICS = ["pll", "pll_within_word_l2r", "left_to_right", "verb", "last_word", "causal"]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        required=True,
        choices=sorted(SETS),
        help=Help(
            "which of the three sets the file contains",
            "Which set",
            page="Which of the three sets the file contains.",
            choices={"dtfit": "DTFit", "eventsadapt": "EventsAdapt", "eventsrev": "EventsRev"},
        ),
    )
    parser.add_argument(
        "--as",
        default=PAIRS,
        choices=(PAIRS, RATINGS),
        help=Help(
            "what annotators do (pairs)",
            "Task",
            page="What annotators do.",
            choices={PAIRS: "Choose the plausible one of two sentences", RATINGS: "Rate each sentence"},
        ),
    )
    parser.add_argument("--ratings", type=Path, metavar="FILE", help="people's ratings, clean_…_human_dat.csv")
    parser.add_argument("--dependencies", type=Path, metavar="FILE", help="the authors' parses, …_deps.txt")


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of the set's pairs or sentences; `limit` keeps the first items, in all their voices."""
    events, form = SETS[options["set"]], options["as"]
    every = read_pairs(source, events)
    pairs = _first(every, limit)
    sentences = [sentence for pair in every for sentence in (pair.plausible, pair.implausible)]
    rating_file: Path | None = options.get("ratings")
    parse_file: Path | None = options.get("dependencies") or (source if is_parsed(source) else None)
    ratings = read_ratings(rating_file, sentences) if rating_file else None
    maker = Maker(events, ratings, read_parses(parse_file) if parse_file else {})
    event_rows = maker.pairs(pairs) if form == PAIRS else maker.single(pairs)
    counts = _counts(events, every, pairs, event_rows, ratings)
    return Reading(
        settings=_settings(events, form, event_rows),
        rows=event_rows.rows,
        labels=event_rows.labels,
        sources=list(dict.fromkeys(path for path in (source, rating_file, parse_file) if path)),
        options={"set": events.key, "as": form, "limit": limit},
        counts=counts,
        dropped=ratings.repeated if ratings else [],
        packages=("lemminflect",) if parse_file else (),
        notes={"without_verb": event_rows.without_verb, "verb_differs_from_published_parse": event_rows.verb_differs},
        paper=events.paper,
        summary=_summary(counts),
    )


def _first(pairs: list[Pair], limit: int | None) -> list[Pair]:
    item_ids = list(dict.fromkeys(pair.item for pair in pairs))[:limit]
    return [pair for pair in pairs if pair.item in set(item_ids)]


def _most_labels(event_rows: EventRows) -> int:
    """The usual number where no one has rated yet."""
    return max(Counter(label.item for label in event_rows.labels).values(), default=LABELS)


def _settings(events: EventSet, form: str, event_rows: EventRows) -> dict[str, Any]:
    pairs = form == PAIRS
    task: dict[str, Any] = {"type": ForcedChoice.key, "question": QUESTION_PAIRS, "options": list(ROLES)}
    if not pairs:
        task = {"type": Rating.key, "question": QUESTION_RATINGS, "points": POINTS}
        task |= {"low": LOW, "high": HIGH}
    settings = study_settings(
        slug=f"{events.key}-{form}",
        title=f"{events.name}, {form}",
        instructions=INSTRUCTIONS_PAIRS if pairs else INSTRUCTIONS_RATINGS,
        task=task,
        # The sentences of a DTFit pair differ in their object alone, so that it can be a slot.
        metrics=[*(["cloze"] if pairs and events.key == "dtfit" else []), *METRICS],
        labels_per_item=_most_labels(event_rows),
    )
    if event_rows.labels:
        # What people said is there: nobody is asked for more unless the researcher says so.
        settings["collection"]["as_imported"] = True
    return settings


def _counts(
    events: EventSet, every: list[Pair], pairs: list[Pair], event_rows: EventRows, ratings: Ratings | None
) -> dict[str, Any]:
    counts: dict[str, Any] = {
        "sentences_in_file": 2 * len(every),
        "sentences_published": events.sentences,
        "items_in_file": len({pair.item for pair in every}),
        "pairs_taken": len(pairs),
        "items_by_condition": _by_condition(events, pairs),
        "items": len(event_rows.rows),
        "with_reference": sum(row.reference is not None for row in event_rows.rows),
        "with_verb": sum("verb" in row.attributes for row in event_rows.rows),
    }
    if ratings is not None:
        ordered = [pair for pair in pairs if events.conditions[pair.trial_type].has_reference]
        counts["ratings"] = {
            "rows": ratings.rows,
            "workers": ratings.workers,
            "without_score": ratings.without_score,
            "repeated": len(ratings.repeated),
            "sentences_rated": len(ratings.means),
            "labels": len(event_rows.labels),
            "people_prefer": {
                voice: preferred([pair for pair in ordered if pair.voice == voice], ratings)
                for voice in dict.fromkeys(pair.voice for pair in ordered)
            },
        }
    return counts


def _by_condition(events: EventSet, pairs: list[Pair]) -> dict[str, int]:
    """Items, each counted once whatever its voices."""
    counts = Counter(trial_type for _, trial_type in {(pair.item, pair.trial_type) for pair in pairs})
    return {trial_type or "all": counts[trial_type] for trial_type in events.conditions}


def _summary(counts: dict[str, Any]) -> list[str]:
    conditions = ", ".join(f"{name} {count}" for name, count in counts["items_by_condition"].items())
    lines = [
        f"{counts['sentences_in_file']} sentences of {counts['items_in_file']} items ({conditions}), "
        f"{counts['items']} items made, {counts['with_reference']} of them with a reference"
    ]
    if counts["sentences_in_file"] != counts["sentences_published"]:
        lines.append(f"the published set has {counts['sentences_published']} sentences")
    if "ratings" in counts:
        ratings = counts["ratings"]
        lines.append(
            f"{ratings['rows']} rating rows, {ratings['workers']} raters, {ratings['without_score']} without a score, "
            f"{ratings['repeated']} repeated and left out, {ratings['labels']} labels made"
        )
        lines += [
            f"people rate the plausible sentence higher in {one['plausible_higher']} of {one['pairs']} pairs "
            f"({voice}; {one['ties']} ties)"
            for voice, one in ratings["people_prefer"].items()
        ]
    return lines


IMPORTER = DataSet(
    key="events",
    help="EventsAdapt, DTFit or EventsRev (Kauf, Ivanova et al. 2023): clean_…_SentenceSet.csv, or the authors' own "
    "files",
    paper=(
        "Kauf, Ivanova, Rambelli, Chersoni, She, Chowdhury, Fedorenko and Lenci (2023). Event knowledge in large "
        "language models: the gap between the impossible and the unlikely. Cognitive Science 47 (11)"
    ),
    license="none stated; ask the authors before you pass the sentences on",
    version="2",
    declare=add_arguments,
    read=read,
)
