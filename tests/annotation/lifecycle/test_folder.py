"""A study as a folder: taken out, told by its hash, brought in, copied."""

import io
import json
import resource
import shutil
import time
import zipfile

import pytest
from django.contrib.auth import get_user_model

from annotation.access.matrix import Right, Role
from annotation.access.visible import studies_for
from annotation.drafting.items import revise
from annotation.elsewhere.labelfile import LabelFileError
from annotation.itemfile import ItemFileError
from annotation.lifecycle.folder import duplicate, load_zip, study_hash, write_folder
from annotation.lifecycle.unpacked import FolderFileError
from annotation.loading import LoadRefused, load_study
from annotation.models import Study
from annotation.studyfile import StudyFileError
from tests.comparison.cast import give_labels
from tests.either_database import found_by
from tests.migrated import migrated_file
from tests.servers import fresh_database
from tests.studies import declare, plausibility_rows, write_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def rosa():
    return get_user_model().objects.create_user("rosa")


@pytest.fixture
def study(tmp_path, rosa):
    folder = write_study(tmp_path / "small", plausibility_rows(4, gold=1), slug="small", page={"cannot_judge": True})
    return load_study(folder, owner=rosa).study


def zipped(study):
    file = io.BytesIO()
    write_folder(study, file)
    file.seek(0)
    return file


def packed(**files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        for name, text in files.items():
            out.writestr(name, text)
    file.seek(0)
    return file


def load(file, owner, *, among=None):
    return load_zip(file, name="sent.zip", owner=owner, among=Study.objects.none() if among is None else among)


def test_the_same_study_gives_the_same_bytes(study):
    assert zipped(study).getvalue() == zipped(study).getvalue()


@pytest.mark.slow
def test_a_folder_loaded_by_command_and_one_sent_are_the_same_study(study, rosa, tmp_path):
    """The hash tells: of the study in the browser, of its folder loaded from a shell, and of that sent again."""
    before, file = study_hash(study), zipped(study)
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path / "out")
    Study.objects.all().delete()
    by_command = load_study(tmp_path / "out" / "small").study
    assert study_hash(by_command) == before
    Study.objects.all().delete()
    sent = load(file, rosa).study
    assert study_hash(sent) == before
    assert sent.memberships.get().role == Role.OWNER


@pytest.mark.slow
def test_what_was_changed_here_is_in_the_folder_and_in_the_hash(study, rosa):
    before = study_hash(study)
    item = study.items.get(external_id="target-1")
    words = {**item.content, "original": "Another sentence."}
    revise(item, words, editor=rosa, seen=item.content_hash, reason="better")
    study.refresh_from_db()
    after = study_hash(study)
    assert after != before
    file = zipped(study)
    assert b"Another sentence." in zipfile.ZipFile(file).read("small/items.jsonl")
    Study.objects.all().delete()
    assert study_hash(load(file, rosa).study) == after


@pytest.mark.slow
def test_ones_own_study_becomes_what_the_folder_says(study, rosa):
    file = zipped(study)
    Study.objects.filter(pk=study.pk).update(title="Changed since")
    loaded = load(file, rosa, among=studies_for(rosa, Right.EDIT))
    assert loaded.study.pk == study.pk
    assert loaded.study.title == "The small study"
    assert loaded.unchanged == 5


@pytest.mark.slow
def test_a_strangers_study_is_not_written_over(study):
    file = zipped(study)
    Study.objects.filter(pk=study.pk).update(title="Mine")
    carl = get_user_model().objects.create_user("carl")
    with pytest.raises(LoadRefused, match="small is not available"):
        load(file, carl, among=studies_for(carl, Right.EDIT))
    assert Study.objects.get().title == "Mine"


