"""methods.md: how the study was made and what its figures are, with numbers, as a section of a paper.

What a model that was trained here learned from is in `card.json` beside its weights.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from annotation.quality.sentences import policy
from comparison.bundle.archive import MADE_WITH
from comparison.bundle.words.facts import Facts, is_folder, mark, title
from comparison.bundle.words.markdown import bullets, code, document, md, section, table
from comparison.figures.models.between_runs import BETWEEN_RUNS
from comparison.figures.registry import tables_of_report
from comparison.frame.cache.remembered import PROGRAM
from comparison.page.page import Page
from corpus.provenance import versions
from scoring.library.language import foreign
from scoring.metrics import METRICS
from scoring.models import Run

# Hundreds of numbers, which are in the card and drawn on the page of trainings.
CURVES = ("curve", "curves")

# What the figures of the tables are; each with where it comes from. docs/statistics.md has the rest.
STATISTICS = (
    "**Majority label**: the most frequent label of an item, if at least two gave it and no other is as frequent. "
    "Items with a tie or a single label have none.",
    "**Accuracy**: the share of correct answers among items with an answer and a label to compare with; unscored and "
    "undecided items are left out. Wilson’s interval (1927), widened for items in groups (design effect, Kish 1965).",
    "**Agreement among annotators**: percent agreement, Gwet’s AC1 and AC2 (2008, 2014), Fleiss’ κ (1971), "
    "Krippendorff’s α (2011), Cohen’s κ (1960, 1968) and Scott’s π (1955) as means over pairs, Conger’s κ (1980), "
    "Brennan–Prediger (1981).",
    "**One annotator vs. the others**: each label is compared with the majority of the item’s other labels; "
    "intervals over items and annotators (Cameron, Gelbach and Miller 2011), linearized, by Student’s t.",
    "**Other intervals**: percentiles of 1,000 resamples of items, or of whole groups of items (Efron and "
    "Tibshirani 1993); ρ by Bonett and Wright (2000); Conger’s κ and means over pairs by the jackknife.",
    "**Two runs**: McNemar’s exact test (1947), with Holm’s correction (1979) over all pairs; for all runs, "
    "Cochran’s Q (1950).",
    "**Replacing an annotator**: the alternative annotator test (Calderon, Reichart and Dror 2025), false discovery "
    "rate by Benjamini and Yekutieli (2001).",
    "**The nearest runs**: on the items that all compared runs have labeled, the runs tied with the best. A run must "
    "beat chance (1 / options, binomial) and its own labels shuffled across items (Fisher 1935; Pitman 1937), by "
    "one-sided tests. Better than chance and worse than chance are two questions, each tested at .05 over all runs "
    "with Holm’s correction: runs that only guess are found to differ from chance, in either direction, in at most 10 "
    "of 100 studies. A constant label is compared by McNemar’s test. For items in groups: the larger p of the test on "
    "items and of a test on group sums, by sign flips with eight or more groups (Fisher 1935), otherwise by betting "
    "(Waudby-Smith and Ramdas 2024). While labels came in, each test allowed for looks at any time (O’Brien and "
    "Fleming 1979). Runs tied with the best: the model confidence set (Hansen, Lunde and Nason 2011); with few groups "
    "by Student’s t, and with fewer than six groups no two runs are separated.",
    "**Labels by cut points**: scores of a run without labels are cut into labels that are as frequent as people’s "
    "labels. The cut points use the label frequencies, so chance for such a run is its own labels shuffled across "
    "items, or across groups (a permutation test: Pitman 1937).",
)
DRAWN = "Items were assigned by greatest need, ties at random; data/judgments.csv has the order of options as shown."
BY_GROUPS = (
    "**Items in groups**: McNemar’s test is a permutation of whole groups of items (Fisher 1935), and so is Cochran’s "
    "Q, on the sum of each group."
)
# What only some reports have, by the names of their tables.
BY_TABLE = {
    "distributions": "**Distributions**: Jensen–Shannon distance to base 2 (Lin 1991), total variation and "
    "cross-entropy in bits (Peterson et al. 2019) between a run’s probabilities and the shares of people’s labels, "
    "averaged over items.",
    "calibration": "**Calibration**: a run’s probabilities against how often it is right, in ten bins of equal "
    "size (Guo et al. 2017).",
}
# The figures that all these words speak of; of any other, each table says how its intervals were made.
TOLD_ABOVE = {
    *("verdict", "findings", "agreement", "assessors", "powered", "accuracy", "classes", "strength", "cuts"),
    *("run-figures", "alternative", "between-runs", "biases", "confusion"),
    *("breakdown", "numbers", "between-values", "shares", "regression"),
}
BIAS = (
    "**Response bias**: how often a run gives each label minus how often it is true, and the rank correlation of its "
    "answers with text length, with Holm’s correction over all tests."
)
AGGREGATIONS = (
    "**Other aggregations** (tables/aggregations.csv): shared ties, weighted votes, Dawid–Skene (1979), its one-coin "
    "form, MACE (Hovy et al. 2013) and GLAD (Whitehill et al. 2009); accuracy of each run against each of them."
)
POWERED = (
    "**Prediction-powered label shares** (tables/powered.csv): prediction-powered inference (Angelopoulos et al. "
    "2023), if items are unlabeled."
)


def _facts(facts: Mapping[str, Any], inside: str = "") -> Iterator[tuple[str, str]]:
    for name, value in facts.items():
        if name in CURVES:
            continue
        # Names of files stay as they are.
        words = inside + (name if "." in name else name.replace("_", " "))
        if isinstance(value, Mapping) and value and not inside:
            yield from _facts(value, f"{words}: ")
        elif isinstance(value, str) and PurePath(value).is_absolute():
            # Where a folder lies is the machine's affair.
            yield words, PurePath(value).name
        else:
            yield words, text_of(value)


def text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _of_tables(page: Page) -> list[str]:
    names = {table.name for table in tables_of_report(page.chosen)}
    sentences = [words for name, words in BY_TABLE.items() if name in names]
    sentences += [BIAS] if page.deciding else []
    if page.outline.has_labels:
        sentences.append(AGGREGATIONS)
        sentences += [POWERED] if page.run and page.findings.counts.unlabeled else []
    others = tables_of_report(page.chosen, besides=TOLD_ABOVE)
    return [*sentences, *(f"**{md(table.title)}**: {md(table.method.rstrip('.'))}." for table in others)]


def methods(page: Page, facts: Facts) -> str:
    return document(
        f"Methods: {title(page.study)}",
        md(mark(page.study)),
        section("Result", bullets(map(md, page.verdict.sentences))),
        _design(page, facts),
        _collection(page, facts),
        _exclusions(page, facts),
        _models(page, facts),
        _statistics(page),
    )


def _design(page: Page, facts: Facts) -> str:
    study = page.study
    task, scale = study.task, study.task.scale
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in facts.kinds.items())
    lines = [
        f"Task: {md(task.name)} ({code(task.key)}, version {md(study.task_version)}). {md(task.question)}",
        f"Labels, {'ordered' if scale.ordered else 'unordered'}: "
        + "; ".join(f"{md(label.text)} ({code(label.value)})" for label in scale.labels),
        f"Items: {kinds}. Targets with a reference: {facts.references:,}; a published rating: {facts.published:,}.",
        _grouping(page, facts),
        f"Attributes: {', '.join(map(md, facts.attributes)) or 'none'}.",
        *_origin(facts),
        f"Items reworded by a researcher: {facts.revised:,}.",
        f"Nearness to {study.people.truth} is measured by {page.chosen.measure_words}, against "
        f"{page.chosen.measured_against}.",
        f"Hash of all item rows in order: {code(study.content_hash)}. A run’s items_sha256 below is "
        "different: it covers the content of targets only, as the run read them.",
        f"Version of the instructions: {code(study.instructions_version)}.",
    ]
    return section("Design", bullets(lines), "Instructions, as annotators read them:", _quoted(study.instructions))


def _quoted(text: str) -> str:
    """With its lines and paragraphs."""
    paragraphs = (part.strip().splitlines() for part in text.split("\n\n") if part.strip())
    return "\n>\n".join("  \n".join(f"> {md(line)}" for line in lines) for lines in paragraphs)


def _grouping(page: Page, facts: Facts) -> str:
    if not facts.grouped:
        return "No items share a group: intervals draw single items."
    singles = page.outline.items - facts.grouped
    return (
        f"{facts.grouped:,} targets are in {facts.groups:,} groups that share a source, and {singles:,} are single: "
        f"intervals draw these {facts.groups + singles:,} groups and single items."
    )


def _origin(facts: Facts) -> list[str]:
    """As the folder of the study says."""
    sources = {"Source of the items": facts.origin.paper, "License of the items’ sources": facts.origin.license}
    return [f"{what}: {md(words.rstrip('.'))}." for what, words in sources.items() if words]


def _collection(page: Page, facts: Facts) -> str:
    yields = page.yields
    lines = [
        f"{yields.labels:,} of {yields.labels_wanted:,} labels; {yields.complete:,} of {yields.items:,} "
        "targets are complete.",
        f"{yields.annotators:,} annotators answered, in {facts.sittings + facts.imported_sittings:,} batches.",
        f"Answers were given {facts.timeframe} (UTC)." if facts.timeframe else "No answers were given here.",
        *([f"Synthetic annotators by profile: {_counted(facts)}."] if facts.profiles else []),
        *(
            f"{source.labels:,} labels came from the file {md(source.name)} (sha256 {code(source.sha256)})"
            + (f": {md(source.note)}" if source.note else "")
            for source in facts.sources
        ),
        *([DRAWN] if facts.sittings else []),
    ]
    return section("Collection", bullets(lines))


def _counted(facts: Facts) -> str:
    return ", ".join(f"{count:,} {profile}" for profile, count in facts.profiles.items())


def _exclusions(page: Page, facts: Facts) -> str:
    study, yields = page.study, page.yields
    rules = table(
        ("Rule", "Annotators excluded", "Reinstated"),
        [(rule, f"{now:,}", f"{before:,}") for rule, (now, before) in facts.exclusions.items()],
    )
    aside = (
        f"{yields.labels_excluded:,} labels of excluded annotators and {yields.labels_surplus:,} surplus ones (given "
        "after the item’s last slot had gone to someone else) are kept in data/judgments.csv and do not count."
    )
    if facts.imported_sittings and not facts.sittings:
        note = "All labels were imported; the rules of their collection are not known here."
        return section("Exclusions", note, rules, md(aside))
    fixed = (
        "The exclusion rules were locked when the study opened: sha256 of the rules and of the checks in a batch "
        f"{code(study.policy_hash)}."
    )
    policies = [*map(md, policy(study)), *([fixed] if study.policy_hash else [])]
    return section("Exclusions", bullets(policies), rules, md(aside))


def _models(page: Page, facts: Facts) -> str:
    if not facts.runs:
        return section("Models and metrics", "No model has answered these items.")
    rows = [
        (
            run.model.name,
            run.model.get_family_display(),
            f"{run.metric_shown}, version {run.metric_version}",
            _which(run),
            f"{run.scored:,} scored, {run.unscored:,} unscored" + ("" if run.state == "finished" else f"; {run.state}"),
        )
        for run in facts.runs
    ]
    used = dict.fromkeys(run.metric for run in facts.runs if run.metric in METRICS)
    return section(
        "Models and metrics",
        table(("Model", "Family", "Metric", "Which", "Items"), rows),
        md(foreign(page.study.stimuli_speak, [run.model for run in facts.runs])),
        bullets(f"{code(key)}: {md(METRICS[key].description)}" for key in used),
        md(f"Score: {page.study.task.strength_means}."),
        *(f"To reproduce {md(str(run))}:\n\n{_provenance(run)}" for run in facts.runs),
        *_learned(facts),
    )


def _which(run: Run) -> str:
    model = run.model
    if model.is_imported:
        return "scores computed elsewhere"
    parts = [
        _place(model.source),
        f"revision {model.revision}" if model.revision else "",
        model.dtype if model.source else "",
    ]
    hashed = f"files sha256 {model.file_hash}" if model.file_hash else ""
    return ", ".join(part for part in (*parts, hashed) if part) or "a rule, no weights"


def _place(source: str) -> str:
    """Of a folder its name alone: where it lies is the machine's affair, and its files are told by their sha256."""
    return PurePath(source).name if is_folder(source) else source


