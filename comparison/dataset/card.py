"""README.md of a data set: what it is, its parts, how far people agree, by which rules, and how it is read again.

It begins with the YAML that `datasets` and a hub read, every text in quotes, as in JSON.
"""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, Q

from annotation.models import Assignment, Judgment, Study
from annotation.models.population import StudyPopulation
from annotation.quality.sentences import policy
from comparison.bundle.words.facts import mark, read_origin, title
from comparison.bundle.words.markdown import bullets, code, md, section, table
from comparison.dataset.columns import LABEL, OF_LABELS, Column, Columns, Outset
from comparison.dataset.parting import PARTS
from comparison.figures.people.coefficients import from_counts
from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate

# How many items a data set has, as a hub wants it said.
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "n>1M"

# What a hub calls whoever gave the labels.
CROWD, FOUND, MACHINE, NOBODY = "crowdsourced", "found", "machine-generated", "no-annotation"
# Platforms whose people are a crowd; of volunteers nobody knows what they are.
CROWDS = frozenset({"prolific", "mturk", "panel"})
# By this line a folder is known that may be written anew, and of which study it is.
MARK = "<!-- Written by Parallax: manage.py export_dataset {slug} -->"
NO_MAJORITY = "no majority"


def front_matter(
    *,
    name: str,
    license: str,
    language: str,
    creators: Sequence[str],
    values: Sequence[str],
    configurations: Mapping[str, tuple[Sequence[Column], Mapping[str, int]]],
) -> str:
    """`creators` are a hub's words for who gave the labels, none where that is not known.

    `configurations` has, by name, the columns and how many rows each part holds; the first is the default.
    """
    _, of_items = next(iter(configurations.values()))
    size = next((words for most, words in SIZES if sum(of_items.values()) < most), LARGEST)
    lines = [
        "---",
        f"pretty_name: {_text(name)}",
        f"license: {_text(license)}",
        "language:",
        f"- {_text(language)}",
        *(["annotations_creators:", *(f"- {_text(one)}" for one in creators)] if creators else []),
        "task_categories:",
        f"- {_text('text-classification')}",
        "size_categories:",
        f"- {_text(size)}",
        "configs:",
    ]
    for place, (key, (_, rows)) in enumerate(configurations.items()):
        lines += [f"- config_name: {_text(key)}", *(["  default: true"] if place == 0 else []), "  data_files:"]
        for part in rows:
            lines += [f"  - split: {part}", f"    path: {_text(f'{key}/{part}.parquet')}"]
    lines.append("dataset_info:")
    for key, (columns, _) in configurations.items():
        lines += [f"- config_name: {_text(key)}", "  features:"]
        for column in columns:
            lines += _feature(column, values)
    return "\n".join([*lines, "---"])


def _feature(column: Column, values: Sequence[str]) -> Iterator[str]:
    yield f"  - name: {_text(column.name)}"
    if column.kind != LABEL:
        yield f"    dtype: {column.kind}"
        return
    yield from ("    dtype:", "      class_label:", "        names:")
    yield from (f"          '{place}': {_text(value)}" for place, value in enumerate(values))


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetOptions:
    """`shares` are per cent of the items in train, validation and test; `license` an identifier for the card."""

    shares: tuple[int, ...] = (80, 10, 10)
    seed: int = 1
    license: str = "unknown"


@dataclass(frozen=True, slots=True)
class DatasetCounts:
    """Rows by part of `items` and of `labels`; items by part and label, None where there is no majority."""

    items: Mapping[str, int]
    labels: Mapping[str, int]
    of_label: Mapping[tuple[str, str | None], int]
    annotators: int


def creators(study: Study, *, has_references: bool) -> list[str]:
    """Who gave the labels, in a hub's words; nothing of people from a link of no platform, who may be anybody."""
    match study.population:
        case StudyPopulation.SYNTHETIC:
            return [MACHINE]
        case StudyPopulation.NOBODY:
            # References are labels, and nothing here says whose.
            return [] if has_references else [NOBODY]
    judgments = Judgment.objects.filter(assignment__sitting__study=study, assignment__sitting__source=None)
    crowd = [CROWD] if study.platform in CROWDS and judgments.exists() else []
    return [*crowd, *([FOUND] if study.label_sources.exists() else [])]


def card(study: Study, outset: Outset, written: DatasetCounts, options: DatasetOptions) -> str:
    front = front_matter(
        name=title(study),
        license=options.license,
        language=study.stimuli_speak,
        creators=creators(study, has_references=bool((outset.truth != MISSING).any())),
        values=outset.columns.values,
        configurations={
            "items": (outset.columns.of_items, written.items),
            # A data set without a label has no such configuration: there is no file to read.
            **({"labels": (OF_LABELS, written.labels)} if written.labels else {}),
        },
    )
    parts = [
        f"# {md(title(study))}",
        MARK.format(slug=study.slug),
        md(mark(study)),
        f"Items of the task “{md(study.task.name)}”: {md(study.task.question)}",
        section("Configurations", _configurations(outset, written)),
        section("Parts", _parts(study, outset, written, options)),
        section("Labels", _shares(study, outset)),
        section("Agreement", _agreement(study, outset)),
        section("How it was collected", bullets(map(md, policy(study))), md(_left_out(study))),
        section("License", md(_license(study, options))),
        section("Reading it", _reading(study, outset.columns, written)),
    ]
    return "\n\n".join([front, *parts]) + "\n"


