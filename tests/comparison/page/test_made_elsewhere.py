"""Files and plans of a large study: a worker makes them, and meanwhile the page says how far it is."""

import pytest
from django.urls import reverse

from comparison import tasks
from comparison.exports.cells import lines
from comparison.exports.registry import FILES, export
from comparison.frame import reading, selected
from comparison.frame.filters.selection import Selection
from researcher.tasks import plan
from tests.comparison.cast import give_labels
from tests.queued import listened_to


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch, settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    monkeypatch.setattr(selected, "QUICK", 0)


@pytest.fixture
def asked(monkeypatch):
    """What is put on the queue."""
    return listened_to(monkeypatch)


def words(answer) -> str:
    return " ".join(answer.content.decode().split())


def body(answer) -> str:
    return b"".join(answer.streaming_content).decode()


def download(client, study, what, **query):
    return client.get(reverse("export", args=[study.slug, what]), query)


def planning(client, study, **query):
    return client.get(reverse("planning", args=[study.slug]), query)


@pytest.mark.slow
def test_no_panel_is_read_while_a_reader_waits(logged_in, study, asked, monkeypatch):
    monkeypatch.setattr(reading, "read_panel", lambda *given, **named: pytest.fail("the panel was read"))
    made = [what for what in FILES if not FILES[what].is_streamed]
    for what in made:
        answer = words(download(logged_in, study, what))
        assert f"Creating: {study.slug}-{what}.csv" in answer
        assert 'http-equiv="refresh"' in answer
    assert asked == [("export", study.pk, what, "", "csv") for what in made]
    assert "Creating: The plan" in words(planning(logged_in, study))
    assert asked[-1] == ("plan", study.pk, "")
    for what in [key for key, one in FILES.items() if one.is_streamed]:
        # Of plausibility items none is a pair of words: that file has its header alone.
        lines = body(download(logged_in, study, what)).count("\r\n")
        assert lines == 1 if what == "pairs" else lines > 1
    before = len(asked)
    download(logged_in, study, "items")
    planning(logged_in, study)
    assert len(asked) == before, "somebody is at it"


@pytest.mark.slow
def test_items_begin_at_once_where_no_line_rests_on_others(logged_in, study, asked, monkeypatch):
    study.runs.get(model__key="smol").delete()
    whole = "".join(lines(export("items")(study, Selection(classes="coarse"))))
    monkeypatch.setattr(reading, "read_panel", lambda *given, **named: pytest.fail("the panel was read"))
    run = str(study.runs.get(model__key="parrot").pk)
    assert body(download(logged_in, study, "items", classes="coarse", run=run, by="class")) == whole
    assert asked == []
    assert "Creating:" in words(download(logged_in, study, "items", agreement="unanimous"))


@pytest.mark.slow
def test_the_file_is_that_of_the_address_and_of_the_data_as_they_are(logged_in, study, asked):
    for query, selection in (({}, Selection()), ({"agreement": "unanimous"}, Selection(agreement="unanimous"))):
        download(logged_in, study, "items", **query)
        _, *given = asked.pop()
        tasks.make_export(*given)
        answer = download(logged_in, study, "items", **query)
        assert answer["Content-Disposition"] == f'attachment; filename="{study.slug}-items.csv"'
        assert body(answer) == "".join(lines(export("items")(study, selection)))
    give_labels(study, [("target-6", "late", "less_likely")])
    assert "Creating:" in words(download(logged_in, study, "items"))


def test_an_address_that_fits_nothing_is_said(logged_in, study, asked):
    for query in ({"attribute": "nothing", "value": "x"}, {"run": "0"}, {"by": "nothing"}):
        assert download(logged_in, study, "items", **query).status_code == 404
    assert asked == []
    assert download(logged_in, study, "nothing").status_code == 404


@pytest.mark.slow
def test_a_plan_is_drawn_by_a_worker(logged_in, study, asked):
    planning(logged_in, study, items="20", labels="3", other="x")
    assert asked[-1][2] == "items=20&labels=3"
    plan(*asked.pop()[1:])
    answer = planning(logged_in, study, items="20", labels="3")
    assert "Can we stop collecting?" in words(answer)
    assert answer.context["planned"].plans
    assert asked == []


@pytest.mark.slow
def test_a_failure_is_said(logged_in, study, asked, monkeypatch):
    planning(logged_in, study)
    monkeypatch.setattr(reading, "read_panel", lambda *given, **named: 1 / 0)

    def report(client, study):
        return download(client, study, "report")

    for name, task, answer in (("plan", plan, planning), ("export", tasks.make_export, report)):
        answer(logged_in, study)
        given = next(one[1:] for one in asked if one[0] == name)
        with pytest.raises(ZeroDivisionError):
            task(*given)
        assert "Error: division by zero" in words(answer(logged_in, study))