@pytest.mark.slow
def test_labels_that_were_given_are_not_made_to_mean_something_else(study, rosa):
    file = zipped(study)
    give_labels(study, [("target-1", "ann", "impossible")])
    text = zipfile.ZipFile(file).read("small/items.jsonl").decode().splitlines()[1:]
    settings = zipfile.ZipFile(file).read("small/study.toml").decode()
    fewer = packed(**{"study.toml": settings, "items.jsonl": "\n".join(text) + "\n"})
    with pytest.raises(LoadRefused):
        load(fewer, rosa, among=Study.objects.all())
    assert study.items.count() == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"study.toml": ""}, "items.jsonl: is missing"),
        ({"a/study.toml": "", "b/items.jsonl": ""}, "contains more than one folder"),
        ({"study.toml": "", "items.jsonl": "", "run.py": ""}, "run.py: does not belong in a study folder"),
        ({"../study.toml": "", "../items.jsonl": ""}, "slug"),
        ({"a/b/study.toml": "", "a/b/items.jsonl": ""}, "does not belong in a study folder"),
    ],
)
def test_zip_files_that_are_no_folder_of_a_study(rosa, files, says):
    with pytest.raises((FolderFileError, StudyFileError), match=says):
        load(packed(**files), rosa)
    assert not Study.objects.exists()


BESIDE = {"__MACOSX/st/._study.toml": "", "st/.DS_Store": "", "st/Thumbs.db": "", "__MACOSX/._st": ""}


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["/", "\\"])
def test_what_a_mac_or_windows_puts_beside_or_between_is_no_fault(study, rosa, mark):
    with zipfile.ZipFile(zipped(study)) as archive:
        files = {name.replace("small", "st"): archive.read(name).decode() for name in archive.namelist()}
    Study.objects.all().delete()
    sent = packed(**{name.replace("/", mark): text for name, text in (files | BESIDE).items()})
    assert load(sent, rosa).study.items.count() == 5


@pytest.mark.slow
def test_files_that_are_no_zip_file(rosa, study):
    whole = zipped(study).getvalue()
    Study.objects.all().delete()
    for data in (b"", b"nothing of the kind", whole[:-40], whole[:200] + b"\0\0\0\0" + whole[204:]):
        with pytest.raises((FolderFileError, ItemFileError, StudyFileError)):
            load(io.BytesIO(data), rosa)
    assert not Study.objects.exists()


@pytest.mark.slow
def test_a_bomb_is_refused_before_it_is_unpacked(rosa):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("study.toml", "")
        out.writestr("items.jsonl", " " * 110_000_000)
    bomb.seek(0)
    with pytest.raises(FolderFileError, match="unpacked"):
        load(bomb, rosa)


def folder_of(toml, items="{}"):
    return packed(**{"study.toml": toml, "items.jsonl": items + "\n"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ("[z]\n" + "a." * 20_000 + "b = 1", "a key of more than 8 parts"),
        ("[z]\n" + "a." * 200_000 + "b = 1", "has 400,009 characters"),
        ("x = " + "[" * 100_000, "nested more than 60 levels deep"),
        ("x = " + "1" * 10_000, "a number or a date is out of range"),
    ],
)
def test_settings_of_a_few_bytes_take_no_memory_here(rosa, toml, says):
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(StudyFileError, match=says):
        load(folder_of(toml), rosa)
    assert time.process_time() - began < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
    assert not Study.objects.exists()


@pytest.mark.slow
def test_a_text_of_many_megabytes_makes_no_study(study, rosa):
    settings = zipfile.ZipFile(zipped(study)).read("small/study.toml").decode()
    Study.objects.all().delete()
    item = plausibility_rows(1)[0].fields()
    item["content"] = {**item["content"], "original": "x" * 20_000_000}
    with pytest.raises(
        ItemFileError, match=r"line 1, field “content.original”: has 20,000,000 characters; the limit is 50,000"
    ):
        load(folder_of(settings, json.dumps(item)), rosa)
    assert not Study.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "most", "says"),
    [
        ("annotation.lifecycle.unpacked", "MOST_ITEMS_SENT", None, "has more than 200,000 items"),
        ("corpus.formats.apart", "MOST_FOUND", 100, "MB; use the command"),
    ],
)
def test_a_folder_of_more_than_a_page_takes_in_is_told_to_use_the_command(
    study, rosa, monkeypatch, module, name, most, says
):
    file = zipped(study)
    if most is None:
        settings = zipfile.ZipFile(file).read("small/study.toml").decode()
        row = plausibility_rows(1)[0].fields()
        file = folder_of(settings, (json.dumps(row) + "\n") * 200_001)
    else:
        monkeypatch.setattr(f"{module}.{name}", most)
    Study.objects.all().delete()
    with pytest.raises(FolderFileError, match=says):
        load(file, rosa)
    assert not Study.objects.exists()


