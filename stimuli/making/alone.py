"""A made study shown without context: the same ids, references and attributes, and nothing around the words."""

from collections import Counter
from dataclasses import replace
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes import task_type
from corpus.errors import BuildError
from stimuli.making.contract import MadeStudy
from stimuli.making.settings import renamed

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


def without_context(study: MadeStudy) -> MadeStudy:
    """The same target items, each as its task type shows it alone; BuildError where no item can be shown so.

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
