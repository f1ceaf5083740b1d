"""What is done by the API is what pages and commands do, with the same faults; refused, it leaves nothing behind."""

import pytest

from accounts.models import User
from annotation.lifecycle.folder import study_hash
from annotation.loading import load_study
from annotation.models import Act, Item, Study
from annotation.studyfile import READ_BY_TABLE, SETTINGS, STAGES
from corpus.bounds import MOST_FAULTS
from scoring.library.installation import install_baselines
from tests.api.asking import Api
from tests.api.made import TABLES, items
from tests.studies import plausibility_row, plausibility_rows, write_study


@pytest.mark.slow
def test_a_study_is_made_as_its_folder_would_make_it(api, ada, tmp_path):
    answer = api.post("studies", {"study": TABLES, "items": items()})
    assert answer.status_code == 201
    assert answer.headers["Location"] == "/api/v1/studies/made"
    made = Study.objects.get()
    assert (made.state, [member.user for member in made.memberships.all()]) == ("draft", [ada])
    by_api = study_hash(made)
    Study.objects.all().delete()
    load_study(write_study(tmp_path / "made", plausibility_rows(4), slug="made"))
    assert by_api == study_hash(Study.objects.get())


def test_faults_are_told_by_line_and_field_and_nothing_is_made(api):
    wrong = [items()[0], {**items()[1], "content": {"original": "A."}}, items()[0], {"id": "x", "kind": "odd"}]
    answer = api.post("studies", {"study": TABLES, "items": wrong})
    assert answer.status_code == 422
    found = {(fault["line"], fault["field"]) for fault in answer.json()["faults"]}
    assert found == {
        (2, "content.modified"), (2, "content.modifier"), (3, "id"), (4, "kind"), (4, "content"),
    }  # fmt: skip
    answer = api.post("studies", {"study": TABLES | {"slug": "No", "quality": {"gold_tolerance": 7}}, "items": items()})
    assert {fault["field"] for fault in answer.json()["faults"]} == {"slug", "quality.gold_tolerance"}
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b'{"study": {}, "study": {}, "items": []}', 400),
        (b'{"study": {"a": NaN}, "items": [{}]}', 400),
        (b'{"study": {"a": 1e999}, "items": [{}]}', 400),
        (b'{"study": {"a": "\\u0000"}, "items": [{}]}', 400),
        (b'{"study": {"a": "\\ud800"}, "items": [{}]}', 400),
        (b'{"study": {"\\ud800": 1, "\\ud800": 2}, "items": [{}]}', 400),
        (b'{"study": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400),
        (b'{"study": ' + b'{"a":' * 400 + b"1" + b"}" * 400 + b', "items": [{}]}', 400),
        (b'{"study": {}, "items": [' + b'{"a":' * 330 + b"1" + b"}" * 330 + b"]}", 400),
        (b"\xff", 400),
        (b"[]", 422),
        (b"", 422),
        (b'{"study": {}, "items": [{}], "more": 1}', 422),
    ],
)
def test_what_is_no_body_is_refused_in_the_one_shape(api, body, status):
    answer = api.client.post(
        "/api/v1/studies",
        data=body,
        content_type="application/json",
        headers={"authorization": f"Bearer {api.made.secret}"},
    )
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["faults"]


def test_a_body_that_is_not_sent_as_json_is_refused_and_no_answer_is_shown_as_a_page(api):
    headers = {"authorization": f"Bearer {api.made.secret}"}
    answer = api.client.post("/api/v1/studies", data="{}", content_type="text/plain", headers=headers)
    assert (answer.status_code, answer.json()["title"][:9]) == (415, "Send JSON")
    for one in (answer, api.get("studies"), api.get("no-such-address"), api.ask("delete", "token")):
        assert one.headers["Content-Disposition"] == 'attachment; filename="api.json"'


