"""check_integrity on what is written down of people and of researchers: each broken row is named, in few queries."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotation.elsewhere.label_import import take_labels
from annotation.loading import load_study
from annotation.models import (
    Act,
    Adjudication,
    Exclusion,
    Item,
    ItemRevision,
    Judgment,
    LabelSource,
    PaymentDecision,
    PlatformId,
    Share,
    Sitting,
    Study,
    StudyLink,
    Webhook,
)
from annotation.paying.deciding import approve
from annotation.paying.queue import queue
from annotation.privacy import forget_decided
from researcher.integrity import records
from researcher.integrity.faults import read_faults
from researcher.integrity.records import KEPT, read_record_faults
from scoring.library.installation import install_baselines
from scoring.models import Run
from scoring.runs.fitting import find_model
from tests.annotation.pages.bot import Bot
from tests.either_database import found_by
from tests.servers import fresh_database
from tests.studies import open_small_study, plausibility_rows, write_study
from work.clock import database_now

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
SHA = "0" * 64
LABELS = b"item,annotator,label\ntarget-5,ann,impossible\ntarget-6,ann,impossible\n"


@pytest.fixture
def study(tmp_path):
    """Two came from the platform and finished, one of whom is paid; two labels came in a file."""
    collection = {"platform": "prolific", "sitting_length": 2, "max_items_per_annotator": 2}
    found = open_small_study(tmp_path / "paid", plausibility_rows(6), slug="paid", collection=collection)
    for number in (1, 2):
        visitor = Bot()
        visitor.begin(f"{found.links.get().get_absolute_url()}?PROLIFIC_PID={number:024x}&SESSION_ID=session{number}")
        visitor.finish()
    approve(queue(found).filter(pk=came(1).get().pk), by=None)
    take_labels(found, LABELS, tmp_path / "labels.csv")
    return found


def came(number):
    return Sitting.objects.filter(platform_session=f"session{number}")


def row_of_study():
    return Study.objects.get(slug="paid")


def unopened(tmp_path):
    folder = write_study(tmp_path / "new", plausibility_rows(2), slug="new")
    return Study.objects.filter(pk=load_study(folder).study.pk)


def researcher():
    return User.objects.get_or_create(username="rosa")[0]


def run_without_act():
    install_baselines()
    Run.objects.create(study=row_of_study(), model=find_model("random"), metric="label", metric_version="1", scored=1)


def adjudicated_without_act():
    item = Item.objects.filter(study=row_of_study())[0]
    Adjudication.objects.create(study=row_of_study(), item=item, tally={}, by=researcher())


def all_due():
    Study.objects.filter(slug="paid").update(forget_after_days=3)
    Sitting.objects.update(started_at=LONG_AGO, last_answer_at=LONG_AGO)


def no_trigger():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE annotation_act DISABLE TRIGGER annotation_act_stays")
        else:
            cursor.execute("DROP TRIGGER annotation_act_no_update")


BREAK = {
    "stores 5 starts; batches that began by it: 2": lambda path: StudyLink.objects.update(starts=5),
    "under the platform’s ID itself": lambda path: PlatformId.objects.filter(annotator__sittings__in=came(1)).update(
        value=came(1).get().annotator.external_id
    ),
    "that of its annotator is erased": lambda path: PlatformId.objects.filter(annotator__sittings__in=came(1)).delete(),
    "paid: platform IDs kept for longer than the study allows: 2.": lambda path: all_due(),
    "stores the payment 'rejected'; the latest decision is 'approved'": lambda path: came(1).update(payment="rejected"),
    "stores the payment 'approved'; the latest decision is 'undecided'": lambda path: (
        PaymentDecision.objects.all().delete()
    ),
    "stores 2 decisions on payment; its acts say 1": lambda path: PaymentDecision.objects.create(
        sitting=came(1).get(), payment="approved"
    ),
    "stores 2 labels; 1 came from it": lambda path: Judgment.objects.filter(
        pk=Judgment.objects.exclude(assignment__sitting__source=None)[0].pk
    ).delete(),
    "its trigger annotation_act_": lambda path: no_trigger(),
    "(creation)": lambda path: Study.objects.create(slug="none", title="None", task_type="plausibility"),
    "(opening)": lambda path: unopened(path).update(opened_at=LONG_AGO),
    "(deletion)": lambda path: unopened(path).update(deleted_at=LONG_AGO),
    "(link)": lambda path: StudyLink.objects.create(study=row_of_study()),
    "(run)": lambda path: run_without_act(),
    "(label file)": lambda path: LabelSource.objects.create(
        study=row_of_study(), name="labels.csv", sha256=SHA, labels=0
    ),
    "(adjudication)": lambda path: adjudicated_without_act(),
    "(rewording)": lambda path: ItemRevision.objects.create(
        study=row_of_study(), external_id="target-1", editor=researcher(), before={}, after={}
    ),
    "(exclusion by a researcher)": lambda path: Exclusion.objects.create(
        study=row_of_study(), annotator=came(1).get().annotator, rule="researcher", evidence={}
    ),
    "(share)": lambda path: Share.objects.create(study=row_of_study(), name="For Ann", token_hash=SHA),
    "(webhook)": lambda path: Webhook.objects.create(study=row_of_study(), address="https://example.org/"),
}


@pytest.mark.slow
def test_people_who_came_are_paid_and_forgotten_leave_no_fault(study):
    assert list(read_faults()) == []
    approve(queue(study), by=None)
    assert forget_decided(study) == 2
    assert list(read_faults()) == []


@pytest.mark.slow
def test_a_study_in_deletion_has_lost_decisions_and_judgments_before_the_rest(study):
    Study.objects.filter(pk=study.pk).update(deleted_at=LONG_AGO)
    PaymentDecision.objects.all().delete()
    Judgment.objects.all().delete()
    assert [fault for fault in read_faults() if "(deletion)" not in fault] == []


@pytest.mark.slow
def test_what_fell_due_since_a_backup_was_made_is_no_fault(study, monkeypatch):
    Study.objects.filter(pk=study.pk).update(forget_after_days=3)
    later = database_now() + timedelta(days=30)
    monkeypatch.setattr(records, "database_now", lambda: later)
    assert list(read_faults()) == []


@pytest.mark.slow
def test_a_reference_that_leads_nowhere_is_named(study):
    with transaction.atomic():
        one = Judgment.objects.order_by("pk")[0]
        Judgment.objects.filter(pk=one.pk).update(assignment=10**6)
        found = list(read_faults())
        transaction.set_rollback(True)
    said = "References that lead nowhere, from annotation_judgment.assignment_id to annotation_assignment: 1."
    assert said in found


@pytest.mark.slow
def test_what_postgres_did_not_guard_is_named(postgres_server, migrated_postgres, tmp_path):
    with fresh_database(postgres_server, template=migrated_postgres) as url:
        found = found_by("tests.researcher.integrity.unguarded", str(tmp_path), url=url)
    assert found["before"] == []
    assert found["after"] == [
        "References that lead nowhere, from annotation_studylink.study_id to annotation_study: 1.",
        "The database lets acts be changed or deleted: its trigger annotation_act_stays is gone.",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("said", BREAK)
def test_each_broken_record_is_named_in_a_sentence(study, said, tmp_path):
    BREAK[said](tmp_path)
    found = list(read_faults())
    assert any(said in fault for fault in found), found
    assert all(fault.endswith(".") for fault in found)


def test_every_kind_of_row_that_leaves_an_act_is_broken_here():
    assert {f"({kept.noun})" for kept in KEPT} <= BREAK.keys()


@pytest.mark.slow
def test_more_labels_and_more_people_ask_nothing_more(study, tmp_path):
    with CaptureQueriesContext(connection) as few:
        assert list(read_record_faults()) == []
    for number in range(3, 6):
        text = f"item,annotator,label\ntarget-3,ann{number},impossible\ntarget-4,ann{number},impossible\n"
        Study.objects.update(as_imported=True)
        take_labels(row_of_study(), text.encode(), tmp_path / f"labels-{number}.csv")
    assert Act.objects.filter(deed="labels imported").count() == 4
    with CaptureQueriesContext(connection) as more:
        assert list(read_record_faults()) == []
    assert len(more) == len(few) <= 2 * len(KEPT) + 12
