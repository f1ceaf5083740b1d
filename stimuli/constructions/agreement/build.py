"""The builder of agreement studies: words are drawn for each construction, in every combination of numbers."""

import math
import random
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.forced_choice import ForcedChoice
from corpus.arguments import Help, whole
from corpus.errors import BuildError
from corpus.workplace import Workplace
from stimuli.constructions.agreement.constructions import CONSTRUCTIONS, Construction
from stimuli.constructions.agreement.lexicon import checks
from stimuli.making.contract import BuiltStudy
from stimuli.making.settings import settings
from stimuli.making.study_folder import manifest

VERSION = "1"
PAPER = "the constructions are after Marvin and Linzen (2018). Targeted Syntactic Evaluation of Language Models. EMNLP"
LICENSE = "the words and templates are part of Parallax"
KEYS = tuple(construction.key for construction in CONSTRUCTIONS)
help = "minimal pairs of agreement, reflexives and negative polarity, from templates"  # noqa: A001


def generate(constructions: Sequence[Construction], *, per_cell: int, seed: int) -> list[ItemRow]:
    """`per_cell` items for each combination of numbers of each construction; BuildError where words run out."""
    rows: list[ItemRow] = []
    for construction in constructions:
        drawn = 0
        for drawn, chosen in enumerate(_drawn(construction, per_cell, seed), start=1):
            frame = construction.make(f"{construction.key}-{drawn}", construction.phenomenon, chosen)
            rows += [_described(pair.row(), construction) for pair in frame.pairs()]
        if drawn < per_cell:
            raise BuildError(f"{construction.key} has words for {drawn} items per cell, not for {per_cell}.")
    return rows


def _drawn(construction: Construction, count: int, seed: int) -> Iterator[Mapping[str, Any]]:
    """Different sets of words, none with a word twice; the first `count` in an order that follows from the seed."""
    places = list(construction.choices)
    sizes = [len(construction.choices[place]) for place in places]
    # One set of words for each number below the product; the numbers are shuffled without being listed.
    order = random.Random(f"{seed}/{construction.key}").sample(range(math.prod(sizes)), math.prod(sizes))
    drawn = 0
    for number in order:
        if drawn == count:
            return
        chosen = {}
        for place, size in zip(places, sizes, strict=True):
            number, at = divmod(number, size)
            chosen[place] = construction.choices[place][at]
        if chosen["head"] != chosen.get("attractor"):
            drawn += 1
            yield chosen


def _described(row: ItemRow, construction: Construction) -> ItemRow:
    length = len(row.content["options"]["grammatical"].split())
    attributes = {"family": construction.family, **row.attributes, "words": str(length)}
    return replace(row, attributes=attributes)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--per-cell",
        type=whole(1),
        default=10,
        metavar="N",
        help=Help("word sets per combination of numbers (%(default)s)", "Word sets per cell"),
    )
    parser.add_argument(
        "--phenomenon",
        action="append",
        choices=KEYS,
        help=Help("phenomena to include (default: all); repeatable", page="Phenomena to include. Empty: all."),
    )
    parser.add_argument(
        "--no-checks",
        action="store_true",
        help=Help("targets only, without gold and attention items", "No gold and attention items"),
    )


def build(workplace: Workplace, *, slug: str, title: str, options: dict[str, Any]) -> list[BuiltStudy]:
    """One study; the same seed gives the same items."""
    keys = options.get("phenomenon") or list(KEYS)
    chosen = [construction for construction in CONSTRUCTIONS if construction.key in keys]
    per_cell = options["per_cell"]
    targets = generate(chosen, per_cell=per_cell, seed=workplace.seed)
    with_checks = not options.get("no_checks")
    wanted_checks = {"gold": 3, "attention": 2} if with_checks else {}
    counts = _counts(targets)
    return [
        BuiltStudy(
            settings=settings(
                slug=slug or "agreement-generated",
                title=title or "Minimal pairs from templates",
                whole_sentences=True,
                **wanted_checks,
            ),
            rows=[*targets, *(checks() if with_checks else [])],
            manifest=manifest(
                maker="build_study agreement",
                maker_version=VERSION,
                paper=PAPER,
                license=LICENSE,
                task=ForcedChoice,
                sources=[],
                options={"per_cell": per_cell, "constructions": [one.key for one in chosen], "checks": with_checks},
                counts=counts,
                dropped=[],
                seed=workplace.seed,
            ),
            summary=[f"{counts['items']} pairs of {len(chosen)} constructions, {per_cell} sets of words for each"],
        )
    ]


def _counts(targets: list[ItemRow]) -> dict[str, Any]:
    cells = Counter((f"{row.attributes['family']}, {row.attributes['phenomenon']}", _cell(row)) for row in targets)
    by_phenomenon: dict[str, dict[str, int]] = {}
    for (phenomenon, cell), count in cells.items():
        by_phenomenon.setdefault(phenomenon, {})[cell] = count
    return {"items": len(targets), "cells": by_phenomenon}


def _cell(row: ItemRow) -> str:
    return ", ".join(f"{name} {row.attributes[name]}" for name in ("head", "attractor", "attraction"))
