"""The builder of agreement studies: minimal pairs from templates, with number and length matched."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.forced_choice.task import ForcedChoice
from corpus.arguments import whole
from corpus.workplace import Workplace
from stimuli.constructions.agreement.constructions import CONSTRUCTIONS
from stimuli.constructions.agreement.generator import generate
from stimuli.constructions.agreement.sample import checks
from stimuli.making.contract import MadeStudy
from stimuli.making.manifest import manifest
from stimuli.making.minimal_pairs import settings

VERSION = "1"
PAPER = "the constructions are after Marvin and Linzen (2018). Targeted Syntactic Evaluation of Language Models. EMNLP"
LICENSE = "the words and templates are part of Parallax"
KEYS = tuple(construction.key for construction in CONSTRUCTIONS)

help = "minimal pairs of agreement, reflexives and negative polarity, from templates"  # noqa: A001


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--per-cell", type=whole(1), default=10, metavar="N", help="sets of words for each combination of numbers (10)"
    )
    parser.add_argument(
        "--phenomenon",
        action="append",
        choices=KEYS,
        help="the phenomena to make, all where none is named; may be repeated",
    )
    parser.add_argument("--no-checks", action="store_true", help="targets only, without gold and attention items")


def build(workplace: Workplace, *, slug: str, title: str, options: dict[str, Any]) -> list[MadeStudy]:
    """One study; the same seed gives the same items."""
    wanted = options.get("phenomenon") or list(KEYS)
    chosen = [construction for construction in CONSTRUCTIONS if construction.key in wanted]
    per_cell = options["per_cell"]
    targets = generate(chosen, per_cell=per_cell, seed=workplace.seed)
    with_checks = not options.get("no_checks")
    wanted_checks = {"gold": 3, "attention": 2} if with_checks else {}
    counts = _counts(targets)
    return [
        MadeStudy(
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