@pytest.mark.parametrize(
    ("address", "name"), [("studies", "items"), ("studies/no/items", "items"), ("studies/no/labels", "labels")]
)
def test_a_list_that_would_hold_a_web_thread_is_refused_before_it_is_looked_at(api, address, name):
    """100,000 items took 15 seconds there, and 166,666 labels of unknown items four."""
    answer = api.post(address, {"study": TABLES, name: [{}] * 20_001})
    assert answer.status_code == 413
    assert answer.json()["title"] == "Send the data in several requests, or as a file in the browser."
    assert answer.json()["faults"] == [{"line": None, "field": name, "message": "has more than 20,000 entries"}]


def test_a_body_of_more_values_than_any_study_has_is_not_parsed(api, monkeypatch):
    monkeypatch.setattr("api.answering.body.MOST_VALUES_SENT", 100)
    answer = api.post("studies", {"study": TABLES, "items": [{}] * 101})
    assert answer.status_code == 413
    assert answer.json()["title"] == "Send the data in several requests, or as a file in the browser."
    assert answer.json()["faults"][0]["message"] == "has more than 100 values"
    assert not Study.objects.exists()


@pytest.mark.slow
def test_of_labels_and_items_that_are_all_wrong_no_more_is_told_than_anybody_reads(api, study):
    empty = api.post("studies/small/labels", {"labels": [{}] * 10_000})
    assert (empty.status_code, {fault["field"] for fault in empty.json()["faults"]}) == (
        422, {"labels.0.item", "labels.0.annotator", "labels.0.label"},
    )  # fmt: skip
    strange = [{"item": "nothing", "annotator": "who", "label": "odd"}] * 3_000
    assert len(api.post("studies/small/labels", {"labels": strange}).json()["faults"]) <= MOST_FAULTS + 2
    assert len(api.post("studies", {"study": TABLES, "items": [{}] * 3_000}).json()["faults"]) <= MOST_FAULTS + 9


def test_a_name_that_is_taken_is_refused_whoever_has_it(api, study, django_user_model):
    bo = Api(django_user_model.objects.create_user("bo"))
    assert bo.post("studies", {"study": TABLES | {"slug": "small"}, "items": items()}).status_code == 409
    assert api.post("studies", {"study": TABLES | {"slug": "small"}, "items": items()}).status_code == 409


@pytest.mark.slow
def test_items_are_added_to_a_draft_all_or_none(api):
    api.post("studies", {"study": TABLES, "items": items(2)})
    more = [plausibility_row(number).fields() for number in (2, 3)]
    answer = api.post("studies/made/items", {"items": more})
    assert answer.status_code == 422
    assert [(fault["line"], fault["field"]) for fault in answer.json()["faults"]] == [(1, "id")]
    assert Item.objects.count() == 2
    gold = plausibility_row(1, kind="gold", reference="impossible").fields()
    assert api.post("studies/made/items", {"items": [*more[1:], gold]}).json() == {"added": 2}
    assert [item.external_id for item in Item.objects.order_by("position")] == [
        "target-1", "target-2", "target-3", "gold-1",
    ]  # fmt: skip
    assert api.post("studies/made/open").json()["state"] == "open"
    assert api.post("studies/made/items", {"items": [plausibility_row(9).fields()]}).status_code == 409


@pytest.mark.slow
def test_the_description_has_every_setting_that_making_and_changing_take(api):
    schemas = api.get("openapi.json").json()["components"]["schemas"]
    made = schemas["NewStudy"]["properties"]["study"]
    tables = {
        name: one["properties"] for name, one in made["properties"].items() if name in {"task", *READ_BY_TABLE, *STAGES}
    }
    inner = [f"{table}.{name}" for table, settings in tables.items() for name in settings]
    paths = {*inner, *made["properties"]} - {*tables, "task.type"}
    changed = schemas["Changes"]["properties"]["changes"]["properties"]
    assert paths == SETTINGS.keys() == changed.keys() | {"slug"}
    assert made["required"] == ["slug", "title", "instructions", "task", "collection"]
    assert tables["collection"]["lease_minutes"]["maximum"] == 10_080


