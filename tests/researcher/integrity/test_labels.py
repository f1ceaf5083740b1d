"""check_integrity names each fault that a row can have, and none where there is none."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import F

from annotation.models import Assignment, Item, Judgment, Study
from annotation.simulation import simulate
from researcher.integrity.faults import read_faults
from scoring.library.installation import install_baselines
from scoring.models import Chunk, Run, Score
from scoring.runs import starting, working
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(tmp_path, monkeypatch):
    for module in (starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    install_baselines()
    found = open_small_study(tmp_path, plausibility_rows(6, gold=1))
    simulate(found, counts={"careful": 3}, seed=1)
    run = start_run(found, find_model("random"), "label")
    CHUNKS.work(run.chunks.get().pk, worker="here")
    return found


def labeled() -> "Item":
    return Item.objects.filter(kind="target", counted__gte=1).order_by("pk")[0]


def answered() -> Assignment:
    return Assignment.objects.filter(state="counted", item__kind="target").order_by("pk")[0]


def change(item, **values):
    Item.objects.filter(pk=item.pk).update(**values)


def other_study(tmp_path):
    return open_small_study(tmp_path / "other", plausibility_rows(2), slug="other")


CORRUPT = {
    "does not have the hash that is stored": lambda path: change(labeled(), content={"original": "other"}),
    "do not have the hash that the study stores": lambda path: Study.objects.update(content_hash="0"),
    "labels that count; ": lambda path: change(labeled(), counted=F("counted") - 1),
    "stores the tally": lambda path: change(labeled(), tally={"impossible": 9}),
    "stores a majority of 7": lambda path: change(labeled(), agreed=7),
    "reserved places; it is 0": lambda path: change(labeled(), target=9, reserved=1),
    "its target is 1": lambda path: change(labeled(), target=1, counted=1),
    "was dropped, and": lambda path: change(labeled(), target=0, counted=0),
    "is answered and has no judgment": lambda path: Judgment.objects.filter(assignment=answered()).delete(),
    "belongs to an assignment that is not answered": lambda path: Assignment.objects.filter(pk=answered().pk).update(
        state="released"
    ),
    "is of another annotator than its batch": lambda path: Assignment.objects.filter(pk=answered().pk).update(
        annotator=Assignment.objects.exclude(annotator=answered().annotator).order_by("pk")[0].annotator,
        item=Item.objects.filter(study=other_study(path)).first(),
    ),
    "is of an item of another study than its batch": lambda path: Assignment.objects.filter(pk=answered().pk).update(
        item=Item.objects.filter(study=other_study(path)).first()
    ),
    "is finished and still holds places": lambda path: Assignment.objects.filter(pk=answered().pk).update(
        state="reserved"
    ),
    "scored and 0 unscored items; ": lambda path: Run.objects.update(scored=1),
    "is of an item of another study than its run": lambda path: Score.objects.filter(
        pk=Score.objects.order_by("pk")[0].pk
    ).update(item=Item.objects.filter(study=other_study(path)).first()),
    "without a number in the study": lambda path: Study.objects.get().annotator_numbers.all().delete(),
    "waits for a run that has ended": lambda path: Chunk.objects.create(run=Run.objects.get(), item_ids=[]),
}


@pytest.mark.slow
def test_a_study_with_labels_and_scores_has_no_fault(study):
    assert list(read_faults()) == []
    out = StringIO()
    call_command("check_integrity", stdout=out)
    assert out.getvalue() == "No faults.\n"


@pytest.mark.slow
@pytest.mark.parametrize("said", CORRUPT)
def test_each_corruption_is_named_in_a_sentence(study, said, tmp_path):
    CORRUPT[said](tmp_path)
    found = list(read_faults())
    assert any(said in fault for fault in found), found
    assert all(fault.endswith(".") for fault in found)
    with pytest.raises(SystemExit) as ended:
        call_command("check_integrity", stdout=StringIO(), stderr=StringIO())
    assert ended.value.code == 1
