"""From options to studies: what `build_study` and `import_study` make, and the pages that ask the same. A made study
can be cut to a random part, the same for the same seed and ids everywhere, and shown without context.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes import task_type
from corpus import source_text
from corpus.decimals import decimal, is_absent
from corpus.errors import BuildError, Fault, SourceError
from corpus.provenance import source_facts
from corpus.tables.quotes import TAB
from corpus.tables.registry import parting_in
from corpus.workplace import Workplace
from stimuli.making.contract import BuiltStudy
from stimuli.making.options import Misasked
from stimuli.making.registry import builder, importer
from stimuli.making.settings import renamed

DRAWN_BY = "the lowest sha256 of seed, space and item id"

# What annotators read instead of the study's own instructions, which speak of what is no longer there.
INSTRUCTIONS = {
    "plausibility": """\
You will see a noun, and below it the same noun with an adjective. The sentence that they come from is not shown.

Think of what is usually said of such a thing, and ask yourself how the adjective changes the chances that it is true:

Impossible: with the adjective it cannot be true any more.

Less likely: the adjective makes it less likely.

Equally likely: the adjective makes no difference.

More likely: the adjective makes it more likely.

Necessarily true: with the adjective it cannot fail to be true.

Where the page speaks of a sentence, it means these words.
""",
    "yes_no": """\
You will read a question, without the passage that answers it. Answer with Yes or No, from what you know; please do not
look it up. If you do not know, choose the answer that seems more likely to you.
""",
    "forced_choice": """\
You will read a few words with a blank, without the text that they come from, and options for the blank. Choose the one
that seems to fit better. There are no right answers: your first thought is what we want.
""",
}


def constructed(key: str, options: dict[str, Any], workplace: Workplace) -> list[BuiltStudy]:
    """What the construction of that name makes; raises what `Builder.build` raises."""
    return builder(key).build(workplace, slug=options["slug"], title=options["title"], options=options)


def imported(key: str, options: dict[str, Any]) -> list[BuiltStudy]:
    """What the data set's file becomes; raises what `Importer.load` raises."""
    study = importer(key).load(
        options["source"], slug=options["slug"], title=options["title"], limit=options["limit"], options=options
    )
    return [study]


def as_asked(studies: Sequence[BuiltStudy], options: dict[str, Any]) -> list[BuiltStudy]:
    """With tables joined, a part of the items or all without context, and under the names asked for. Misasked."""
    presented = [_presented(options, _joined(study, options)) for study in studies]
    names = {name: options[name] for name in ("slug", "title") if options.get(name) and len(studies) == 1}
    return [replace(one, settings=one.settings | names) for one in presented]


def _presented(options: dict[str, Any], study: BuiltStudy) -> BuiltStudy:
    if options.get("sample"):
        _refuse_more_than_there_is(options, study)
        study = sampled(study, options["sample"], seed=options["seed"])
    return without_context(study) if options.get("without_context") else study


def _refuse_more_than_there_is(options: dict[str, Any], study: BuiltStudy) -> None:
    """Of a whole file a large sample is all of it; of what --limit leaves, the two ask for different numbers."""
    targets, limit = sum(row.kind == "target" for row in study.rows), options.get("limit")
    if limit and options["sample"] > targets:
        raise Misasked(
            f"--sample {options['sample']} with --limit {limit}: the limit leaves {targets} to draw "
            f"from in {study.slug}. Ask for {targets} at most, or leave one of the two out."
        )


def _joined(study: BuiltStudy, options: dict[str, Any]) -> BuiltStudy:
    tables, ons, columns = options["join"], options["on"], options["columns"]
    if len(tables) != len(ons) or len(columns) not in (0, len(tables)):
        raise Misasked("Give one --on per --join; if you use --columns, give one per --join too.")
    numbers = [name.strip() for name in options["numbers"].split(",") if name.strip()]
    study = replace(study, settings=declaring(study.settings, numbers))
    for table, on, names in zip(tables, ons, columns or [""] * len(tables), strict=True):
        name, _, column = on.partition("=")
        heads = tuple(head.strip() for head in names.split(",")) if names else ()
        join = Join(table, name, column or name, heads, skips_incomplete=options["join_skip_incomplete"])
        study = join_table(study, join)
    return study