def _configurations(outset: Outset, written: DatasetCounts) -> str:
    texts = ", ".join(code(column.name) for column in outset.columns.of_items)
    return bullets(
        [
            f"`items`: one row per item, {sum(written.items.values()):,} in all: {texts}. `label` is the majority of "
            "the labels that count: at least two agree, and no other label is as frequent (Emami et al. 2021); it is "
            "empty if there is none. `reference` was known beforehand; `labels_…`: how often each label was given.",
            f"`labels`: one row per label that counts, {sum(written.labels.values()):,} by {written.annotators:,} "
            "annotators, numbered for this data set only; without platform IDs and times.",
        ]
    )


def _parts(study: Study, outset: Outset, written: DatasetCounts, options: DatasetOptions) -> str:
    labels: list[str | None] = [*outset.columns.values, None]
    parts = [part for part in PARTS if part in written.items]
    rows = [
        (words or NO_MAJORITY, *(f"{written.of_label.get((part, words), 0):,}" for part in parts)) for words in labels
    ]
    rows.append(("items", *(f"{written.items[part]:,}" for part in parts)))
    shares = ", ".join(f"{share} % {part}" for part, share in zip(PARTS, options.shares, strict=True))
    groups = f"{outset.groups:,} groups of items that share a source" if outset.groups else "no groups of items"
    return (
        f"{shares}, stratified by label (or reference), with seed {options.seed}; no `group` is in "
        f"two parts ({groups}).\n\n{table(('label', *parts), rows)}"
    )


def _shares(study: Study, outset: Outset) -> str:
    """Of majorities, and of references where there are any; with Wilson's interval."""
    counts = outset.counts
    labelings = {"Majority": majority(counts), "Reference": outset.truth}
    present = {name: codes for name, codes in labelings.items() if (codes != MISSING).any()}
    if not present:
        return "No item has a label or a reference."
    rows = [
        (study.task.scale.text(value), *(str(_share(codes, code, outset)) for codes in present.values()))
        for code, value in enumerate(outset.columns.values)
    ]
    without = int((labelings["Majority"] == MISSING).sum())
    return (
        f"Shares with their 95 % intervals; {without:,} of {len(counts):,} items have no majority.\n\n"
        f"{table(('label', *present), rows)}"
    )


def _share(codes: Ints, code: int, outset: Outset) -> Estimate:
    is_known = codes != MISSING
    return share_of(np.asarray(codes == code), np.asarray(is_known), reason=NO_MAJORITY, sample=outset.sample)


def _agreement(study: Study, outset: Outset) -> str:
    if not outset.counts.any():
        return "No one has labeled these items."
    scale, values = study.task.scale, outset.columns.values
    is_numbered = scale.ordered and all(value.isdecimal() for value in values)
    numbers = tuple(map(float, values)) if is_numbered else ()
    agreements = from_counts(outset.counts, outset.sample, ordered=scale.ordered, numbers=numbers)
    rows = [(one.name, str(one.estimate)) for one in agreements]
    return f"Among {study.people.many}, with 95 % intervals over items.\n\n{table(('Statistic', 'Value'), rows)}"


def _left_out(study: Study) -> str:
    state = Assignment.State
    counts = Assignment.objects.filter(item__study=study, item__kind="target").aggregate(
        excluded=Count("pk", filter=Q(state=state.EXCLUDED)),
        surplus=Count("pk", filter=Q(state=state.SURPLUS)),
        dropped=Count("pk", filter=Q(state=state.DROPPED)),
    )
    dropped = study.items.dropped().count()
    given_up = f" {dropped:,} items were dropped and have no label here." if dropped else ""
    return (
        f"Not in this data set: {counts['excluded']:,} labels of excluded annotators, {counts['surplus']:,} surplus "
        f"labels, {counts['dropped']:,} of dropped items, and all labels of practice and check items.{given_up}"
    )


def _license(study: Study, options: DatasetOptions) -> str:
    origin = read_origin(study)
    sentences = [f"The labels’ license was given as {options.license}." if options.license != "unknown" else ""]
    sentences.append(f"License of the items’ sources, by their manifest: {origin.license}." if origin.license else "")
    sentences.append(f"Their paper: {origin.paper}." if origin.paper else "")
    return " ".join(filter(None, sentences)) or "Not known to Parallax: fill in, and add its identifier above."


def _reading(study: Study, columns: Columns, written: DatasetCounts) -> str:
    parts = [part for part in PARTS if part in written.items]
    return (
        "```python\nfrom datasets import load_dataset\n\n"
        'items = load_dataset("FOLDER", "items")\n'
        + ('labels = load_dataset("FOLDER", "labels")\n' if written.labels else "")
        + "```\n\nThe same rows are in `items/PART.jsonl` and `labels/PART.jsonl`. To import it into Parallax "
        f"as a study:\n\n```sh\n{import_command(study, columns, parts)}\n```"
    )


def import_command(study: Study, columns: Columns, parts: Iterable[str]) -> str:
    """What makes a study of these items again, with their task, references, groups and attributes."""
    words = ["manage.py", "import_study", "table", "FOLDER/items", "--split", "+".join(parts), "--slug", study.slug]
    words += ["--title", study.title, "--task", study.task_type, "--map"]
    words += [f"{column.field}={column.name}" for column in columns.of_items if column.field]
    settings = {name: value for name, value in study.task_settings.items() if name != "options"}
    if question := settings.pop("question", ""):
        words += ["--question", str(question)]
    if settings:
        words += ["--set", *(f"{name}={value}" for name, value in settings.items())]
    return shlex.join(words)
