"""Trainings on what people gave: which items have a majority, what it decides, and where it is said."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.elsewhere.label_import import import_labels
from annotation.elsewhere.labelfile import LabelRow, write_labels
from annotation.loading import load_study
from annotation.models import Study
from comparison.across.table import LEARNT_MAJORITY, LEARNT_SOME
from scoring.models import Chunk
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from scoring.scorers.recipes import recipe
from tests.scoring.scorers.little.bert import adept_rows
from tests.studies import write_study
from tests.training.classifier.trainings import SETTINGS, done, encoder, model_of, sent, var
from training.classifier.bases import find_base
from training.classifier.collecting import collect, teaching
from training.classifier.settings import TAUGHT_BY
from training.classifier.starting import prepare, start_training
from training.models import Training

__all__ = ["encoder", "sent", "var"]

pytestmark = pytest.mark.django_db

OTHER = "impossible"


@pytest.fixture
def study(tmp_path) -> Study:
    """48 items: the first 40 have a majority that is not their reference's, then three ties, three single labels, and
    two that nobody labeled."""
    rows = adept_rows()
    study = load_study(write_study(tmp_path / "adept", rows, slug="adept")).study
    labels = []
    for number, row in enumerate(rows[:46]):
        given = [turned(row.reference)] * 2 + [OTHER]
        given = given if number < 40 else ["more_likely", "less_likely"] if number < 43 else [OTHER]
        labels += [LabelRow(row.id, f"ann-{place}", label) for place, label in enumerate(given)]
    write_labels(tmp_path / "labels.csv", labels)
    import_labels(study, tmp_path / "labels.csv")
    return study


def turned(reference):
    return {"more_likely": "less_likely", "less_likely": "more_likely"}.get(reference, "equally_likely")


def ready(encoder, study, taught_by):
    return prepare(
        find_base(str(encoder)), recipe("adept"), [study], taught_by=taught_by, apart_from=[], settings=SETTINGS
    )


def test_an_item_teaches_its_majority_and_others_are_left_out_by_their_reason(study):
    split = collect([study], recipe("adept"), taught_by="majority", apart_from=[], settings=SETTINGS)
    assert split.left_out == {
        "has only one label, so no majority": 3,
        "its labels have no majority": 3,
        "no one has labeled it": 2,
    }
    taught = {example.pair.second: example.label for example in (*split.train, *split.held_out)}
    assert len(taught) == 40
    for item in study.items.order_by("position")[:40]:
        assert taught[item.content["modified"]] == item.majority == turned(item.reference)


@pytest.mark.slow
def test_the_references_teach_all_48_as_before(study):
    split = collect([study], recipe("adept"), taught_by="reference", apart_from=[], settings=SETTINGS)
    assert (len(split.train) + len(split.held_out), split.left_out) == (48, {})


@pytest.mark.slow
def test_whose_labels_teach_is_part_of_the_hash(encoder, study):
    two = [start_training(ready(encoder, study, taught_by), SETTINGS) for taught_by in TAUGHT_BY]
    assert len({one.fingerprint for one in two}) == len({one.contest for one in two}) == 2
    assert [one.taught_by for one in two] == ["reference", "majority"]
    assert [one.studies_shown for one in two] == ["adept", "adept (the majority of labels)"]


@pytest.mark.slow
def test_the_model_says_so_and_is_scored_against_either(encoder, study, capsys):
    training = done(start_training(ready(encoder, study, "majority"), SETTINGS))
    model = model_of(training)
    assert model.name == "ADEPT by the majority, little-bert"
    card = json.loads((Path(model.spec.source) / "card.json").read_text())
    assert card["items"]["taught_by"] == "the majority of labels"
    assert card["items"]["synthetic_labels_of"] == []
    run = start_run(study, model, "label")
    for chunk in Chunk.objects.filter(run=run):
        CHUNKS.work(chunk.pk, worker="w")
    capsys.readouterr()
    for against, of in (("majority", 40), ("reference", 48)):
        call_command("accuracy_table", "adept", against=against)
        told = capsys.readouterr().out
        assert LEARNT_MAJORITY in told
        assert f" of {of}, " in told


@pytest.mark.slow
def test_the_same_items_in_another_study_are_said_to_have_taught_it(encoder, study, tmp_path, capsys):
    model = model_of(done(start_training(ready(encoder, study, "majority"), SETTINGS)))
    twin = load_study(write_study(tmp_path / "again", adept_rows(), slug="again")).study
    for chunk in Chunk.objects.filter(run=start_run(twin, model, "label")):
        CHUNKS.work(chunk.pk, worker="w")
    capsys.readouterr()
    call_command("accuracy_table", "again", against="reference")
    assert LEARNT_SOME.format(48) in capsys.readouterr().out


@pytest.mark.slow
def test_a_label_that_comes_while_it_waits_is_noticed(encoder, study, tmp_path):
    training = start_training(ready(encoder, study, "majority"), SETTINGS)
    last = study.items.order_by("position").last()
    write_labels(tmp_path / "more.csv", [LabelRow(last.external_id, f"ann-{n}", OTHER) for n in range(2)])
    import_labels(study, tmp_path / "more.csv")
    assert done(training).state == "failed"
    assert "items or labels of adept have changed" in training.error


@pytest.mark.slow
def test_synthetic_labels_are_said_to_be_so(encoder, study):
    Study.objects.update(population="synthetic")
    study.refresh_from_db()
    training = start_training(ready(encoder, study, "majority"), SETTINGS)
    assert training.synthetic == ["adept"]
    assert training.studies_shown == "adept (the majority of synthetic labels)"
    assert start_training(ready(encoder, study, "reference"), SETTINGS).synthetic == []


def test_a_study_without_references_can_teach_by_its_majority(study):
    study.items.update(reference=None)
    (found,) = teaching(recipe("adept"), Study.objects.all())
    assert (found.references, found.majorities) == (0, 40)


@pytest.mark.slow
def test_the_command_counts_what_it_leaves_out(encoder, study, capsys):
    options = {"recipe": "adept", "base": str(encoder), "here": True, "labels": "majority", "held_out": 0.25}
    call_command("train_classifier", "adept", **options | {"epochs": [1], "batch_size": [16]})
    told = capsys.readouterr().out
    assert "left out, 3: its labels have no majority" in told
    assert "left out, 3: has only one label, so no majority" in told
    assert Training.objects.get().taught_by == "majority"
    study.items.update(tally={}, counted=0, agreed=0)
    with pytest.raises(CommandError, match=r"48 left out: no one has labeled it"):
        call_command("train_classifier", "adept", **options)
