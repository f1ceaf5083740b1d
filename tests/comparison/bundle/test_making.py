"""The bundle as a whole: the same bytes from the same data, and every file accounted for."""

import hashlib
import json

import pytest
from django.core.cache import cache

from comparison.bundle.archive import files_in, write_zip
from comparison.figures.people.aggregations import compute_aggregations
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select

pytestmark = pytest.mark.slow
# Items carry no label, so that there is nothing to mark; all else that can be read does.
WITHOUT_LABELS = {"data/items.jsonl"}


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_in(folder)}


def test_made_twice_it_is_the_same_to_the_byte(study, bundle, tmp_path):
    first = bundle(study)
    cache.clear()
    # What somebody has had computed in between changes nothing.
    list(compute_aggregations(select(study, Selection())))
    second = bundle(study)
    assert contents(first) == contents(second)
    for folder in (first, second):
        write_zip(folder, tmp_path / f"{folder.name}.zip", top="small-report")
    first_zip, second_zip = (tmp_path / f"{folder.name}.zip" for folder in (first, second))
    assert first_zip.read_bytes() == second_zip.read_bytes()


def test_the_manifest_has_the_hash_of_every_other_file_and_nothing_of_people_says_that_it_is_synthetic(study, bundle):
    folder = bundle(study)
    found = json.loads((folder / "manifest.json").read_text())["files"]
    files = contents(folder)
    del files["manifest.json"]
    assert {name: one["sha256"] for name, one in found.items()} == {
        name: hashlib.sha256(data).hexdigest() for name, data in files.items()
    }
    assert {name: one["bytes"] for name, one in found.items()} == {name: len(data) for name, data in files.items()}
    assert "data/labels.csv" in files
    claims = [name for name, data in files.items() if b"Labels are synthetic" in data]
    assert claims == []


def test_a_synthetic_study_is_marked_in_every_file(synthetic_study, bundle):
    found = contents(bundle(synthetic_study))
    assert "data/labels.csv" not in found, "it would be loaded as people's"
    unmarked = {name for name, data in found.items() if b"synthetic" not in data}
    assert unmarked == WITHOUT_LABELS


def test_a_study_with_nothing_in_it_has_a_bundle_too(bare_study, bundle):
    found = contents(bundle(bare_study))
    assert b"No one has labeled these items yet" in found["latex/tables.tex"]
