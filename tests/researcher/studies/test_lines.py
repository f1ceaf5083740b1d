"""What the list of studies and the table of runs say in words of a line."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Study
from researcher.studies.list import read_lines
from researcher.studies.runs import RunLine, read_runs
from scoring.models import LanguageModel, Run


@pytest.fixture
def line(study):
    return read_lines([study])[0]


@pytest.fixture
def run_line(study) -> RunLine:
    return read_runs(study)[0]


@pytest.mark.slow
def test_what_a_model_is_near_to_names_who_labeled(line):
    assert line.held_against == "people"
    line.study.population = Study.Population.SYNTHETIC
    assert line.held_against == "the synthetic labels"
    assert replace(line, standing=replace(line.standing, against_people=False)).held_against == "the reference"


@pytest.mark.slow
def test_the_list_names_none_where_none_is_told_from_chance(line):
    """Four items, on which labels in any other order are often as right."""
    assert line.standing.verdict.short == "none can be called near: people not shown to agree"
    assert line.nearest_value == 1.0, "so that the list can be sorted"


@pytest.mark.slow
def test_how_fast_a_run_goes_is_of_what_it_has_done_since_it_went_on(study):
    """Of 850 items done 700 were before it was stopped: 150 in 5 seconds."""
    run = study.runs.earliest("pk")
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(
        state="running", started_at=now - timedelta(seconds=5), total=2_000, scored=850, unscored=0, done_before=700
    )
    (line,) = (one for one in read_runs(study) if one.run.pk == run.pk)
    assert line.per_second is not None
    assert line.per_second == pytest.approx(30, rel=0.1)
    assert line.left == f"about {round(1_150 / line.per_second)} s left"
    Run.objects.filter(pk=run.pk).update(done_before=850)
    (line,) = (one for one in read_runs(study) if one.run.pk == run.pk)
    assert (line.per_second, line.left) == (None, "")


@pytest.mark.slow
def test_a_run_says_what_went_wrong(run_line):
    assert run_line.remark == ""
    run_line.run.scored, run_line.run.unscored = 0, 4
    assert run_line.remark == "no item could be scored"
    run_line.run.error = "It broke"
    assert run_line.remark == "It broke"


@pytest.mark.parametrize(
    ("state", "goes_on"), [("stopped", True), ("failed", True), ("finished", False), ("running", False)]
)
def test_a_run_that_was_stopped_or_failed_can_go_on_unless_it_was_imported(state, goes_on):
    run = Run(state=state, model=LanguageModel(name="m"))
    assert RunLine(run, None).can_go_on == goes_on
    run.model.is_imported = True
    assert not RunLine(run, None).can_go_on