@pytest.mark.slow
def test_setup_is_changed_by_who_has_seen_it(api):
    api.post("studies", {"study": TABLES, "items": items()})
    read = api.get("studies/made/setup")
    tag = read.headers["ETag"]
    changes = {"changes": {"collection.labels_per_item": 5, "consent.text": "I agree."}}
    assert api.ask("patch", "studies/made/setup", changes).status_code == 428
    assert api.ask("patch", "studies/made/setup", changes, **{"if-match": '"other"'}).status_code == 412
    done = api.ask("patch", "studies/made/setup", changes, **{"if-match": tag})
    assert done.json()["setup"]["collection"]["labels_per_item"] == 5
    assert done.json()["setup"]["consent"] == {"text": "I agree."}
    assert set(Item.objects.values_list("target", flat=True)) == {5}
    assert api.ask("patch", "studies/made/setup", changes, **{"if-match": tag}).status_code == 412
    now = {"if-match": done.headers["ETag"]}
    wrong = api.ask("patch", "studies/made/setup", {"changes": {"collection.labels_per_item": 0}}, **now)
    assert [fault["field"] for fault in wrong.json()["faults"]] == ["collection.labels_per_item"]
    wrong = api.ask("patch", "studies/made/setup", {"changes": {"slug": "x", "task.type": "rating"}}, **now)
    assert [fault["field"] for fault in wrong.json()["faults"]] == ["slug", "task.type"]
    api.post("studies/made/open")
    fixed = api.get("studies/made/setup")
    assert "labels_per_item" in fixed.json()["fixed"]
    late = {"changes": {"collection.labels_per_item": 9}}
    assert api.ask("patch", "studies/made/setup", late, **{"if-match": fixed.headers["ETag"]}).status_code == 409


def test_what_is_done_by_a_token_is_kept_as_its_users_deed(api, study):
    assert api.post("studies/small/close").status_code == 200
    act = Act.objects.filter(study_pk=study.pk).latest("pk")
    assert (act.deed, act.via) == ("closed", "api")
    assert act.user_pk == User.objects.get(username=act.who).pk


@pytest.mark.slow
def test_a_study_is_opened_closed_archived_and_restored(api, study):
    assert api.post("studies/small/archive").status_code == 409
    assert api.post("studies/small/close").json()["state"] == "closed"
    assert api.post("studies/small/archive").json()["archived_at"]
    assert api.post("studies/small/restore").json()["archived_at"] is None
    assert api.post("studies/small/open").json()["state"] == "open"


def test_links_are_made(api, study):
    made = api.post("studies/small/links", {"name": "batch", "max_starts": 3})
    assert made.status_code == 201
    assert made.json()["address"].startswith("http://testserver/")
    assert [link["name"] for link in api.get("studies/small/links").json()["data"]] == ["", "batch"]
    assert api.client.get(made.json()["address"]).status_code == 200
    for when in ("2020-01-01T00:00:00Z", "2100-01-01T00:00:00"):
        assert api.post("studies/small/links", {"expires_at": when}).status_code == 422


@pytest.mark.slow
def test_an_annotator_is_excluded_and_reinstated(api, study):
    who = study.annotator_numbers.first().number
    address = f"studies/small/annotators/{who}"
    assert api.post(f"{address}/exclude", {"reason": "a robot"}).json() == {"annotator": who, "excluded": True}
    kept = study.exclusions.get().evidence
    assert (kept["reason"], kept["by"]) == ("a robot", "ada")
    assert api.get("studies/small").json()["counts"]["labels"] == 6
    assert api.post(f"{address}/exclude", {"reason": "again"}).status_code == 409
    assert api.post(f"{address}/reinstate").json()["excluded"] is False
    assert api.get("studies/small").json()["counts"]["labels"] == 12
    assert api.post(f"{address}/reinstate").status_code == 409
    assert api.post("studies/small/annotators/999999/exclude", {"reason": "x"}).status_code == 404