def without_context(study: BuiltStudy) -> BuiltStudy:
    """The target items, each as its task type shows it without context; BuildError where no item can be shown so.

    Gold and practice items are left out, as their answers rest on the context; attention items are as they were. What
    nothing can be taken from is left out and named in the manifest. Labels are of the full items, and so left out too.
    """
    table = {name: value for name, value in study.settings["task"].items() if name != "type"}
    task = task_type(study.settings["task"]["type"]).configured(table)
    rows, dropped = [], []
    for row in study.rows:
        if row.kind == "attention":
            rows.append(row)
        elif row.kind == "target":
            content = task.without_context(row.content)
            if content is None:
                dropped.append(row.id)
            else:
                rows.append(replace(row, content=content, revise=""))
    targets = [row for row in rows if row.kind == "target"]
    if not targets:
        raise BuildError(f"Items of {study.slug} have no context to leave out ({task.name}).")
    about = {"items": len(targets), "left_out": dropped, "alike": _alike(targets, task)}
    words = f"{len(targets)} items without their context"
    return replace(
        study,
        settings=_settings(study.settings, task.key),
        rows=rows,
        labels=[],
        manifest=study.manifest | {"without_context": about},
        summary=[*study.summary, words + (f", {len(dropped)} without any left out" if dropped else "")],
    )


def _alike(rows: list[ItemRow], task: Any) -> int:
    """How many items can no longer be told from another: the same noun with the same adjective."""
    texts = Counter(task.text(row.content) for row in rows)
    return sum(count for count in texts.values() if count > 1)


def _settings(settings: dict[str, Any], task: str) -> dict[str, Any]:
    collection = settings.get("collection", {}) | {"gold_per_sitting": 0}
    quality = {name: value for name, value in settings.get("quality", {}).items() if name != "gold_least"}
    remaining = {name: value for name, value in settings.items() if name != "practice"}
    return renamed(remaining, slug="without-context", title="without context") | {
        "instructions": INSTRUCTIONS[task],
        "collection": collection,
        "quality": quality,
    }


def sampled(study: BuiltStudy, size: int, *, seed: int) -> BuiltStudy:
    """The study with `size` of its target items, drawn by chance and left in their order; all of them if it has fewer.

    An item's lot rests on its id and the seed alone, so that two studies with the same ids give the same items. Checks
    and practice stay, and so do the labels of what is left.
    """
    targets = [row.id for row in study.rows if row.kind == "target"]
    drawn = set(sorted(targets, key=lambda name: lot(name, seed=seed))[:size])
    rows = [row for row in study.rows if row.kind != "target" or row.id in drawn]
    ids = {row.id for row in rows}
    about = {"size": len(drawn), "of": len(targets), "seed": seed, "drawn_by": DRAWN_BY}
    return replace(
        study,
        settings=renamed(study.settings, slug=f"sample-{size}", title=f"{size} items at random"),
        rows=rows,
        labels=[label for label in study.labels if label.item in ids],
        manifest=study.manifest | {"sample": about},
        summary=[*study.summary, f"a random sample of {len(drawn)} of {len(targets)} items, seed {seed}"],
    )


def lot(name: str, *, seed: int) -> str:
    """What an item's place in the draw rests on.

    >>> lot("adept-1", seed=0)[:8], lot("adept-1", seed=1)[:8]
    ('e8ba8d1c', '05d8b05b')
    """
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()


# At most so many keys that no item has, or that the table lacks, are named.
NAMED = 5


@dataclass(frozen=True, slots=True)
class Join:
    """`table` has a row for each value of the attribute `on`, in its column `key`; all others become attributes.

    `heads` name the columns of a table without a first line that does; empty: its first line does. `skips_incomplete`
    leaves out, and lists, rows with more or fewer cells.
    """

    table: Path
    on: str
    key: str
    heads: tuple[str, ...] = ()
    skips_incomplete: bool = False


def join_table(study: BuiltStudy, join: Join) -> BuiltStudy:
    """The study with the table's columns as attributes of its items; SourceError with every fault of the table.

    A column whose every cell is a number is declared as such in study.toml. Values that the table lacks, or that no
    item has, are counted and named; where nothing fits at all, the table is refused.
    """
    heads, lines, skipped = _read(join)
    values = {row.attributes[join.on] for row in study.rows if row.attributes.get(join.on)}
    if not values:
        existing = ", ".join(sorted({name for row in study.rows for name in row.attributes})) or "none"
        raise SourceError(join.table, [Fault("--on", f"no item has the attribute {join.on!r}; there are: {existing}")])
    table = _by_key(join, heads, lines)
    if not values & table.keys():
        raise SourceError(join.table, [Fault("file", f"has none of the values of {join.on!r} that items have")])
    names = [name for name in heads if name != join.key]
    clashing = sorted({name for row in study.rows for name in row.attributes} & set(names))
    if clashing:
        raise SourceError(
            join.table, [Fault(name, "items already have an attribute of this name") for name in clashing]
        )
    numeric = [name for name in names if _is_number([table[key][name] for key in values & table.keys()])]
    without = sorted(values - table.keys())
    facts: dict[str, Any] = {"table": source_facts(join.table), "on": join.on, "columns": names, "numbers": numeric}
    facts |= {"without": without, "incomplete": skipped}
    return replace(
        study,
        rows=[_with_cells(row, table.get(row.attributes.get(join.on, ""), {}), names) for row in study.rows],
        settings=declaring(study.settings, numeric),
        manifest=study.manifest | {"joined": [*study.manifest.get("joined", []), facts]},
        summary=[*study.summary, *_summary(join, names, numeric, values, without, len(table)), *_left_out(skipped)],
    )


