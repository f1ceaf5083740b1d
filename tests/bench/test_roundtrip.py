"""Labels → data set → model, small: each step of the bench holds, with a tiny encoder and a study of its own."""

import pytest

from bench.roundtrip import chain, timed
from tests.scoring.scorers.little.bert import write_encoder

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_a_study_goes_round_and_teaches_a_model(tmp_path, settings, monkeypatch):
    # The bench puts nothing on a queue; afterwards all is as it was.
    monkeypatch.setattr("scoring.runs.starting.send", lambda chunks: None)
    settings.VAR_DIR = tmp_path / "var"
    settings.MODELS_DIR = tmp_path / "var" / "models"
    encoder = write_encoder(tmp_path / "little-bert")
    said = {words: found for words, _, found in timed(chain(60, str(encoder), 1), tmp_path)}
    assert said["export_dataset"] == "train 48, validation 8, test 4"
    assert said["datasets.load_dataset reads the same"] == "60 items and 180 labels"
    assert "60 items with the same texts" in said["import_study table makes the same study"]
    assert "ADEPT by a synthetic majority, little-bert" in said["a label run on the study that came back"]
    assert "learned from these items, by their majority" in said["accuracy_table"]
    assert "learned from 60 of these items, in another study" in said["accuracy_table"]
