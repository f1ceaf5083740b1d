"""Made studies are put in place whole: all folders and all rows, or none, and faults never name a scratch folder."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.elsewhere.labelfile import LabelFileError, LabelRow
from annotation.itemfile import ItemFileError, ItemRow
from annotation.loading import LoadRefused, load_study
from annotation.models import Study
from annotation.studyfile import StudyFileError, read_study
from corpus.provenance import sha256
from researcher.making import put_in_place
from researcher.management.commands import build_study, import_study
from researcher.management.study_command import StudyCommand
from stimuli.making import study_folder
from stimuli.making.contract import BuiltStudy
from stimuli.making.settings import study_settings
from stimuli.making.study_folder import FolderRefused
from tests.studies import plausibility_rows

TASK = {"type": "plausibility"}


def made(slug: str = "made", rows: list[ItemRow] | None = None, **more: Any) -> BuiltStudy:
    settings = study_settings(slug=slug, title="Made", instructions="Read.", task=TASK, metrics=["pll"], **more)
    return BuiltStudy(settings, rows or plausibility_rows(2), {"made_by": "a test"}, [f"{slug} was made"])


def nothing_in(folder: Path) -> bool:
    return not folder.exists() or not list(folder.iterdir())


@pytest.mark.django_db
class TestWhole:
    def test_folders_and_rows_of_several_studies(self, tmp_path):
        placed = put_in_place([made("one"), made("two")], out=tmp_path / "out", load=True)
        assert [one.folder for one in placed] == [tmp_path / "out" / "one", tmp_path / "out" / "two"]
        assert list(placed[1].lines()) == [
            "two: 2 items added, 0 changed, 0 unchanged",
            "two was made",
            f"written to {tmp_path / 'out' / 'two'}",
        ]
        assert [study.slug for study in Study.objects.order_by("slug")] == ["one", "two"]
        assert len(read_study(tmp_path / "out" / "two").items) == 2

    def test_without_loading_there_are_no_rows(self, tmp_path):
        (placed,) = put_in_place([made()], out=tmp_path / "out", load=False)
        assert placed.loaded is None
        assert not Study.objects.exists()
        assert read_study(tmp_path / "out").slug == "made"

    @pytest.mark.slow
    @pytest.mark.parametrize("load", [True, False])
    def test_one_that_is_faulty_stops_the_others(self, tmp_path, load):
        faulty = made("two", [*plausibility_rows(2), *plausibility_rows(1)])
        with pytest.raises(
            ItemFileError, match=r"^two/items.jsonl: 1 problem.*\n  line 3, field “id”: “target-1” was already"
        ):
            put_in_place([made("one"), faulty], out=tmp_path / "out", load=load)
        assert nothing_in(tmp_path / "out")
        assert not Study.objects.exists()

    def test_one_that_the_database_refuses_stops_the_others(self, tmp_path):
        put_in_place([made("two")], out=tmp_path / "two", load=True)
        with pytest.raises(LoadRefused, match="missing from the file"):
            put_in_place([made("one"), made("two", plausibility_rows(1))], out=tmp_path / "out", load=True)
        assert nothing_in(tmp_path / "out")
        assert [study.slug for study in Study.objects.all()] == ["two"]

    def test_one_whose_folder_cannot_take_its_place_stops_the_others(self, tmp_path, monkeypatch):
        put_in_place([made("one")], out=tmp_path / "out" / "one", load=False)
        before = (tmp_path / "out" / "one" / "items.jsonl").read_bytes()
        rename, placed = Path.rename, []

        def breaks(self: Path, target: Path) -> Path:
            if target.parent == tmp_path / "out" and self.name == target.name:
                placed.append(target.name)
                if len(placed) == 2:
                    raise OSError(28, "No space left on device", str(target))
            return rename(self, target)

        monkeypatch.setattr(Path, "rename", breaks)
        with pytest.raises(FolderRefused, match="cannot be written: No space left"):
            put_in_place([made("one", plausibility_rows(5)), made("two")], out=tmp_path / "out", load=True)
        assert (tmp_path / "out" / "one" / "items.jsonl").read_bytes() == before
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["one"]
        assert not Study.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_files_are_written_and_read(tmp_path, monkeypatch):
    """Annotators' answers wait for it."""
    seen = []

    def listened(verb):
        def heard(*args, **named):
            seen.append(connection.in_atomic_block)
            return verb(*args, **named)

        return heard

    for name in ("study_of", "_write"):
        monkeypatch.setattr(study_folder, name, listened(getattr(study_folder, name)))
    put_in_place([made("one"), made("two")], out=tmp_path / "out", load=True)
    assert seen == [False] * 4


