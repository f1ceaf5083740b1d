"""What a run is called where room is short: model and metric in at most 14 letters, once in a study.

A researcher may give another name, which is kept; else it is made of the two names, the same whenever it is asked for.
"""

import re
from collections.abc import Collection, Iterable

from django.db import transaction

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Study
from scoring.models import LONGEST_SHORT_NAME, Run

# Metrics whose keys are long. A model that names labels itself is called by its own name alone.
TAGS = {
    "label": "",
    # What an import is called whose metric nobody named.
    "score": "",
    "pll_within_word_l2r": "l2r",
    "pll_whole_word": "whole",
    "left_to_right": "ltr",
    "last_word": "last",
    "prompted": "chat",
    "continuation": "cont",
    "causal_per_token": "token",
    "causal_per_word": "word",
    "causal_per_character": "char",
    "causal_published": "publ",
}
LONGEST_TAG = 6


def short_name(model: str, metric: str, taken: Collection[str] = ()) -> str:
    """
    >>> short_name("SmolLM2 135M Instruct", "causal"), short_name("GPT-2 XL", "pll")
    ('SmolLM2 causal', 'GPT-2 XL pll')
    >>> short_name("MiniLM-L6 masked LM", "pll_within_word_l2r"), short_name("Random label", "label")
    ('MiniLM-L6 l2r', 'Random label')
    >>> short_name("quill", "score")
    'quill'
    >>> short_name("org/a-model-with-a-long-name", "cloze")
    'a-model cloze'
    >>> short_name("Huge", "per word")
    'Huge per word'
    >>> short_name("GPT-2 XL", "pll", taken={"GPT-2 XL pll", "GPT-2 XL pll 2"})
    'GPT-2 XL pll 3'
    """
    whole = TAGS.get(metric, metric)
    # All of a metric's own name where there is room for both.
    tag = whole if len(f"{_bare(model)} {whole}") <= LONGEST_SHORT_NAME else whole[:LONGEST_TAG].rstrip()
    room = LONGEST_SHORT_NAME - len(tag) - (1 if tag else 0)
    base = f"{_fitting(model, room)} {tag}".strip()
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base[: LONGEST_SHORT_NAME - len(str(number)) - 1].rstrip()} {number}"
    return name


def _bare(model: str) -> str:
    """Without who published it and what stands in brackets."""
    return re.sub(r"\s*\(.*", "", model.rsplit("/", 1)[-1]).strip() or model


def _fitting(model: str, room: int) -> str:
    """As many of its words as there is room for; of a first word that is longer, as many of its parts.

    >>> _fitting("SPLADE tiny (BERT, 2 layers)", 10), _fitting("Supercalifragilistic", 8)
    ('SPLADE', 'Supercal')
    """
    name = _bare(model)
    for breaks in (r"\s+", r"[\s\-_.]+"):
        ends = [match.start() for match in re.finditer(breaks, name)] + [len(name)]
        fitting = [end for end in ends if 0 < end <= room]
        if fitting:
            return name[: fitting[-1]]
    return name[:room]


def short_names(runs: Iterable[Run]) -> dict[int, str]:
    """By run, of all of one study with their models: names that were given first, then by when a run was made."""
    ordered = sorted(runs, key=lambda run: (not run.short_name, run.pk))
    names: dict[int, str] = {}
    for run in ordered:
        names[run.pk] = run.short_name or short_name(run.model.name, run.metric, set(names.values()))
    return names


class NameRefused(ValueError):
    """A short name that was not stored. str() is a sentence for the researcher."""


def rename(run: Run, name: str) -> None:
    """Keep the name that a researcher gives it; empty for the one that is made. NameRefused if another run has it."""
    new_name = " ".join(name.split())
    if len(new_name) > LONGEST_SHORT_NAME:
        raise NameRefused(f"At most {LONGEST_SHORT_NAME} letters; “{new_name}” has {len(new_name)}.")
    with transaction.atomic():
        # Runs of one study are renamed one after the other, so that no two have one name.
        Study.objects.select_for_update(no_key=True).get(pk=run.study_id)
        others = short_names(Run.objects.filter(study=run.study_id).exclude(pk=run.pk).select_related("model"))
        if new_name in others.values():
            raise NameRefused(f"Another run of this study is called “{new_name}”.")
        before = run.short_name
        if new_name != before:
            run.short_name = new_name
            run.save(update_fields=["short_name"])
            record(run.study, Deed.RUN_NAMED, run, facts={"name": [before or "made", new_name or "made"]})
