"""Results of a study in which nothing can be compared: what will be there, and one step towards it."""

import pytest
from django.urls import reverse

from tests.comparison.cast import give_run
from tests.comparison.page.visiting import page, words


def actions(response, study):
    """Where its buttons lead that are there for what is missing."""
    html = response.content.decode().partition('class="ghosts gap"')[2].partition("</section>")[0]
    named = {"runs": "runs_new", "links": "links"}
    return [name for name, at in named.items() if f'class="button" href="{reverse(at, args=[study.slug])}"' in html]


def test_without_labels_and_runs_there_is_one_step(logged_in, bare_study):
    response = page(logged_in, bare_study)
    assert "Nothing to compare yet. A verdict needs labels or references, and at least one model run." in words(
        response
    )
    assert "No model has answered these items yet." in words(response)
    assert actions(response, bare_study) == ["runs"]
    assert actions(page(logged_in, bare_study, "models"), bare_study) == ["runs"]
    assert "No labels yet. Agreement of people" in words(page(logged_in, bare_study, "people"))


@pytest.mark.slow
def test_with_labels_and_no_run_it_is_to_start_runs(logged_in, study):
    study.runs.all().delete()
    response = page(logged_in, study)
    assert actions(response, study) == ["runs"]
    assert "Label distribution" in words(response), "what is known of people stands below"
    assert actions(page(logged_in, study, "models"), study) == ["runs"]


@pytest.mark.slow
def test_with_runs_and_no_label_it_is_to_invite_annotators(logged_in, bare_study):
    scale = bare_study.task.scale.values
    give_run(
        bare_study,
        [(item.external_id, scale[0], None, "") for item in bare_study.items.filter(kind="target")],
        key="owl",
    )
    assert actions(page(logged_in, bare_study), bare_study) == ["links"]
    board = page(logged_in, bare_study, "models")
    assert "There are no valid labels and no references to compare runs with." in words(board)
    bare_study.state = "draft"
    bare_study.save(update_fields=["state"])
    assert "Open the study" in words(page(logged_in, bare_study))


@pytest.mark.slow
def test_where_runs_can_be_compared_nothing_of_it_stands(logged_in, study):
    assert 'class="ghosts' not in page(logged_in, study).content.decode()
