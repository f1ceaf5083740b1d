"""Results by the API are those of the files; those of a large study come when a worker has computed them."""

import csv
import io
import re
import shutil
import zipfile

import pytest
from django.db import OperationalError

from annotation.access.matrix import Role
from annotation.access.members import give
from api.answering.faults import TYPE
from comparison.exports.registry import FILES
from comparison.frame import selected
from comparison.tasks import compute, make_dataset, make_export
from tests.api.asking import content_of
from tests.comparison.learned import learn_at_once
from tests.queued import listened_to
from tests.researcher.library.passages import open_rated


def report(api, query=""):
    text = content_of(api.get(f"studies/small/exports/report{query}")).decode()
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.slow
def test_statistics_are_the_report(study, api):
    found = api.get("studies/small/statistics").json()
    rows = report(api)
    assert (found["study"], found["population"], found["items_selected"]) == ("small", "people", "all items")
    assert len(found["figures"]) == len(rows) > 40
    for figure, row in zip(found["figures"], rows, strict=True):
        assert figure["statistic"] == row["statistic"]
        assert figure["value"] == (float(row["value"]) if row["value"] else None)
        assert figure["n"] == (int(row["n"]) if row["n"] else None)
    nearest = [one for one in found["figures"] if one["rater"] == "parrot · pll" and one["statistic"] == "accuracy"]
    assert nearest[0]["value"] == 1.0
    assert nearest[0]["low"] < 1.0
    undefined = [one for one in found["figures"] if one["undefined"]]
    assert undefined
    assert all(one["value"] is None for one in undefined)


@pytest.mark.slow
def test_filters_are_those_of_the_results(study, api):
    found = api.get("studies/small/statistics?q=Lamp+number+1").json()
    assert found["items_selected"] == report(api, "?q=Lamp+number+1")[0]["items_selected"] != "all items"
    for query in ("?attribute=nothing&value=x", "?sort=odd", "?run=77777", "?majorty=1"):
        for what in ("statistics", "verdict", "exports/items"):
            assert api.get(f"studies/small/{what}{query}").status_code == 422, (what, query)


@pytest.mark.slow
def test_the_verdict_is_that_of_the_results(study, api, client, ada):
    found = api.get("studies/small/verdict").json()
    assert [one["name"] for one in found["runs"]] == ["parrot · pll", "owl · pll"]
    assert (found["runs"][0]["value"]["value"], found["runs"][0]["value"]["n"]) == (1.0, 6)
    assert {one["run"] for one in found["runs"]} == set(study.runs.values_list("pk", flat=True))
    client.force_login(ada)
    page = client.get("/studies/small/results/").content.decode()
    words = re.sub(r"<[^>]+>", "", page)
    assert found["headline"] in words and found["subtitle"] in words
    assert found["findings"]
    for one in found["findings"]:
        assert one["statement"] in words and one["evidence"] in words
        assert one["kind"] in ("good", "warn", "bad", "tie", "open")


@pytest.mark.slow
def test_the_verdict_on_ratings_says_what_scores_are_compared_with(api, ada, tmp_path):
    give(open_rated(tmp_path, "rated", seed=1), ada, Role.OWNER)
    found = api.get("studies/rated/verdict").json()
    assert (found["measure"], found["against"]) == ("spearman", "mean rating")
    assert "people’s mean ratings" in found["findings"][0]["evidence"]
    figures = api.get("studies/rated/statistics").json()["figures"]
    assert {one["against"] for one in figures if one["section"] == "verdict"} == {"mean rating"}


@pytest.mark.slow
def test_every_file_is_there(study, api, monkeypatch):
    learn_at_once(monkeypatch)
    for what in FILES:
        answer = api.get(f"studies/small/exports/{what}")
        assert answer.status_code == 200, what
        assert answer.headers["Content-Type"] == "text/csv"
        assert b"study,population" in content_of(answer).splitlines()[0], what


def test_a_file_of_no_name_is_not_there(study, api):
    assert api.get("studies/small/exports/odd").status_code == 404


@pytest.mark.slow
def test_the_data_set_is_a_zip_file(study, api):
    answer = api.get("studies/small/dataset")
    with zipfile.ZipFile(io.BytesIO(content_of(answer))) as packed:
        assert any(name.endswith("README.md") for name in packed.namelist())


@pytest.fixture
def asked(monkeypatch, settings):
    """What is sent to workers, where the study is a large one."""
    # Files of studies of other tests, which had the same numbers.
    shutil.rmtree(settings.VAR_DIR / "exports", ignore_errors=True)
    monkeypatch.setattr(selected, "QUICK", 3)
    return listened_to(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "task", "work"),
    [
        ("statistics", "export", make_export),
        ("exports/breakdown", "export", make_export),
        ("verdict", "figures", compute),
        ("dataset", "data set", make_dataset),
    ],
)
def test_a_large_study_answers_when_a_worker_is_through(study, api, asked, what, task, work, monkeypatch):
    waiting = api.get(f"studies/small/{what}")
    assert waiting.status_code == 202
    assert waiting.headers["Retry-After"]
    assert waiting.json() == {"words": "waiting for a worker", "share": None}
    assert api.get(f"studies/small/{what}").status_code == 202
    [(name, *given)] = asked
    assert name == task
    work(*given)
    answer = api.get(f"studies/small/{what}")
    assert answer.status_code == 200
    if what == "statistics":
        monkeypatch.setattr(selected, "QUICK", 5000)
        assert answer.json() == api.get("studies/small/statistics").json(), "as without a worker"


def test_what_a_worker_could_not_compute_is_said(study, api, asked, monkeypatch):
    from comparison.frame.cache.computing import Computing

    api.get("studies/small/verdict")
    Computing(study.pk, "overview", "").fail("Error: no memory")
    refused = api.get("studies/small/verdict")
    assert (refused.status_code, refused.json()["title"]) == (503, "Error: no memory")


def test_a_database_that_does_not_answer_is_said_in_the_one_shape(study, api, monkeypatch):
    def away(*given):
        raise OperationalError("gone")

    with monkeypatch.context() as gone:
        gone.setattr("django.db.connection.cursor", away)
        refused = api.get("studies/small")
    assert (refused.status_code, refused["Content-Type"], refused["Retry-After"]) == (503, TYPE, "10")
    assert refused.json()["title"] == "The database does not answer. Send the request again in a minute."
