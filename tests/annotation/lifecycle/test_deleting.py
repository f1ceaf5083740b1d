"""A study that is deleted: out of sight at once, and then no row of it is left, in no room; others keep theirs."""

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import connection

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.lifecycle import deleting
from annotation.lifecycle.deleting import CannotDelete, delete_rows, lost, put_out_of_sight, rest, rows_of
from annotation.lifecycle.status import close_study, open_study
from annotation.models import Annotator, Study
from tests.house.walk.cast import full_study, small
from tests.studies import declare

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return get_user_model().objects.create_superuser("root")


@pytest.fixture
def study(tmp_path, by) -> Study:
    """With a row of nearly everything."""
    made = full_study(tmp_path / "full", by=by)
    close_study(made)
    return made


def counts() -> dict[str, int]:
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def nothing(gone: int, every: int) -> None: ...


@pytest.mark.slow
def test_no_row_is_left_and_other_studies_keep_theirs(tmp_path, by):
    kept = small(tmp_path / "kept", "kept")
    before = counts()
    study = full_study(tmp_path / "full", by=by)
    close_study(study)
    full = counts()
    filled = {name for name in full if full[name] > before[name]}
    assert {"annotation.Judgment", "annotation.PaymentDecision", "scoring.Score", "scoring.ScoreSource"} <= filled
    delete_rows(put_out_of_sight(study), report=nothing)
    after = counts()
    # Models stay in the library, whoever they were scored for, and acts outlive what they are about.
    assert {name for name in after if after[name] != before[name]} == {"scoring.LanguageModel", "annotation.Act"}
    assert [one.slug for one in Study.with_deleted.all()] == [kept.slug]
    connection.check_constraints()


@pytest.mark.slow
def test_who_took_part_in_another_study_too_stays(tmp_path, study):
    other = small(tmp_path / "other", "other")
    both = set(other.sittings.values_list("annotator", flat=True))
    assert both & set(study.sittings.values_list("annotator", flat=True))
    delete_rows(put_out_of_sight(study), report=nothing)
    assert set(Annotator.objects.values_list("pk", flat=True)) == both


@pytest.mark.slow
def test_it_is_out_of_sight_at_once_and_its_name_is_free(study, by):
    slug = study.slug
    put_out_of_sight(study)
    assert not studies_for(by, Right.SEE).filter(pk=study.pk).exists()
    assert not Study.objects.filter(slug=slug).exists()
    assert [one.pk for one in rest()] == [study.pk]
    with pytest.raises(CannotDelete, match="already"):
        put_out_of_sight(study)


@pytest.mark.slow
def test_an_open_study_is_kept(study):
    open_study(study)
    with pytest.raises(CannotDelete, match="Close it first"):
        put_out_of_sight(study)
    assert Study.objects.get(pk=study.pk).slug == study.slug


@pytest.mark.slow
def test_what_was_left_by_a_kill_is_deleted_by_the_next(study, monkeypatch):
    """And between two pieces every reference holds."""
    monkeypatch.setattr(deleting, "PIECE", 3)
    told: list[tuple[int, int]] = []

    def killed(gone: int, every: int) -> None:
        told.append((gone, every))
        connection.check_constraints()
        if len(told) == 7:
            raise KeyboardInterrupt

    gone = put_out_of_sight(study)
    with pytest.raises(KeyboardInterrupt):
        delete_rows(gone, report=killed)
    assert told[-1][0] <= 21 < told[-1][1]
    [left] = rest()
    delete_rows(left, report=nothing)
    assert not Study.with_deleted.filter(pk=study.pk).exists()


@pytest.mark.slow
def test_what_will_be_lost_is_counted(study, tmp_path, monkeypatch):
    found = lost(study)
    assert found.items.count == 10
    assert found.labels.count == sum(rows.count() for rows in rows_of(study) if rows.model.__name__ == "Judgment") > 20
    assert (found.annotators, found.sittings, found.links) == (4, 4, 1)
    assert found.excluding == []
    small(tmp_path / "next", "next")
    declare(Study.objects.get(slug="next"), excludes=[study.slug])
    monkeypatch.setattr(deleting, "COUNTED", 5)
    found = lost(study)
    assert found.excluding == ["next"]
    assert str(found.items) == "more than 5" and found.items.count == 6, "ten million are not counted for a sentence"