@pytest.mark.slow
def test_labels_come_with_the_folder(study, rosa):
    settings = zipfile.ZipFile(zipped(study)).read("small/study.toml").decode()
    items = zipfile.ZipFile(zipped(study)).read("small/items.jsonl").decode()
    Study.objects.all().delete()
    labels = "item,annotator,label,seconds,repeat\ntarget-1,ann,impossible,2.5,\ntarget-1,ann,less_likely,,2\n"
    loaded = load(packed(**{"study.toml": settings, "items.jsonl": items, "labels.csv": labels}), rosa)
    assert loaded.labels is not None
    assert "1 label" in str(loaded)
    with pytest.raises(LabelFileError, match="line 2"):
        load(
            packed(**{"study.toml": settings, "items.jsonl": items, "labels.csv": "item,annotator,label\nx,y,z\n"}),
            rosa,
        )


@pytest.mark.slow
def test_faults_within_name_the_file_and_line_and_no_place_on_the_server(study, rosa):
    settings = zipfile.ZipFile(zipped(study)).read("small/study.toml").decode()
    Study.objects.all().delete()
    with pytest.raises(ItemFileError) as refused:
        load(packed(**{"study.toml": settings, "items.jsonl": "{}\n"}), rosa)
    assert str(refused.value).startswith("items.jsonl:")
    assert "line 1" in str(refused.value)


class TestDuplicate:
    def test_a_copy_has_items_and_setup_and_no_labels(self, study, rosa):
        give_labels(study, [("target-1", "ann", "impossible")])
        copy = duplicate(study, slug="small-copy", title="A copy", owner=rosa)
        assert (copy.slug, copy.title, copy.state, copy.cannot_judge) == ("small-copy", "A copy", "draft", True)
        assert [*copy.items.values_list("external_id", "content")] == [
            *study.items.values_list("external_id", "content")
        ]
        assert not copy.items.exclude(assignments=None).exists()
        assert copy.memberships.get().user == rosa

    def test_a_name_that_is_taken_is_refused(self, study, rosa):
        with pytest.raises(LoadRefused, match="small is not available"):
            duplicate(study, slug="small", title="Again", owner=rosa)
        assert study.items.count() == 5

    def test_an_excluded_study_is_not_written_over(self, study, rosa, tmp_path):
        other = write_study(tmp_path / "other", plausibility_rows(2), slug="other")
        load_study(other, owner=rosa)
        declare(study, excludes=["other"])
        study.refresh_from_db()
        with pytest.raises((LoadRefused, StudyFileError)):
            duplicate(study, slug="other", title="Again", owner=rosa)
        assert Study.objects.get(slug="other").items.count() == 2


@pytest.mark.slow
def test_the_hash_is_the_same_in_either_database(tmp_path, postgres_server, migrated_postgres):
    """PostgreSQL keeps the fields of what is stored as JSON in an order of its own."""
    folder = write_study(tmp_path / "small", plausibility_rows(3), slug="small")
    sqlite = shutil.copyfile(migrated_file(), tmp_path / "apart.sqlite3")
    with fresh_database(postgres_server, template=migrated_postgres) as postgres:
        urls = (f"sqlite:///{sqlite}", postgres)
        here, there = (found_by("tests.annotation.lifecycle.hashed", str(folder), url=url) for url in urls)
    assert (here["vendor"], there["vendor"]) == ("sqlite", "postgresql")
    assert here["hash"] == there["hash"]
