"""manage.py report: where it writes, what it refuses, and its exit codes."""

import json
import zipfile

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from comparison import exported
from comparison.frame.cache.gathered import read_one

HERE = ["report.html", "methods.md", "datasheet.md", "manifest.json", "latex/tables.tex", "data/study.toml"]


def refused(*arguments, **options):
    with pytest.raises(CommandError) as error:
        call_command("report", *arguments, **options)
    return error.value


@pytest.mark.slow
def test_a_zip_and_a_folder_hold_the_same_and_the_manifest_names_what_made_it(study, tmp_path, capsys, request):
    call_command("report", "small", out=tmp_path / "r.zip")
    assert capsys.readouterr().err.endswith(f"Wrote {tmp_path / 'r.zip'}.\n")
    call_command("report", "small", out=tmp_path / "folder")
    packed = zipfile.ZipFile(tmp_path / "r.zip")
    names = packed.namelist()
    assert names == sorted(names)
    assert {f"small-report/{name}" for name in HERE} <= set(names)
    for name in names:
        assert packed.read(name) == (tmp_path / "folder" / name.partition("/")[2]).read_bytes()
    found = json.loads((tmp_path / "folder" / "manifest.json").read_text())
    assert found["version"] == read_one(study).version
    assert "vl-convert-python" in found["made_with"]
    # What it made it may make anew.
    request.getfixturevalue("nothing_in_it")
    call_command("report", "small", out=tmp_path / "folder")


@pytest.mark.slow
def test_without_a_place_it_goes_where_the_button_puts_it(study, settings, tmp_path, nothing_in_it):
    settings.VAR_DIR = tmp_path / "var"
    call_command("report", "small")
    path = exported.finished_report(study, read_one(study))
    assert path is not None
    assert path.parent == tmp_path / "var" / "reports"
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_an_unknown_study(study):
    error = refused("nowhere")
    assert (error.returncode, str(error)) == (2, "There is no study 'nowhere'. Available: small.")
    assert refused("\0").returncode == 2


def test_what_is_not_ours_is_left_alone(study, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    error = refused("small", out=tmp_path)
    assert error.returncode == 2
    assert "is not empty" in str(error)
    assert refused("small", out=tmp_path / "notes.txt").returncode == 2
    # As a made study has one.
    (tmp_path / "manifest.json").write_text('{"files": {}}')
    assert refused("small", out=tmp_path).returncode == 2
    (tmp_path / "r.zip").mkdir()
    assert refused("small", out=tmp_path / "r.zip").returncode == 2
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_nothing_to_report(db):
    Study.objects.create(slug="empty", title="Empty", task_type="yes_no")
    error = refused("empty")
    assert (error.returncode, str(error)) == (1, "empty has no target items, so there is nothing to report.")


def test_what_cannot_be_written(study, tmp_path, nothing_in_it):
    error = refused("small", out=tmp_path / "no" / "where" / "r.zip")
    assert error.returncode == 1
    assert "cannot be written: No such file or directory" in str(error)
