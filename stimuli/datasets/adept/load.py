"""The ADEPT importer: its published JSON becomes one plausibility study, its labels the references.

What annotators read is our own; the degrees are ADEPT's.
"""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from annotation.tasktypes.plausibility.task import DEGREES, Plausibility
from corpus.slugs import slug_of
from stimuli.datasets.adept.rows import Converted, convert
from stimuli.datasets.adept.source import read_entries
from stimuli.datasets.adjective_list import NON_SUBSECTIVE, read_adjectives
from stimuli.making.contract import MadeStudy
from stimuli.making.settings import SLOT_METRICS, study_settings
from stimuli.making.study_folder import manifest

HOW_TO_COMPARE = """\
You will see two sentences. The second is the first with one adjective added; the adjective is marked.

Ask yourself how the adjective changes the chances. Compared with the first sentence, what the second one says is:

Impossible: it cannot happen.

Less likely: it can happen, but the adjective makes it less likely.

Equally likely: the adjective makes no difference.

More likely: the adjective makes it more likely.

Necessarily true: with the adjective it cannot fail to be true.

"""
INSTRUCTIONS = f"""{HOW_TO_COMPARE}\
The sentences were collected by a program and some are clumsy. Judge what they are meant to say.
"""

VERSION = "1"
PAPER = (
    "Emami, Porada, Olteanu, Suleman, Trischler and Cheung (2021). ADEPT: An Adjective-Dependent Plausibility Task. "
    "ACL 2021"
)
LICENSE = "CC BY-SA 3.0; parts from ConceptNet 5, CC BY-SA 4.0"
help = "ADEPT (Emami et al. 2021): train.json, val.json or test.json as published"  # noqa: A001


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--nonsubsective",
        type=Path,
        metavar="FILE",
        help="non-subsective adjectives, the first column of a TSV, CSV or text file; used by the normative rule",
    )
    parser.add_argument(
        "--nonsubsective-where",
        default="",
        metavar="COLUMN=VALUE",
        help="keep only the lines of that file with this value in this column",
    )


def load(source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> MadeStudy:
    """A study of the file's entries. SourceError, with every fault, if a file is not as it should be."""
    entries = read_entries(source)
    list_file: Path | None = options.get("nonsubsective")
    where: str = options.get("nonsubsective_where", "")
    adjectives = read_adjectives(list_file, where=where) if list_file else None
    converted = convert(entries[:limit], adjectives)
    counts = _counts(len(entries), len(entries[:limit]), converted)
    return MadeStudy(
        settings=study_settings(
            slug=slug or slug_of(source, prefix="adept"),
            title=title or f"ADEPT, {source.stem}",
            instructions=INSTRUCTIONS,
            task={"type": Plausibility.key},
            metrics=SLOT_METRICS,
            nonsubsective=adjectives.adjectives if adjectives else [],
        ),
        rows=converted.rows,
        manifest=manifest(
            maker="import_study adept",
            maker_version=VERSION,
            paper=PAPER,
            license=LICENSE,
            task=Plausibility,
            sources=[path for path in (source, list_file) if path],
            options={"limit": limit, "nonsubsective_where": where},
            counts=counts,
            dropped=converted.dropped,
            adjusted=converted.adjusted,
            not_minimal_pairs=converted.not_minimal,
            same_sentences=converted.repeated,
        ),
        summary=_summary(counts, converted),
    )


def _counts(published: int, read: int, converted: Converted) -> dict[str, Any]:
    references = Counter(row.reference for row in converted.rows)
    classes = Counter(row.attributes.get("modifier_class", "") for row in converted.rows)
    return {
        "entries_in_file": published,
        "entries_taken": read - len(converted.dropped),
        "dropped": len(converted.dropped),
        "items": len(converted.rows),
        "adjusted_items": len({change["idx"] for change in converted.adjusted}),
        "references": {value: references[value] for value in DEGREES.values},
        "non_subsective": sum(n for name, n in classes.items() if name.startswith(NON_SUBSECTIVE)),
    }


def _summary(counts: dict[str, Any], converted: Converted) -> list[str]:
    dropped = counts["dropped"]
    lines = [
        f"{counts['entries_taken']} of {counts['entries_in_file']} entries taken, {counts['items']} items made, "
        f"{counts['adjusted_items']} of them adjusted, {dropped} entr{'y' if dropped == 1 else 'ies'} dropped",
        "references: " + ", ".join(f"{DEGREES.text(value)} {n}" for value, n in counts["references"].items()),
    ]
    lines += [f"dropped: idx {entry['idx']} (line {entry['line']}), {entry['why']}" for entry in converted.dropped]
    return lines
