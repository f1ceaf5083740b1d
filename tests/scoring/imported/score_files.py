"""A small study and its score files: imported, and refused."""

import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from scoring.models import LanguageModel, Run, Score

CHOICE = {"type": "forced_choice", "question": "Which?", "options": ["plausible", "implausible"]}
QUALITY = {"gold_distance": 1}
PAIRS = [("The cook fried the egg.", "The cook fried the hat."), ("A dog bit a man.", "A hat bit a man.")]
ROWS = [
    ItemRow(f"p{place}", {"options": {"plausible": one, "implausible": other}}, reference="plausible")
    for place, (one, other) in enumerate(PAIRS, 1)
]
SLOTS = [
    ItemRow(f"s{n}", {"sentence": f"Soup {n} is ____ cold.", "options": {"plausible": "very", "implausible": "not"}})
    for n in (1, 2)
]
OPTIONS = [f"{kind}.{option}={kind}_{option}" for kind in ("prob", "rank") for option in ("plausible", "implausible")]
MAPS = [part for option in OPTIONS for part in ("--map", option)]
HEAD = "item,prob_plausible,prob_implausible,rank_plausible,rank_implausible\n"


def bring(study, folder, text, *options, name="Big", source="a paper", file="scores.txt"):
    path = folder / file
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    call_command("import_scores", study.slug, str(path), "--name", name, "--source", source, *options)
    return Run.objects.get(model__name=name)


def scores(run):
    return {score.item.external_id: score for score in run.scores.select_related("item")}


def refused(study, folder, text, *options, **names):
    before = Run.objects.count(), LanguageModel.objects.count(), Score.objects.count()
    with pytest.raises(CommandError) as caught:
        bring(study, folder, text, *options, **names)
    assert (Run.objects.count(), LanguageModel.objects.count(), Score.objects.count()) == before
    return str(caught.value)
