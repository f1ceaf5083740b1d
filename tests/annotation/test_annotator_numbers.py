"""Annotators are counted within their study, in the order in which they came, and keep their number."""

from importlib import import_module

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.assignment import start
from annotation.models import AnnotatorNumber
from annotation.recording import record
from annotation.simulation import remove_synthetic, simulate
from comparison.exports.stored.judgments import JUDGMENTS
from comparison.frame.filters.selection import Selection
from comparison.frame.reading import people_frame
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = pytest.mark.django_db


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


def test_after_synthetic_annotators_people_are_counted_from_one(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2))
    simulate(study, counts={"careful": 2}, seed=1)
    assert [*study.annotator_numbers.names().values()] == ["a1", "a2"]
    remove_synthetic(study)
    start(study, person("ann"))
    assert [*study.annotator_numbers.names().values()] == ["a1"]
