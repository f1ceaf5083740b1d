"""From options to studies: what `build_study` and `import_study` make, and the pages that ask the same. A made study
can be cut to a random part, the same for the same seed and ids everywhere, and shown without context.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes import task_type
from corpus.errors import BuildError
from corpus.workplace import Workplace
from stimuli.making.contract import MadeStudy
from stimuli.making.joined import Join, declaring, join_table
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


def constructed(key: str, options: dict[str, Any], workplace: Workplace) -> list[MadeStudy]:
    """What the construction of that name makes; raises what `Builder.build` raises."""
    return builder(key).build(workplace, slug=options["slug"], title=options["title"], options=options)


def imported(key: str, options: dict[str, Any]) -> list[MadeStudy]:
    """What the data set's file becomes; raises what `Importer.load` raises."""
    study = importer(key).load(
        options["source"], slug=options["slug"], title=options["title"], limit=options["limit"], options=options
    )
    return [study]


def as_asked(studies: Sequence[MadeStudy], options: dict[str, Any]) -> list[MadeStudy]:
    """With tables joined, a part of the items or all without context, and under the names asked for. Misasked."""
    presented = [_presented(options, _joined(study, options)) for study in studies]
    names = {name: options[name] for name in ("slug", "title") if options.get(name) and len(studies) == 1}
    return [replace(one, settings=one.settings | names) for one in presented]


def _presented(options: dict[str, Any], study: MadeStudy) -> MadeStudy:
    if options.get("sample"):
        _refuse_more_than_there_is(options, study)
        study = sampled(study, options["sample"], seed=options["seed"])
    return without_context(study) if options.get("without_context") else study


def _refuse_more_than_there_is(options: dict[str, Any], study: MadeStudy) -> None:
    """Of a whole file a large sample is all of it; of what --limit leaves, the two ask for different numbers."""
    targets, limit = sum(row.kind == "target" for row in study.rows), options.get("limit")
    if limit and options["sample"] > targets:
        raise Misasked(
            f"--sample {options['sample']} with --limit {limit}: the limit leaves {targets} to draw "
            f"from in {study.slug}. Ask for {targets} at most, or leave one of the two out."
        )


def _joined(study: MadeStudy, options: dict[str, Any]) -> MadeStudy:
    tables, ons, columns = options["join"], options["on"], options["columns"]
    if len(tables) != len(ons) or len(columns) not in (0, len(tables)):
        raise Misasked("Each --join needs one --on; and --columns, where it is given, is there once for each.")
    numbers = [name.strip() for name in options["numbers"].split(",") if name.strip()]
    study = replace(study, settings=declaring(study.settings, numbers))
    for table, on, names in zip(tables, ons, columns or [""] * len(tables), strict=True):
        name, _, column = on.partition("=")
        heads = tuple(head.strip() for head in names.split(",")) if names else ()
        join = Join(table, name, column or name, heads, skips_incomplete=options["join_skip_incomplete"])
        study = join_table(study, join)
    return study


def without_context(study: MadeStudy) -> MadeStudy:
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
    shown = _targets(rows)
    if not shown:
        raise BuildError(f"Items of {study.slug} have no context that could be left out ({task.name}).")
    about = {"items": len(shown), "left_out": dropped, "alike": _alike(shown, task)}
    words = f"{len(shown)} items without their context"
    return replace(
        study,
        settings=_settings(study.settings, task.key),
        rows=rows,
        labels=[],
        manifest=study.manifest | {"without_context": about},
        summary=[*study.summary, words + (f", {len(dropped)} without any left out" if dropped else "")],
    )


def _targets(rows: list[ItemRow]) -> list[ItemRow]:
    return [row for row in rows if row.kind == "target"]


def _alike(rows: list[ItemRow], task: Any) -> int:
    """How many items can no longer be told from another: the same noun with the same adjective."""
    texts = Counter(task.text(row.content) for row in rows)
    return sum(count for count in texts.values() if count > 1)


def _settings(settings: dict[str, Any], task: str) -> dict[str, Any]:
    collection = settings.get("collection", {}) | {"gold_per_sitting": 0}
    quality = {name: value for name, value in settings.get("quality", {}).items() if name != "gold_least"}
    kept = {name: value for name, value in settings.items() if name != "practice"}
    return renamed(kept, slug="without-context", title="without context") | {
        "instructions": INSTRUCTIONS[task],
        "collection": collection,
        "quality": quality,
    }


def sampled(study: MadeStudy, size: int, *, seed: int) -> MadeStudy:
    """The study with `size` of its target items, drawn by chance and left in their order; all of them if it has fewer.

    An item's lot rests on its id and the seed alone, so that two studies with the same ids give the same items. Checks
    and practice stay, and so do the labels of what is left.
    """
    targets = [row.id for row in study.rows if row.kind == "target"]
    drawn = set(sorted(targets, key=lambda name: lot(name, seed=seed))[:size])
    rows = [row for row in study.rows if row.kind != "target" or row.id in drawn]
    left = {row.id for row in rows}
    about = {"size": len(drawn), "of": len(targets), "seed": seed, "drawn_by": DRAWN_BY}
    return replace(
        study,
        settings=renamed(study.settings, slug=f"sample-{size}", title=f"{size} items at random"),
        rows=rows,
        labels=[label for label in study.labels if label.item in left],
        manifest=study.manifest | {"sample": about},
        summary=[*study.summary, f"a random sample of {len(drawn)} of {len(targets)} items, seed {seed}"],
    )


def lot(name: str, *, seed: int) -> str:
    """What an item's place in the draw rests on.

    >>> lot("adept-1", seed=0)[:8], lot("adept-1", seed=1)[:8]
    ('e8ba8d1c', '05d8b05b')
    """
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()