def _with_cells(row: ItemRow, cells: Mapping[str, str], names: Sequence[str]) -> ItemRow:
    """Empty cells are no attributes."""
    return replace(row, attributes=row.attributes | {name: cells[name] for name in names if cells.get(name)})


def declaring(settings: dict[str, Any], numeric: Sequence[str]) -> dict[str, Any]:
    """study.toml with these attributes as numbers, beside those that it has."""
    if not numeric:
        return settings
    results = settings.get("results", {})
    return settings | {"results": results | {"numbers": list(dict.fromkeys([*results.get("numbers", []), *numeric]))}}


def _read(join: Join) -> tuple[tuple[str, ...], list[tuple[int, list[str]]], list[str]]:
    """The names of the columns, the rows with their lines, and what was left out; SourceError with every fault."""
    faults: list[Fault] = []
    lines: list[tuple[int, list[str]]] = []
    try:
        data = join.table.read_bytes()
    except OSError as error:
        raise SourceError(join.table, [Fault("file", f"cannot be read: {error.strerror}")]) from None
    delimiter = parting_in(data, join.table.name)
    for line, row in source_text.rows(data, delimiter=delimiter, quoted=delimiter != TAB):
        if isinstance(row, Fault):
            faults.append(row.under(f"line {line}"))
        else:
            lines.append((line, [cell.strip() for cell in row]))
    heads = join.heads or (tuple(lines.pop(0)[1]) if lines else ())
    faults += list(_faults_of_heads(join, heads)) if not faults else []
    incomplete = [
        Fault(f"line {line}", f"has {_counted(len(row))}, not {len(heads)}: {delimiter.join(row)[:60]!r}")
        for line, row in lines
        if len(row) != len(heads)
    ]
    if not join.skips_incomplete:
        faults += incomplete
    if faults:
        raise SourceError(join.table, faults)
    whole = [(line, row) for line, row in lines if len(row) == len(heads)]
    return heads, whole, [fault.said() for fault in incomplete]


def _faults_of_heads(join: Join, heads: Sequence[str]) -> Iterator[Fault]:
    if join.key not in heads:
        yield Fault("file", f"has no column {join.key!r}; there are: {', '.join(heads) or 'none'}")
    if not all(heads) or len(set(heads)) < len(heads):
        yield Fault("file", "must name every column, and each otherwise")
    if len(heads) < 2:
        yield Fault("file", "must have a column besides the one to join on")


def _by_key(join: Join, heads: Sequence[str], lines: list[tuple[int, list[str]]]) -> dict[str, Mapping[str, str]]:
    """Each row's cells by its key; a key that comes twice must say the same."""
    faults: list[Fault] = []
    table: dict[str, Mapping[str, str]] = {}
    first: dict[str, int] = {}
    for line, row in lines:
        cells = dict(zip(heads, row, strict=True))
        key = cells[join.key]
        if key in table and table[key] != cells:
            faults.append(Fault(f"line {line}", f"{key!r} is on line {first[key]} already, with other cells"))
        table.setdefault(key, cells)
        first.setdefault(key, line)
    if faults:
        raise SourceError(join.table, faults)
    return table


def _is_number(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if not is_absent(cell)]
    return bool(filled) and not any(isnan(decimal(cell)) for cell in filled)


def _counted(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{cells} cells"


def _summary(
    join: Join, names: list[str], numeric: list[str], values: set[str], without: list[str], keys: int
) -> Iterator[str]:
    numbers = f"; numbers: {', '.join(numeric)}" if numeric else ""
    yield (
        f"joined {', '.join(names)} of {join.table.name} on {join.on}: {len(values) - len(without)} of {len(values)} "
        f"values are among its {keys}{numbers}"
    )
    if without:
        more = f" and {len(without) - NAMED} more" if len(without) > NAMED else ""
        yield f"not in the table: {', '.join(without[:NAMED])}{more}"


def _left_out(skipped: list[str]) -> Iterator[str]:
    if skipped:
        yield f"left out of the table, {len(skipped)}:"
    yield from (f"  {line}" for line in skipped)
