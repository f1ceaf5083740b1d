"""build_study as a command: where it may write is asked before the work, and said in words."""

import pytest
from django.core.management import CommandError, call_command


def build(out):
    call_command("build_study", "agreement", "--out", str(out), "--no-load", "--per-cell", "2", verbosity=0)


def test_a_folder_of_someone_else_is_refused_and_untouched(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(CommandError, match="is not empty and was not created by an import or build"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_it_is_refused_before_the_work(tmp_path, monkeypatch):
    from stimuli.constructions.agreement import build as agreement

    (tmp_path / "thesis.txt").write_text("mine")
    monkeypatch.setattr(agreement, "build", lambda *args, **options: pytest.fail("the work was done"))
    with pytest.raises(CommandError, match="is not empty"):
        build(tmp_path)


@pytest.mark.slow
def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(CommandError, match="cannot be written"):
        build(tmp_path / "file" / "out")


@pytest.mark.slow
def test_a_second_build_takes_the_place_of_the_first(tmp_path):
    build(tmp_path / "out")
    first = (tmp_path / "out" / "items.jsonl").read_bytes()
    build(tmp_path / "out")
    assert (tmp_path / "out" / "items.jsonl").read_bytes() == first
