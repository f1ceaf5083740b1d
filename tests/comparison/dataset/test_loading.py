"""The folder as `datasets` loads it, without a hub: both configurations, typed, in their parts."""

import pytest
from datasets import ClassLabel, load_dataset
from django.core.management import call_command

from tests.comparison.dataset.labeled import DEGREES, labeled_study

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_datasets_loads_both_configurations_with_their_types(tmp_path):
    study = labeled_study(tmp_path)
    call_command("export_dataset", study.slug, tmp_path / "data")
    cache = str(tmp_path / "cache")
    items = load_dataset(str(tmp_path / "data"), cache_dir=cache)
    assert {part: len(rows) for part, rows in items.items()} == {"train": 48, "validation": 6, "test": 6}
    label = items["train"].features["label"]
    assert isinstance(label, ClassLabel)
    assert tuple(label.names) == DEGREES
    by_id = {item.external_id: item for item in study.items.filter(kind="target")}
    for part in items.values():
        for row in part:
            item = by_id.pop(row["id"])
            assert row["sentence2"] == item.content["modified"]
            assert (None if row["label"] is None else label.int2str(row["label"])) == item.majority
    assert not by_id
    labels = load_dataset(str(tmp_path / "data"), "labels", cache_dir=cache)
    assert sum(map(len, labels.values())) == sum(study.items.values_list("counted", flat=True))
    lines = load_dataset("json", data_files=str(tmp_path / "data" / "items" / "test.jsonl"), cache_dir=cache)
    assert lines["train"]["id"] == items["test"]["id"]
