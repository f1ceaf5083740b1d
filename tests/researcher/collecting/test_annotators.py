"""The page of annotators: who stands out, and whom a reader asks for."""

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.models import Annotator, Judgment, Sitting
from annotation.quality.exclusion import exclude_by_hand
from comparison.frame.cache.gathered import read_one
from researcher.collecting.annotators import EXCLUDED, REVIEW, WithOthers, read_annotators
from researcher.collecting.totals import read_collected
from researcher.studies.current_figures import read_raters_shown
from tests.comparison.cast import START, give_labels
from tests.studies import open_small_study, plausibility_row

LABELS = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")
ITEMS, CAREFUL = 40, 4


@pytest.fixture
def odd_one_out(db, tmp_path):
    """Four people who agree on forty items, and one who is two steps off on most of them."""
    study = open_small_study(tmp_path / "odd", [plausibility_row(number) for number in range(1, ITEMS + 1)])
    said = []
    for number in range(1, ITEMS + 1):
        own = LABELS[number % 5]
        said += [(f"target-{number}", f"p{place}", own) for place in range(CAREFUL)]
        said.append((f"target-{number}", "odd", own if number % 3 == 0 else LABELS[(number + 2) % 5]))
    give_labels(study, said)
    return study


def shown(study, **asked):
    others = WithOthers.of(read_raters_shown(study, read_one(study)))
    given = read_collected(study)
    return read_annotators(study, given.work, others, hasty=given.hasty, **asked)


def hurry(study, *names: str) -> list[str]:
    """They answer in a tenth of a second; how the pages call them."""
    Judgment.objects.filter(assignment__annotator__external_id__in=names).update(response_ms=100)
    return list(study.annotator_numbers.names(Annotator.objects.filter(external_id__in=names)).values())


@pytest.mark.slow
def test_who_differs_from_the_others_comes_first_and_is_named(odd_one_out, researcher, client):
    page = shown(odd_one_out)
    (worst,) = page.review
    assert page.rows[0].name == worst.name
    assert worst.with_others.value == pytest.approx(13 / ITEMS)
    assert [chip.count for chip in page.chips] == [5, 5, 1, 0]
    client.force_login(researcher)
    html = client.get(reverse("annotators", args=[odd_one_out.slug])).content.decode()
    assert f"<b>{worst.name}</b> agrees with the others least" in " ".join(html.split())


@pytest.mark.slow
def test_only_who_is_asked_for_is_shown(odd_one_out):
    (worst,) = shown(odd_one_out, shows=REVIEW).rows
    assert worst.is_outlier
    assert not list(shown(odd_one_out, shows=EXCLUDED).rows)
    assert len(shown(odd_one_out, shows="nonsense").rows) == 5


@pytest.mark.slow
def test_who_is_excluded_is_no_longer_to_review(odd_one_out):
    (worst,) = shown(odd_one_out).review
    exclude_by_hand(odd_one_out, worst.annotator, reason="turned the scale round", by="judge")
    page = shown(odd_one_out)
    assert page.review == ()
    assert [chip.count for chip in page.chips] == [5, 4, 0, 1]
    (excluded,) = shown(odd_one_out, shows=EXCLUDED).rows
    assert excluded.name == worst.name
    assert excluded.mark is None


@pytest.mark.slow
def test_who_is_too_fast_to_have_read_is_to_review(odd_one_out, researcher, client):
    first, second = hurry(odd_one_out, "p0", "p1")
    page = shown(odd_one_out)
    assert {row.name for row in page.rows if row.is_hasty} == {first, second}
    assert [chip.count for chip in page.chips] == [5, 5, 3, 0]
    assert page.too_fast == 2
    client.force_login(researcher)
    html = client.get(reverse("annotators", args=[odd_one_out.slug])).content.decode()
    assert "<b>2 annotators</b> typically answered in under" in html
    assert html.count("too fast to have read</small>") == 2
    to_do = " ".join(client.get(reverse("study", args=[odd_one_out.slug])).content.decode().split())
    assert f"Review {first} and {second}</a>" in to_do
    assert "too fast to have read the items: typically under 1.1 s" in to_do
    exclude_by_hand(odd_one_out, Annotator.objects.get(external_id="p0"), reason="did not read", by="judge")
    assert shown(odd_one_out).too_fast == 1
    to_do = " ".join(client.get(reverse("study", args=[odd_one_out.slug])).content.decode().split())
    assert f"Review {second}</a>" in to_do


@pytest.mark.slow
def test_nobody_is_too_fast_who_answers_as_people_do(odd_one_out, researcher, client):
    assert read_collected(odd_one_out).hasty == frozenset()
    client.force_login(researcher)
    assert "too fast" not in client.get(reverse("study", args=[odd_one_out.slug])).content.decode()


@pytest.mark.slow
def test_an_hourly_rate_that_cannot_be_is_marked(odd_one_out, researcher, client):
    started = Sitting.objects.filter(study=odd_one_out).order_by("pk")
    started.update(finished_at=START, started_at=START - timedelta(minutes=10))
    Sitting.objects.filter(pk=started[0].pk).update(started_at=START - timedelta(seconds=4))
    client.force_login(researcher)
    html = client.get(reverse("payment", args=[odd_one_out.slug]), {"pay": "2.00"}).content.decode()
    assert html.count("too fast to have read") == 1


@pytest.mark.slow
def test_payment_and_annotators_name_the_same_people(odd_one_out, researcher, client):
    """By times of answers, and of whole batches where a browser without JavaScript measured none."""
    names = hurry(odd_one_out, "p0", "p1")
    unmeasured = Judgment.objects.filter(assignment__annotator__external_id="p1")
    unmeasured.update(response_ms=None)
    Sitting.objects.filter(study=odd_one_out).update(started_at=START - timedelta(hours=1), last_answer_at=START)
    unmeasured_sitting = Sitting.objects.filter(study=odd_one_out, annotator__external_id="p1")
    unmeasured_sitting.update(started_at=START - timedelta(seconds=4), finished_at=START)
    assert {*odd_one_out.annotator_numbers.names(read_collected(odd_one_out).hasty).values()} == {*names}
    client.force_login(researcher)
    page = client.get(reverse("payment", args=[odd_one_out.slug]), {"pay": "2.00"}).context["page"]
    assert {line.name for line in page.lines if line.too_fast} == {*names}


@pytest.mark.slow
def test_nobody_stands_out_where_nothing_was_computed_yet(odd_one_out):
    page = read_annotators(odd_one_out, read_collected(odd_one_out).work, WithOthers.of(None))
    assert page.review == ()
    assert all(row.mark is None for row in page.rows)