@pytest.mark.slow
def test_labels_are_imported_once_and_faults_have_their_line(api, study):
    labels = [{"item": f"target-{n}", "annotator": "who", "label": "impossible", "seconds": 1.5} for n in (1, 2)]
    assert api.post("studies/small/labels", {"labels": labels}).json()["labels"] == 2
    again = api.post("studies/small/labels", {"labels": labels}).json()
    assert (again["labels"], again["unchanged"]) == (0, 2)
    wrong = [*labels, {"item": "nothing", "annotator": "who", "label": "odd"}]
    faults = api.post("studies/small/labels", {"labels": wrong}).json()["faults"]
    assert {(fault["line"], fault["field"]) for fault in faults} == {(3, "item"), (3, "label")}
    other = [{"item": "target-1", "annotator": "who", "label": "more_likely"}]
    assert api.post("studies/small/labels", {"labels": other}).status_code == 409


@pytest.mark.slow
def test_scores_are_imported_once_and_faults_have_their_line(api, study):
    lines = [{"item": f"target-{n}", "label": "impossible", "score": n} for n in range(1, 7)]
    asked = {"model": "BERT", "metric": "mine", "source": "my machine", "lines": lines}
    done = api.post("studies/small/scores", asked)
    assert done.status_code == 201
    assert (done.json()["run"]["scored"], done.json()["is_new"]) == (6, True)
    assert api.post("studies/small/scores", asked).json()["is_new"] is False
    wrong = asked | {"metric": "other", "lines": [*lines[:1], {"item": "target-2", "label": "odd", "score": "x"}]}
    faults = api.post("studies/small/scores", wrong).json()["faults"]
    assert {fault["line"] for fault in faults} == {2}
    assert api.post("studies/small/scores", asked | {"columns": {"nonsense": "x"}}).status_code == 422
    assert study.runs.filter(model__is_imported=True).count() == 1


@pytest.mark.slow
def test_runs_are_started_and_stopped(api, study, queue):
    install_baselines()
    choices = api.get("studies/small/choices").json()["data"]
    assert {"model": "random", "metric": "label", "named": True, "state": None} in choices
    answer = api.post("studies/small/runs", {"runs": [{"model": "random", "metric": "label"}]})
    assert answer.status_code == 202
    [run] = answer.json()["data"]
    assert (run["model"], run["state"], run["total"]) == ("random", "queued", 6)
    assert study.runs.get(model__key="random").asked_by == "ada"
    assert api.get(f"studies/small/runs/{run['id']}").json() == run
    assert api.post(f"studies/small/runs/{run['id']}/stop").json()["state"] == "stopped"
    named = api.post("studies/small/runs", {"every": "named"}).json()["data"]
    assert run["id"] in [one["id"] for one in named]
    stopped = api.post("studies/small/runs/stop").json()["data"]
    assert {one["state"] for one in stopped} == {"stopped"}
    assert api.post("studies/small/runs", {"runs": [{"model": "no", "metric": "label"}]}).status_code == 422
    assert api.post("studies/small/runs", {}).status_code == 422
    assert api.get("studies/small/runs/999999").status_code == 404


@pytest.mark.slow
def test_runs_that_no_queue_takes_are_stored_and_said_to_be(api, study):
    install_baselines()
    answer = api.post("studies/small/runs", {"runs": [{"model": "random", "metric": "label"}]}).json()
    assert answer["silent"]


def test_an_address_that_is_not_there_or_takes_no_such_method_is_refused_in_the_one_shape(api, study):
    for method, address, status in (("get", "nothing", 404), ("get", "", 404), ("delete", "studies/small", 405)):
        answer = api.ask(method, address)
        assert (answer.status_code, answer.json()["status"]) == (status, status)
        assert answer.headers["Content-Type"] == "application/problem+json"