@pytest.mark.django_db
def test_what_is_stored_is_what_the_folder_says(tmp_path):
    """It is not read from there: loading the folder afterwards changes nothing."""
    first, second, third = plausibility_rows(3)
    rows = [first, second, replace(third, strength=3, attributes={"b": "1", "a": "ä"})]
    labels = [LabelRow("target-1", "ann", "impossible", 1.5), LabelRow("target-1", "ann", "less_likely", repeat=2)]
    settings = made().settings | {"instructions": "Read.\r\n  All of it. \n"}
    study = replace(made(rows=rows), settings=settings, labels=labels)
    (placed,) = put_in_place([study], out=tmp_path / "out", load=True)
    assert placed.loaded is not None
    before, again = placed.loaded.study, load_study(tmp_path / "out")
    assert again.labels is not None
    assert (again.added, again.changed, again.unchanged, again.settings_changed) == (0, 0, 3, False)
    assert (again.labels.labels, again.labels.unchanged) == (0, 1)
    assert again.study.content_hash == before.content_hash
    assert again.study.label_sources.get().sha256 == sha256(tmp_path / "out" / "labels.csv")


class TestFaults:
    """Found before anything is written, whether the study is loaded or not."""

    def refused(self, study: BuiltStudy, out: Path) -> str:
        with pytest.raises((StudyFileError, ItemFileError, LabelFileError)) as caught:
            put_in_place([study], out=out, load=False)
        assert nothing_in(out.parent)
        return str(caught.value)

    def test_settings(self, tmp_path):
        assert self.refused(made(gold=1), tmp_path / "out").startswith(
            "out/study.toml: 1 problem; nothing was loaded.\n  collection.gold_per_sitting: requires 1, but items.jsonl"
        )

    def test_characters_that_cannot_be_written(self, tmp_path):
        (row,) = plausibility_rows(1)
        said = self.refused(made(rows=[replace(row, group="\ud83d")]), tmp_path / "out")
        assert said == (
            "out/items.jsonl: 1 problem; nothing was loaded.\n"
            "  line 1: contains half of a character (\\ud83d), which is not text"
        )

    @pytest.mark.parametrize(
        ("label", "wrong"),
        [
            (
                LabelRow("target-9", "ann", "impossible"),
                "line 2, column “item”: there is no item 'target-9' that can be labeled",
            ),
            (LabelRow("target-1", "a\nb", "impossible"), "line 2, column “annotator”: must be a name"),
            (LabelRow("target-1", "ann", "likely"), "line 2, column “label”: 'likely' is not one of"),
            (
                LabelRow("target-1", "ann", "impossible", float("nan")),
                "line 2, column “seconds”: 'nan' is not a number",
            ),
        ],
    )
    def test_labels(self, tmp_path, label, wrong):
        said = self.refused(replace(made(), labels=[label]), tmp_path / "out")
        assert said.startswith("out/labels.csv: 1 problem; nothing was loaded.\n  " + wrong)

    def test_practice_takes_no_labels(self, tmp_path):
        rows = [*plausibility_rows(1), replace(plausibility_rows(2)[1], kind="practice")]
        study = replace(made(rows=rows), labels=[LabelRow("target-2", "ann", "impossible")])
        assert "there is no item 'target-2' that can be labeled" in self.refused(study, tmp_path / "out")


@pytest.mark.django_db
class TestCommands:
    """import_study, as a researcher calls it."""

    def test_a_scale_of_two_points_can_be_imported(self, tmp_path):
        (tmp_path / "mine.csv").write_text("s\nThe cat sleeps.\n")
        more = ["--map", "sentence=s", "--question", "How plausible?", "--set", "points=2", "low=not", "high=very"]
        source, out = str(tmp_path / "mine.csv"), tmp_path / "out"
        call_command("import_study", "table", source, "--task", "rating", *more, "--out", str(out), verbosity=0)
        assert read_study(out).quality["gold_distance"] == 1

    def test_a_file_whose_name_has_no_letters_for_a_slug(self, tmp_path):
        question = {"question": "is it so", "title": "So", "answer": True, "passage": "It is so."}
        entry = {"sentence1": "A dog barks.", "sentence2": "A dead dog barks.", "modifier": "dead", "noun": "dog"}
        for name, rows, slug in (
            ("boolq", json.dumps(question), "boolq"),
            ("adept", json.dumps([entry | {"label": 0, "idx": 1}]), "adept"),
        ):
            (tmp_path / "数据").write_text(rows)
            call_command("import_study", name, str(tmp_path / "数据"), "--out", str(tmp_path / name), verbosity=0)
            assert Study.objects.filter(slug=slug).exists()

    def test_options_are_refused_in_words(self, tmp_path):
        for option, wrong in (
            ("--limit=0", "whole number from 1"),
            ("--slug=A b", "not a valid slug"),
            ("--title=a\nb", "one"),
        ):
            with pytest.raises(CommandError, match=wrong):
                call_command("import_study", "adept", str(tmp_path / "none"), option, verbosity=0)


def test_a_command_that_makes_no_study_cannot_be_made():
    with pytest.raises(TypeError, match="make_studies"):
        type("Forgetful", (StudyCommand,), {})()
    assert [type(one.Command()) for one in (build_study, import_study)] == [build_study.Command, import_study.Command]