def _learned(facts: Facts) -> Iterator[str]:
    """What it takes to make those models again that were made here, each once."""
    for model in {run.model_id: run.model for run in facts.runs}.values():
        if entries := list(_facts(model.card)):
            lines = bullets(f"{md(name)}: {md(value)}" for name, value in entries)
            yield f"To reproduce {md(model.name)}, which was trained here (from its card):\n\n{lines}"


def _provenance(run: Run) -> str:
    facts = {**run.settings, **run.provenance}
    if isinstance(facts.get("source"), str):
        facts["source"] = _place(facts["source"])
    source = getattr(run, "source", None)
    if source is not None:
        facts |= {"file": source.name, "file_sha256": source.sha256, "note": source.note}
    return (
        bullets(f"{md(name)}: {md(text_of(value))}" for name, value in sorted(facts.items())) or "- nothing is stored"
    )


def _statistics(page: Page) -> str:
    packages = ", ".join(f"{name} {version}" for name, version in versions(MADE_WITH).items())
    between = BETWEEN_RUNS.read(page.chosen)
    return section(
        "Statistics",
        "Every estimate has n and a 95 % interval, or the reason why it has none.",
        bullets([*STATISTICS, *_of_tables(page), *([BY_GROUPS] if between and between.q.by_groups else [])]),
        md(f"Computed with Parallax’s statistics of version {PROGRAM}; {packages}."),
    )
