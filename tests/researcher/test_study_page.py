"""The study page: what it shows at each stage, and what it costs."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Judgment
from annotation.simulation import simulate
from researcher.collecting.annotators import WithOthers, read_annotators
from researcher.collecting.totals import read_collected, read_collection
from researcher.collecting.verdicts import read_verdicts

pytestmark = pytest.mark.slow


def text_of(client, study, page="study"):
    return " ".join(client.get(reverse(page, args=[study.slug])).content.decode().split())


def test_a_draft_says_what_opening_locks(client, draft):
    page = text_of(client, draft, "setup")
    assert "Opening locks" in page
    assert "No rule excludes anyone." in page


def test_a_draft_says_what_comes_next(client, draft):
    page = text_of(client, draft)
    for step in ("Finish setup", "Open and share the link", "Start runs", "No answers yet"):
        assert step in page
    assert "No one is excluded." in text_of(client, draft, "annotators")


def test_the_tiles_say_how_far_it_is(client, study):
    page = text_of(client, study)
    for said in (
        "12 of 12",
        "4 of 4 items complete",
        "3 submissions, 0 in progress",
        "Krippendorff’s α, ordinal",
        "n = 4",
    ):
        assert said in page


def test_no_page_shows_a_number_that_does_not_exist(client, draft, checked, study):
    for one in (draft, checked, study):
        for name in ("study", "annotators", "links", "bring_in"):
            # Whole words: a form's token is of random letters.
            words = re.findall(r"\w+", text_of(client, one, name).replace("None turned away", ""))
            assert not {"NaN", "None"} & {*words}


def test_annotators_are_listed_with_checks_and_speed(checked):
    given = read_collected(checked)
    rows = {row.annotator.profile: row for row in read_annotators(checked, given.work, WithOthers()).rows}
    careful, careless = rows["careful"], rows["careless"]
    assert (careful.work.labels, careful.work.counted, careful.work.failed) == (6, 6, 0)
    assert (careful.gold.answered, careful.gold.near) == (2, 2)
    assert careless.is_excluded
    assert (careless.work.counted, careless.work.passed) == (0, 0)
    assert (careless.work.seconds or 0) < (careful.work.seconds or 0)


def test_the_table_says_how_many_checks_were_passed(client, checked):
    page = text_of(client, checked, "annotators")
    assert "0 of 2" in page


def test_label_use_adds_up_to_the_labels(checked):
    work = read_collected(checked).work
    assert all(sum(one.used) == one.labels for one in work.values())
    (row, *_) = read_annotators(checked, work, WithOthers()).rows
    assert row.label_use is not None
    assert row.label_use.said.startswith(row.name)


def test_a_verdict_shows_what_was_asked_and_answered(client, checked):
    (verdict,) = read_verdicts(checked)
    assert verdict.because == "2 of 2 attention checks failed; the limit is 0"
    assert {check.expected for check in verdict.checks} == {"Impossible"}
    assert all(check.answered != "Impossible" for check in verdict.checks)
    assert verdict.because in text_of(client, checked)
    page = text_of(client, checked, "annotators")
    assert verdict.because in page
    assert "lamp number" in page


def test_labels_by_day_add_up(checked):
    (day,) = read_collection(checked).days
    assert (day.labels, day.counted) == (12, 6)


def test_synthetic_annotators_are_marked(client, checked):
    assert "Labels made by a program." in text_of(client, checked)
    page = text_of(client, checked, "annotators")
    assert '<span class="badge synthetic">careless</span>' in page


def test_every_download_and_the_comparison_are_linked(client, study):
    assert reverse("results", args=[study.slug]) in text_of(client, study)
    page = client.get(reverse("results", args=[study.slug, "export"])).content.decode()
    for what in ("judgments", "scores", "items", "report"):
        address = reverse("export", args=[study.slug, what])
        assert address in page
        assert client.get(address).status_code == 200


def test_the_number_of_queries_does_not_grow_with_annotators(client, checked):
    def queries():
        with CaptureQueriesContext(connection) as caught:
            client.get(reverse("study", args=[checked.slug]))
        return len(caught)

    client.get(reverse("study", args=[checked.slug]))
    few = queries()
    simulate(checked, counts={"careful": 1, "careless": 4}, seed=2)
    client.get(reverse("study", args=[checked.slug]))
    assert queries() == few


def test_there_is_no_inline_style_or_script(client, checked):
    page = text_of(client, checked)
    assert " style=" not in page
    assert "<script>" not in page
    assert " onclick=" not in page


def test_answers_without_a_response_time_are_counted(client, study):
    """Of people without JavaScript nobody knows how long they took."""
    timed = Judgment.objects.order_by("pk")
    timed.update(response_ms=4_000)
    assert "no time" not in text_of(client, study)
    Judgment.objects.filter(pk__in=[one.pk for one in timed[:5]]).update(response_ms=None)
    assert "5 answers have no time" in text_of(client, study)
