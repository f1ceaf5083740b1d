"""A new format of a tool and a new form of table need their line in a registry, and no page or command else."""

import os

import pytest
from django.core.management import call_command

from annotation.models import Study
from corpus.formats import registry as formats
from corpus.tables import registry as tables
from corpus.tables.opening import Unreadable
from researcher.imports.registry import KINDS
from tests.house.sources import ROOT
from tests.researcher.new_study import made_up
from tests.researcher.new_study.sending import columns_of, fields_of

SENTENCES = ["The dog barks.", "The cat sleeps."]
TASK = ["--task", "rating", "--question", "How good?", "--set", "points=5", "low=bad", "high=good"]
FILES = {
    "a.yml": made_up.BEGINS + "\n".join(["", *SENTENCES]).encode(),
    "a.made": made_up.sheet("\n".join(["sentence", *SENTENCES])),
    # A zip is what its members say, whatever it is called.
    "a.csv": made_up.sheet("\n".join(["sentence", *SENTENCES])),
}


@pytest.fixture(autouse=True)
def registered(monkeypatch, tmp_path):
    """Here, and in the processes that pages start to read what was sent."""
    monkeypatch.setitem(formats.FORMATS, "made-up", made_up.FORMAT)
    monkeypatch.setattr(tables, "FORMS", (*tables.FORMS, made_up.FORM))
    place = tmp_path / "path"
    place.mkdir()
    (place / "sitecustomize.py").write_text("from tests.researcher.new_study.made_up import register; register()")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(place), str(ROOT))))


def sentences():
    return [item.content["sentence"] for item in Study.objects.get().items.order_by("position")]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_it_becomes_a_study_on_the_page(client, name):
    address, page = columns_of(client, text=FILES[name], name=name, task="rating")
    client.post(address, fields_of(page))
    assert sentences() == SENTENCES


@pytest.mark.django_db
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_it_becomes_a_study_by_the_command(tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name])
    asked = [*TASK, "--map", "sentence=sentence", "--slug", "new", "--out", str(tmp_path / "made")]
    call_command("import_study", "table", str(tmp_path / name), *asked, verbosity=0)
    assert sentences() == SENTENCES


def test_pages_that_import_take_files_that_end_so():
    taken = [kind.suffixes for kind in KINDS.values() if kind.suffixes and kind.use == "labels"]
    assert taken
    assert all({".yml", ".made"} <= {*suffixes} for suffixes in taken)


def test_a_zip_that_is_no_workbook_is_refused(monkeypatch):
    monkeypatch.setattr(tables, "FORMS", tables.FORMS[:-1])
    for data in (FILES["a.csv"], FILES["a.csv"][:40]):
        with pytest.raises(Unreadable, match="is a zip file that is not a workbook, or is truncated"):
            tables.opened(data, "a.csv")
