"""Annotators are counted within their study, in the order in which they came, and keep their number."""

from importlib import import_module

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from annotation import tasks
from annotation.assignment import resume, start
from annotation.models import AnnotatorNumber
from annotation.recording import record, report
from annotation.simulation import remove_synthetic, simulate
from comparison.exports.registry import export
from comparison.exports.stored.judgments import JUDGMENTS
from comparison.frame.filters.selection import Selection
from comparison.frame.reading import people_frame
from tests.comparison.learned import learn_at_once
from tests.studies import open_small_study, own_all, person, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_they_are_counted_from_one_in_each_study_and_by_the_migration_alike(tmp_path):
    collection = {"labels_per_item": 3}
    first, second = (
        open_small_study(tmp_path / slug, plausibility_rows(2), slug=slug, collection=collection)
        for slug in ("first", "second")
    )
    for study, names in ((first, ("ann", "bo")), (second, ("cy", "bo", "cy"))):
        for name in names:
            record(start(study, person(name)), 1, "impossible")
    assert second.annotator_numbers.names() == {person("cy").pk: "a1", person("bo").pk: "a2"}
    assert first.annotator_numbers.name_of(person("bo").pk) == "a2"
    assert {*people_frame(second)["rater"]} == {"a1", "a2"}
    exported = "".join(str(row) for row in JUDGMENTS.rows(second, Selection()))
    assert ",a1," in exported and ",a3," not in exported

    given = list(AnnotatorNumber.objects.order_by("study", "number").values_list("study", "annotator", "number"))
    for who, number in (("new", 2), ("bo", 3)):
        with pytest.raises(IntegrityError), transaction.atomic():
            second.annotator_numbers.create(annotator=person(who), number=number)
    AnnotatorNumber.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute(import_module("annotation.migrations.0010_annotator_number").NUMBER_ALL)
    assert given == list(
        AnnotatorNumber.objects.order_by("study", "number").values_list("study", "annotator", "number")
    )


@pytest.mark.slow
def test_after_synthetic_annotators_people_are_counted_from_one(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2))
    simulate(study, counts={"careful": 2}, seed=1)
    assert [*study.annotator_numbers.names().values()] == ["a1", "a2"]
    remove_synthetic(study)
    start(study, person("ann"))
    assert [*study.annotator_numbers.names().values()] == ["a1"]


@pytest.mark.slow
def test_who_came_to_a_server_of_before_is_numbered_when_upkeep_starts_or_they_come_back(
    tmp_path, client, django_user_model, monkeypatch
):
    learn_at_once(monkeypatch)
    study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 4})
    sittings = {name: start(study, person(name)) for name in ("dan", "ann", "bo", "cy")}
    for name, sitting in sittings.items():
        record(sitting, 1, "impossible")
        if name != "dan":
            study.annotator_numbers.get(annotator=person(name)).delete()
    monkeypatch.setitem(tasks._numbered, "done", False)
    tasks.upkeep()
    tasks.upkeep()
    named = {person(name).pk: f"a{number}" for number, name in enumerate(sittings, 1)}
    assert study.annotator_numbers.names() == named

    client.force_login(own_all(django_user_model.objects.create_user("ada")))
    asked = [reverse(page, args=[study.slug]) for page in ("results", "annotators", "payment")]
    asked += [reverse("export", args=[study.slug, what]) for what in ("judgments", "participants", "payments")]
    for address in asked:
        answer = client.get(address)
        assert answer.status_code == 200 and b"".join(answer), address

    for again in (lambda: start(study, person("dan")), lambda: resume(sittings["dan"])):
        study.annotator_numbers.get(annotator=person("dan")).delete()
        again()
        assert study.annotator_numbers.name_of(person("dan").pk) == "a5"


def test_who_starts_while_a_file_is_written_has_a_name_in_it(tmp_path):
    study = open_small_study(
        tmp_path, plausibility_rows(2), collection={"labels_per_item": 2}, page={"report_problem": True}
    )

    def come(name: str) -> None:
        sitting = start(study, person(name))
        sitting.assignments.update(shown_at=timezone.now())
        report(sitting, 1, "A word is missing.")
        record(sitting, 1, "impossible")

    come("ann")
    files = {what: export(what)(study, Selection()) for what in ("judgments", "participants", "payments", "reports")}
    for rows in files.values():
        next(rows)
    come("bo")
    for what, rows in files.items():
        text = "\n".join(",".join(map(str, row)) for row in rows)
        assert (text.count(",a1,"), text.count(",a2,")) == (1, 1), (what, text)
