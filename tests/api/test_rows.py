"""Rows: by pages, whole and once each, without who anybody is; and not sent again to who has them."""

import csv
import json

import pytest
from django.utils import timezone

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Annotator, PlatformId
from api.answering.paging import cursor_of
from tests.api.asking import Api, content_of
from tests.comparison.cast import give_labels, give_run
from tests.studies import open_small_study, plausibility_rows


def every(api, address, limit):
    """All rows, page by page, and how many pages."""
    rows, pages = [], 0
    cursor: str | None = ""
    while cursor is not None:
        mark = "&" if "?" in address else "?"
        answer = api.get(f"{address}{mark}limit={limit}&cursor={cursor}")
        assert answer.status_code == 200, answer.content
        rows += answer.json()["data"]
        cursor, pages = answer.json()["next"], pages + 1
    return rows, pages


def test_a_list_of_studies_has_those_of_its_reader(study, api, django_user_model):
    [found] = api.get("studies").json()["data"]
    assert (found["slug"], found["state"]) == ("small", "open")
    assert found["counts"] == {"items": 6, "complete": 0, "labels": 12, "wanted": 18, "excluded": 0}
    assert Api(django_user_model.objects.create_user("bo")).get("studies").json() == {"data": [], "next": None}


@pytest.mark.slow
@pytest.mark.parametrize(("what", "count"), [("items", 7), ("labels", 12), ("scores", 12), ("sittings", 2)])
def test_pages_have_every_row_once(study, api, what, count):
    for limit in (1, 4, 5, 6, 12, 1000):
        rows, pages = every(api, f"studies/small/{what}", limit)
        assert len(rows) == count, limit
        assert len({json.dumps(row, sort_keys=True) for row in rows}) == count, limit
        assert pages == -(-count // limit)


def test_items_are_as_the_file_has_them_with_their_labels(study, api):
    rows, _ = every(api, "studies/small/items", 3)
    for row, item in zip(rows, study.items.order_by("pk"), strict=True):
        assert (row["id"], row["content"], row["kind"]) == (item.external_id, item.content, item.kind)
        assert row["labels"] == item.tally
    assert rows[0]["majority"] == "less_likely"
    assert [row["id"] for row in every(api, "studies/small/items?kind=gold", 10)[0]] == ["gold-1"]


def test_labels_are_those_of_the_export(study, api):
    rows, _ = every(api, "studies/small/labels", 5)
    exported = content_of(api.get("studies/small/exports/judgments")).decode().splitlines()
    expected = [(row["item"], row["annotator"], row["answer"], row["state"]) for row in csv.DictReader(exported)]
    assert [(row["item"], f"a{row['annotator']}", row["answer"], row["state"]) for row in rows] == expected
    assert [row["answered_at"] for row in rows] == [row["answered_at"] for row in csv.DictReader(exported)]


@pytest.mark.slow
def test_scores_of_one_run(study, api):
    run = study.runs.get(model__key="owl")
    rows, _ = every(api, f"studies/small/scores?run={run.pk}", 4)
    assert {(row["run"], row["decision"], row["strength"]) for row in rows} == {(run.pk, "equally_likely", -1.0)}
    assert api.get("studies/small/scores?run=999999").status_code == 404
    study.runs.all().delete()
    assert api.get("studies/small/scores").json() == {"data": [], "next": None}


@pytest.mark.slow
@pytest.mark.parametrize("what", ["items", "labels"])
def test_a_cursor_of_no_page_is_refused(study, api, what):
    for cursor in ("x", "WzFd!", "WyJhIl0=", "WzEsMiwzXQ==", "e30=", "WzFlMzBd", "Wy0xXQ==", "%00"):
        answer = api.get(f"studies/small/{what}?cursor={cursor}")
        assert answer.status_code == 422, cursor
        assert [fault["field"] for fault in answer.json()["faults"]] == ["cursor"]


def test_a_cursor_that_somebody_wrote_leads_to_no_rows_of_another_study(study, api, tmp_path, django_user_model):
    other = open_small_study(tmp_path / "other", plausibility_rows(3), slug="other")
    give_labels(other, [(f"target-{number}", "p0", "impossible") for number in (1, 2, 3)])
    give_run(other, [(f"target-{number}", "impossible", 5.0, "") for number in (1, 2, 3)], key="parrot")
    for what, outer in (("labels", other.sittings.get().pk), ("scores", other.runs.get().pk)):
        answer = api.get(f"studies/small/{what}?cursor={cursor_of(outer, 0)}").json()
        assert "impossible" not in json.dumps(answer["data"])
    first = other.items.earliest("pk")
    assert api.get(f"studies/small/items?cursor={cursor_of(first.pk - 1)}").json()["data"] == []


def test_a_page_has_a_bound(study, api):
    for limit in ("0", "10001", "x", "-1"):
        answer = api.get(f"studies/small/items?limit={limit}")
        assert answer.status_code == 422, limit
        assert [fault["field"] for fault in answer.json()["faults"]] == ["limit"]


@pytest.mark.slow
@pytest.mark.parametrize("address", ["studies", "studies/small", "studies/small/items", "studies/small/labels",
                                     "studies/small/scores", "studies/small/sittings", "studies/small/setup",
                                     "studies/small/statistics", "studies/small/verdict"])  # fmt: skip
def test_what_somebody_has_is_not_sent_again_until_it_changes(study, api, address):
    first = api.get(address)
    tag = first.headers["ETag"]
    again = api.get(address, **{"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == tag
    api.post("studies/small/labels", {"labels": [{"item": "target-1", "annotator": "new", "label": "impossible"}]})
    study.refresh_from_db()
    study.title, study.instructions = "Another", "Another"
    study.save()
    changed = api.get(address, **{"if-none-match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag


@pytest.mark.slow
def test_nothing_says_who_somebody_is_but_to_who_may_see_it(study, ada, django_user_model):
    owner = Api(ada)
    answer = owner.post(
        "studies/small/labels", {"labels": [{"item": "target-1", "annotator": "planted-name", "label": "impossible"}]}
    )
    assert answer.json()["labels"] == 1
    somebody = Annotator.objects.get(external_id="p0")
    PlatformId.objects.create(study=study, annotator=somebody, value="planted-id")
    analyst = django_user_model.objects.create_user("bo")
    give(study, analyst, Role.ANALYST)
    for reader, sees in ((owner, True), (Api(ada, "read"), False), (Api(analyst), False)):
        names = [row["name"] for row in every(reader, "studies/small/sittings", 10)[0]]
        assert ("planted-name" in names) == sees
        for what in ("items", "labels", "scores", "statistics", "verdict", "exports/participants"):
            assert b"planted" not in content_of(reader.get(f"studies/small/{what}")), what
    assert Api(ada, "read").get("studies/small/exports/payments").status_code == 403
    assert owner.get("studies/small/exports/payments").status_code == 200


def test_a_moment_is_told_with_its_zone(study, api):
    [first, *_] = api.get("studies/small/sittings").json()["data"]
    assert first["started_at"].endswith("+00:00")
    assert first["started_at"] <= timezone.now().isoformat()
