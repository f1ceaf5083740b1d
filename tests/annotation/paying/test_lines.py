"""What a sitting brings along when its payment is decided."""

from pathlib import Path

import pytest

from annotation.assignment import finish
from annotation.models import Study
from annotation.paying.lines import read_lines
from annotation.paying.queue import queue, to_approve
from annotation.platforms import Outcome
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import open_whole

pytestmark = pytest.mark.django_db


def codes(study: Study) -> list[str]:
    """The newest first."""
    return [line.code for line in read_lines(study, list(queue(study).select_related("annotator")), pay=None)]


@pytest.mark.slow
def test_the_code_is_the_one_that_was_shown(study, come):
    finish(come(1, answers=1), Outcome.SCREENED_OUT)
    finish(come(2, answers=1), Outcome.WITHDRAWN)
    come(3)
    come(4, answers=1)
    study.codes = {"completed": "DONE", "screened_out": "OUT"}
    assert codes(study) == ["", "DONE", "", "OUT"]


def test_without_the_platforms_codes_it_is_the_sittings_own(study, come):
    assert codes(study) == []
    sitting = come(1)
    assert codes(study) == [sitting.completion_code]


def test_codes_take_no_query_of_their_own(study, come, django_assert_num_queries):
    come(1)
    lines = read_lines(study, list(queue(study).select_related("annotator")), pay=None)
    with django_assert_num_queries(0):
        assert lines[0].code


def test_practice_is_no_answer(tmp_path: Path) -> None:
    study = open_whole(tmp_path / "whole")
    walker = Walker()
    walker.reaches_items(study.links.get().get_absolute_url())
    walker.practices()
    [line] = read_lines(study, list(queue(study).select_related("annotator")), pay=None)
    assert (line.answered, line.offered, line.measured) == (0, 3, 0)
    finish(line.sitting, Outcome.COMPLETED)
    assert not to_approve(study).exists(), "nobody is paid for practice alone"
