"""The importer of the published intensifier sheet: its sentences become forced choices between adverb and "not"."""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from annotation.tasktypes.forced_choice.task import ForcedChoice
from stimuli.constructions.intensifiers.bigrams import read_bigrams
from stimuli.constructions.intensifiers.negation import NATURAL
from stimuli.constructions.intensifiers.rows import intensifier_settings
from stimuli.datasets.intensifier_sheet.convert import Converted, convert
from stimuli.datasets.intensifier_sheet.sheet import read_sheet
from stimuli.making.contract import MadeStudy
from stimuli.making.study_folder import manifest

VERSION = "4"
PAPER = "Lorge and Pierrehumbert (2023). Not wacky vs. definitely wacky. BlackboxNLP 2023"
LICENSE = "none given; the sentences are Reddit comments of 2015"

help = "the intensifier sheet of Lorge and Pierrehumbert, items_bert_large_cased.csv"  # noqa: A001


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--bigrams",
        type=Path,
        metavar="FILE",
        help="frequencies to attach: a CSV with adverb, adjective, ln_ngram_freq",
    )


def load(source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> MadeStudy:
    """A study of the sheet's rows. SourceError, with every fault, if a file is not as it should be."""
    rows = read_sheet(source)
    table: Path | None = options.get("bigrams")
    bigrams = read_bigrams(table) if table else None
    converted = convert(rows[:limit], bigrams)
    title = title or "Intensifier or negation: the published sentences"
    counts = _counts(len(rows), len(rows[:limit]), converted)
    return MadeStudy(
        settings=intensifier_settings(slug or "intensifiers-published", title),
        rows=converted.rows,
        manifest=manifest(
            maker="import_study intensifiers",
            maker_version=VERSION,
            paper=PAPER,
            license=LICENSE,
            task=ForcedChoice,
            sources=[path for path in (source, table) if path],
            options={"limit": limit},
            counts=counts,
            dropped=converted.dropped,
            adjusted=converted.adjusted,
            published_negatives=converted.negatives,
            bigrams={"table": bigrams.name, "ln_frequency": bigrams.about} if bigrams else None,
        ),
        summary=_summary(counts, converted),
    )


def _counts(published: int, read: int, converted: Converted) -> dict[str, Any]:
    adverbs = Counter(row.attributes["adverb"] for row in converted.rows)
    negations = Counter(row.attributes["negation"] for row in converted.rows)
    return {
        "rows_in_file": published,
        "rows_taken": read,
        "dropped": len(converted.dropped),
        "items": len(converted.rows),
        "sentence_does_not_end_as_the_row": sum("sheet" in row.attributes for row in converted.rows),
        "by_adverb": {adverb: adverbs[adverb] for adverb in sorted(adverbs)},
        "not_for_the_adverb": negations[NATURAL],
        "negative_differs_by_more": len(converted.negatives),
    }


def _summary(counts: dict[str, Any], converted: Converted) -> list[str]:
    lines = [
        f"{counts['rows_taken']} of {counts['rows_in_file']} rows taken, {counts['items']} items made, "
        f"{counts['dropped']} rows dropped; in {counts['negative_differs_by_more']} the published negative "
        "differs by more than one word",
        "by adverb: " + ", ".join(f"{adverb} {count}" for adverb, count in counts["by_adverb"].items()),
    ]
    lines += [
        f"kept, but noted: {row.id}, {row.attributes['sheet']}" for row in converted.rows if "sheet" in row.attributes
    ]
    lines += [f"dropped: idx {one['idx']} (line {one['line']}), {one['why']}" for one in converted.dropped]
    return lines
