"""A row of the list: where its marks stand, and what is said in 40 letters."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Study
from comparison.statistics.estimate import Estimate
from researcher.studies.glance import LONGEST, Band, agreement, models, read_rows, shortened
from researcher.studies.list import StudyLine, read_lines


@pytest.fixture
def line(study) -> StudyLine:
    return read_lines([study])[0]


def with_verdict(line, **changed):
    return replace(line, standing=replace(line.standing, verdict=replace(line.standing.verdict, **changed)))


def with_alpha(line, found):
    return with_verdict(line, people=replace(line.standing.verdict.people, alpha=found, alike=None))


def nearest(line, count, *, beside, figure=".90 [.80, .95]", share_in=1.0, measure="accuracy"):
    """`count` models that may be nearest, each this far beside one annotator."""
    [one] = line.standing.verdict.runs.models
    placed = tuple(
        replace(one, name=f"m{place} · label", over_chance=0.0, beside=beside, nearest=True) for place in range(count)
    )
    verdict = line.standing.verdict
    runs, labels = replace(verdict.runs, placed=placed), replace(verdict.labels, share_in=share_in)
    return with_verdict(line, runs=runs, labels=labels, who="m0", figure=figure, measure=measure)


@pytest.mark.slow
def test_agreement_stands_on_0_to_1_with_both_marks(line):
    found = agreement(with_alpha(line, Estimate(0.72, 0.69, 0.75, n=90)))
    assert (found.words, found.rules) == ("α .72 [.69, .75]", ("66.7%", "80%"))
    [dot] = found.dots
    assert (dot.at, dot.low, dot.high, dot.is_hollow) == ("72%", "69%", "75%", False)
    below = agreement(with_alpha(line, Estimate(-0.2, -0.4, 0.1, n=90)))
    assert (below.dots[0].at, below.dots[0].low, below.dots[0].high) == ("0%", "0%", "10%")


@pytest.mark.slow
def test_agreement_that_is_undefined_has_no_line_and_says_why(line):
    found = agreement(with_alpha(line, Estimate.none("only one label was used")))
    assert (found.words, found.small, found.dots) == ("Undefined", "only one label was used", ())


@pytest.mark.slow
def test_without_labels_that_count_there_is_no_agreement(line):
    unlabeled = replace(line, standing=replace(line.standing, has_labels=False))
    assert agreement(unlabeled).words == "No labels yet"
    assert agreement(replace(unlabeled, none_valid="all excluded")).words == "All excluded"


@pytest.mark.slow
def test_minimal_pairs_show_the_coefficient_that_fits_them(line):
    people = replace(line.standing.verdict.people, alike=Estimate(0.66, 0.61, 0.72, n=90))
    assert agreement(with_verdict(line, people=people)).words == "BP κ .66 [.61, .72]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "beside", "share_in", "brief"),
    [
        (1, Estimate(-0.2, -0.3, -0.1, n=40), 1.0, "m0 nearest, below one annotator"),
        (2, Estimate(-0.2, -0.3, -0.1, n=40), 1.0, "Two tied, below one annotator"),
        (2, Estimate(-0.2, -0.3, 0.1, n=40), 1.0, "Two tied, .90 [.80, .95]"),
        (7, Estimate.none("no other labels"), 0.5, "Seven tied, .90 [.80, .95], so far"),
    ],
)
def test_the_nearest_are_said_in_few_words(line, count, beside, share_in, brief):
    found = models(nearest(line, count, beside=beside, share_in=share_in))
    assert (found.short, len(found.dots)) == (brief, count)
    assert ".90 [.80, .95]" in found.words
    assert bool(found.dots[0].low) == (count == 1)


@pytest.mark.slow
def test_words_are_never_longer_than_there_is_room(line):
    long = nearest(line, 1, beside=Estimate.none("no other labels"))
    [one] = long.standing.verdict.runs.models
    runs = replace(long.standing.verdict.runs, placed=(replace(one, name="a model with a long name indeed · causal"),))
    assert len(models(with_verdict(long, runs=runs)).short) <= LONGEST
    assert len(shortened("word " * 30)) <= LONGEST


@pytest.mark.slow
def test_where_no_model_is_near_the_best_is_hollow(line):
    [dot] = models(line).dots
    assert dot.is_hollow
    assert models(line).short.startswith("None ")


@pytest.mark.slow
def test_the_bar_is_the_higher_of_chance_and_constant(line):
    runs = line.standing.verdict.runs
    assert runs.constant is not None
    assert models(line).rules == (f"{100 * max(runs.chance, runs.constant.value):g}%",)
    alone = with_verdict(line, runs=replace(runs, constant=None, chance=0.25))
    assert models(alone).rules == ("25%",)


@pytest.mark.slow
def test_one_annotator_is_a_band_as_wide_as_its_interval(line):
    runs = line.standing.verdict.runs
    band = models(with_verdict(line, runs=replace(runs, person=Estimate(0.9, 0.85, 0.95, n=40)))).band
    assert band == Band("85%", "10%", "one annotator")
    end = models(with_verdict(line, runs=replace(runs, person=Estimate(1.0, n=40)))).band
    assert end == Band("99%", "1%", "one annotator")
    assert models(with_verdict(line, runs=replace(runs, person=Estimate.none("too few")))).band is None
    of_ratings = models(
        with_verdict(line, runs=replace(runs, person=Estimate(0.9, 0.85, 0.95, n=40)), measure="spearman")
    )
    assert of_ratings.band == Band("85%", "10%", "people, split halves")


@pytest.mark.slow
def test_a_distance_in_steps_has_no_place_on_the_line(line):
    assert models(nearest(line, 1, beside=Estimate.none("none"), measure="distance")).dots == ()


@pytest.mark.slow
def test_without_runs_and_with_runs_in_progress(line):
    bare = with_verdict(line, runs=replace(line.standing.verdict.runs, placed=(), strengths=()))
    assert models(replace(bare, has_runs=False)).short == "No runs yet"
    assert models(replace(bare, live_runs=2)).short == "2 runs in progress"
    assert models(replace(bare, live_runs=0)).short == "Not comparable yet"
    assert models(replace(bare, standing=None)).short == "Computing…"


@pytest.mark.slow
def test_what_happened_last_comes_first(study, draft, checked):
    """A study where nothing has happened stands by when it was made."""
    now = timezone.now()
    Study.objects.filter(pk=draft.pk).update(created_at=now + timedelta(hours=2))
    lines = read_lines(Study.objects.all())
    moved = [replace(one, last_activity=now + timedelta(hours=1)) if one.study == study else one for one in lines]
    assert [row.line.study.slug for row in read_rows(moved, editable=set())] == ["draft", "small", "checked"]


@pytest.mark.slow
def test_a_draft_opens_at_its_setup_for_those_who_may_edit_it(study, draft):
    lines = read_lines(Study.objects.all())
    assert {row.line.study.slug: row.opens for row in read_rows(lines, editable={study.pk, draft.pk})} == {
        "small": "study",
        "draft": "setup",
    }
    assert {row.opens for row in read_rows(lines, editable=set())} == {"study"}
