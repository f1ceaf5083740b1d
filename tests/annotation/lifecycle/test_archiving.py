"""Archiving a study, taking it up again, and its tags."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from annotation.lifecycle.status import (
    LONGEST,
    MOST_TAGS,
    CannotArchive,
    TagsRefused,
    archive,
    close_study,
    open_study,
    restore,
    tag,
)
from annotation.loading import load_study
from annotation.models import Study
from annotation.models.sitting import SittingStage
from annotation.stages.preview import sitting_at
from tests.studies import plausibility_rows, write_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(tmp_path) -> Study:
    return load_study(write_study(tmp_path / "small", plausibility_rows(2))).study


def test_a_draft_and_a_closed_study_are_archived_and_come_back(study):
    archive(study)
    first = study.archived_at
    archive(study)
    assert first is not None
    assert study.archived_at == first
    restore(study)
    assert study.archived_at is None
    open_study(study)
    close_study(study)
    archive(study)
    assert study.archived_at is not None


def test_an_open_study_is_not_archived(study):
    open_study(study)
    with pytest.raises(CannotArchive, match="is open"):
        archive(study)
    assert Study.objects.get().archived_at is None


def test_opening_takes_a_study_out_of_the_archive(study):
    archive(study)
    open_study(study)
    assert (study.state, study.archived_at) == ("open", None)


def test_the_database_holds_no_open_archived_study(study):
    archive(study)
    with pytest.raises(IntegrityError, match="study_open_is_not_archived"), transaction.atomic():
        Study.objects.update(state="open", opened_at=study.archived_at)


def test_an_archived_study_has_a_preview_and_stays_archived(study):
    archive(study)
    with sitting_at(study, SittingStage.ITEMS) as sitting:
        assert sitting.study.state == Study.State.OPEN
    study.refresh_from_db()
    assert (study.state, study.archived_at is None) == ("draft", False)


def test_the_command_archives_and_restores(study):
    out = io.StringIO()
    call_command("archive_study", "small", stdout=out)
    assert Study.objects.get().archived_at is not None
    call_command("archive_study", "small", restore=True, stdout=out)
    assert Study.objects.get().archived_at is None
    assert out.getvalue().splitlines() == ["small archived", "small unarchived"]
    open_study(study)
    with pytest.raises(CommandError, match="Close it first"):
        call_command("archive_study", "small")
    with pytest.raises(CommandError, match="Available: small"):
        call_command("archive_study", "large")


def test_tags_are_each_once_and_in_order(study):
    assert tag(study, [" pilot ", "Éire", "Pilot", "two  words", ""]) == ["pilot", "two words", "Éire"]
    assert Study.objects.get().tags == ["pilot", "two words", "Éire"]
    assert tag(study, []) == []


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        (["a,b"], "comma"),
        (["a\x00b"], "control character"),
        (["x" * (LONGEST + 1)], "longer than"),
        ([f"t{number}" for number in range(MOST_TAGS + 1)], "at most"),
    ],
)
def test_what_cannot_be_a_tag_changes_nothing(study, tags, why):
    tag(study, ["kept"])
    with pytest.raises(TagsRefused, match=why):
        tag(study, tags)
    assert Study.objects.get().tags == ["kept"]


def test_loading_the_folder_again_keeps_tags_and_archive(study, tmp_path):
    tag(study, ["kept"])
    archive(study)
    again = load_study(tmp_path / "small")
    assert (again.settings_changed, again.study.tags, again.study.archived_at is None) == (False, ["kept"], False)


def test_tags_by_command(study):
    out = io.StringIO()
    call_command("tag_study", "small", "pilot", "adjectives", stdout=out)
    assert out.getvalue() == "small: adjectives, pilot\n"
    with pytest.raises(CommandError, match="longer than"):
        call_command("tag_study", "small", "x" * 60)
