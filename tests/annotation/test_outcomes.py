"""How sittings end: with one outcome, set once, whatever is decided later."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.assignment import finish, release_lapsed, resume, start
from annotation.elsewhere.label_import import import_labels
from annotation.models import Exclusion, Item, Sitting, Study
from annotation.platforms import Outcome
from annotation.quality.exclusion import exclude, reinstate
from annotation.recording import record
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(tmp_path) -> Study:
    rows = plausibility_rows(2, attention=1)
    return open_small_study(tmp_path, rows, collection={"sitting_length": 2, "attention_per_sitting": 1})


def answered(study: Study, name: str, *, attention: str = "impossible") -> Sitting:
    sitting = start(study, person(name))
    while (current := sitting.current()) is not None:
        record(sitting, current.position, attention if current.item.kind == "attention" else "equally_likely")
    sitting.refresh_from_db()
    return sitting


def test_a_sitting_under_way_has_none(study):
    assert start(study, person("ann")).outcome == ""


def test_one_that_is_answered_whole_is_completed(study):
    assert answered(study, "ann").outcome == Outcome.COMPLETED


def test_one_that_a_check_rule_ended_has_failed_its_checks(study):
    assert answered(study, "ann", attention="more_likely").outcome == Outcome.FAILED_CHECKS


def test_a_sitting_that_a_verdict_ends_midway_has_failed_its_checks(study):
    sitting = start(study, person("ann"))
    exclude(study, person("ann"), rule=Exclusion.Rule.RESEARCHER, evidence={})
    assert Sitting.objects.get(pk=sitting.pk).outcome == Outcome.FAILED_CHECKS


@pytest.mark.slow
def test_an_outcome_stays_whatever_is_decided_later(study):
    good, bad = answered(study, "ann"), answered(study, "bob", attention="more_likely")
    exclude(study, person("ann"), rule=Exclusion.Rule.RESEARCHER, evidence={})
    reinstate(study.exclusions.get(annotator=person("bob")))
    finish(good, Outcome.WITHDRAWN)
    good.refresh_from_db()
    bad.refresh_from_db()
    assert (good.outcome, bad.outcome) == (Outcome.COMPLETED, Outcome.FAILED_CHECKS)


@pytest.mark.slow
def test_who_comes_back_to_items_that_went_to_others_is_too_late(tmp_path):
    study = open_small_study(
        tmp_path, plausibility_rows(2), collection={"labels_per_item": 1, "sitting_length": 2, "lease_minutes": 5}
    )
    ann = start(study, person("ann"))
    record(ann, 1, "equally_likely")
    Sitting.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    release_lapsed()
    answered(study, "bob")
    assert resume(ann).outcome == Outcome.TOO_LATE


@pytest.mark.parametrize("outcome", [Outcome.NO_CONSENT, Outcome.SCREENED_OUT, Outcome.WITHDRAWN])
def test_an_end_before_the_last_item_reopens_its_slots(study, outcome):
    sitting = start(study, person("ann"))
    record(sitting, 1, "impossible")
    finish(sitting, outcome)
    assert (sitting.state, sitting.outcome) == ("finished", outcome)
    assert not Item.objects.filter(reserved__gt=0).exists()
    assert not study.exclusions.exists()


def test_labels_from_elsewhere_end_like_others(study, tmp_path):
    labels = tmp_path / "labels.csv"
    rows = ["item,annotator,label", "target-1,ann,impossible", "attention-1,bob,more_likely"]
    labels.write_text("\n".join(rows), encoding="utf-8")
    import_labels(study, labels)
    outcomes = dict(Sitting.objects.values_list("annotator__external_id", "outcome"))
    assert outcomes == {f"{study.pk}/ann": "completed", f"{study.pk}/bob": "failed_checks"}


@pytest.mark.parametrize("wrong", [{"state": "finished"}, {"outcome": "completed"}, {"outcome": "vanished"}])
def test_the_database_holds_an_outcome_to_an_end(study, wrong):
    start(study, person("ann"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Sitting.objects.update(**wrong)
