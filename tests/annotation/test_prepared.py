"""A prepared query gives what its query set gives, and is compiled once."""

from threading import Thread
from unittest.mock import patch

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

from annotation.assignment import start
from annotation.models import Assignment, Item, Sitting
from annotation.models.prepared import Prepared
from annotation.recording import record
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(3), collection={"sitting_length": 3})
    sitting = start(study, person("ann"))
    record(sitting, 1, "impossible", response_ms=812)
    return sitting


def own(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def columns(row):
    """What a row holds, and the rows that came with it."""
    return own(row), {name: other and own(other) for name, other in row._state.fields_cache.items()}


def test_rows_and_those_joined_to_them_are_those_of_the_query_set(sitting):
    prepared = Prepared(lambda token: Sitting.objects.select_related("study", "annotator").filter(token=token))
    plain = Sitting.objects.select_related("study", "annotator").get(token=sitting.token)
    assert columns(prepared.get(sitting.token)) == columns(plain)
    assert columns(prepared.get(sitting.token)) == columns(plain), "compiled before"
    assert prepared.first("nobody") is None


def test_each_call_has_its_own_values(sitting):
    prepared = Prepared(
        lambda sitting, position: Assignment.objects.select_related("judgment").filter(
            sitting=sitting, position=position
        )
    )
    for position in (1, 2, 3):
        plain = Assignment.objects.select_related("judgment").get(sitting=sitting, position=position)
        assert columns(prepared.get(sitting.pk, position)) == columns(plain)
    assert prepared.rows(sitting.pk, 4) == []
    with pytest.raises(ValueError, match="not enough values"):
        prepared.get(sitting.pk, 4)


def test_lists_of_values_annotations_and_columns_left_out(sitting):
    places = Prepared(
        lambda sitting: (
            Assignment.objects.filter(sitting=sitting).order_by("-position").values_list("position", "state")
        )
    )
    assert places.rows(sitting.pk) == [(3, "reserved"), (2, "reserved"), (1, "counted")]
    annotated = Prepared(lambda pk: Sitting.objects.annotate(open_now=F("study__state")).filter(pk=pk))
    assert vars(annotated.get(sitting.pk))["open_now"] == "open"
    narrow = Prepared(lambda pk: Item.objects.only("tally").filter(pk=pk))
    item = narrow.get(sitting.assignments.get(position=1).item_id)
    assert (item.tally, "content" in item.get_deferred_fields()) == ({"impossible": 1}, True)
    assert item.content


def test_it_is_compiled_once(sitting):
    prepared = Prepared(lambda pk: Sitting.objects.filter(pk=pk))
    with patch.object(SQLCompiler, "as_sql", autospec=True, side_effect=SQLCompiler.as_sql) as compiled:
        for _ in range(3):
            assert prepared.get(sitting.pk) == sitting
    assert compiled.call_count == 1


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_within_a_transaction_only(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1))
    prepared = Prepared(lambda pk: type(study).objects.select_for_update().filter(pk=pk))
    with transaction.atomic():
        assert prepared.get(study.pk) == study
    with pytest.raises(TransactionManagementError):
        prepared.get(study.pk)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_by_its_own_connection(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1))
    prepared = Prepared(lambda pk: type(study).objects.filter(pk=pk))
    seen = []

    def ask():
        assert prepared.get(study.pk) == study
        seen.append(connection.connection)
        connection.close()

    ask()
    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert len({id(one) for one in seen}) == len(seen) == 2
