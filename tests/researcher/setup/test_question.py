"""What is asked can be reworded on a draft, beside the item as annotators see it, and is locked once it is open."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils import timezone

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.editing import edit, state_of
from annotation.itemfile import ItemRow
from annotation.lifecycle.status import open_study
from annotation.loading import LoadRefused, load_study
from annotation.models import Study
from annotation.studyfile import TASK, StudyFileError, tables_of
from annotation.tasktypes import TASK_TYPES, task_type
from tests.comparison.cast import give_run
from tests.researcher.setup.pages import at, post, stored, text
from tests.studies import write_study

# What each setting of a task can be changed to; a name of an option cannot.
OTHERS: Mapping[str, Any] = {"question": "How natural is it?", "points": 5, "low": "Odd", "high": "Fine"}


def draft_of(folder: Any, key: str, *, reference: str | None = None) -> Study:
    kind = task_type(key)
    rows = [
        ItemRow(id="one", content=kind.example, reference=reference),
        ItemRow(id="two", content=kind.example),
    ]
    task = {"type": key, **kind.example_settings}
    return load_study(write_study(folder, rows, task=task, quality={"gold_distance": 1})).study


def change(study: Study, **settings: Any) -> Study:
    changes = {f"task.{name}": value for name, value in settings.items()}
    return edit(study, changes, seen=state_of(study, changes))


@pytest.mark.parametrize("key", TASK_TYPES)
def test_every_setting_of_a_task_is_changed_on_its_page(client, tmp_path, key):
    study = draft_of(tmp_path, key)
    typed = {name: value for name, value in OTHERS.items() if name in study.task.settings}
    page = client.get(at(study, "question"))
    assert page.status_code == 200
    assert study.task.question in text(page)
    if not typed:
        assert "The question and options of this task type are fixed." in text(page)
        Study.objects.update(state="open", opened_at=timezone.now())
        assert "Changes apply from now on" not in text(client.get(at(study, "question"))), "there is nothing to change"
        return
    answer = post(client, at(study, "question"), **{f"task__{name}": value for name, value in typed.items()})
    assert answer.status_code == 302
    said = tables_of(stored(study))["task"]
    assert said == {"type": key, **task_type(key).example_settings, **typed}


def test_all_settings_of_tasks_have_a_case():
    assert TASK.keys() == {*OTHERS, "options"}


def test_the_item_beside_it_shows_what_was_typed_and_nothing_is_saved(client, tmp_path):
    study = draft_of(tmp_path, "rating")
    typed = {"task__question": "How <odd> is it?", "task__points": "4", "task__low": "Odd", "task__high": "Fine"}
    page = text(post(client, at(study, "question"), show="1", **typed))
    beside = page[page.index('id="as-read"') :]
    assert "How <odd> is it?" in beside
    assert "<li>4 <bdi" in beside and "<li>5" not in beside
    assert "The chef tasted the soup." in beside
    assert stored(study).task_settings["points"] == 7


def test_what_is_wrong_stands_under_its_field(client, tmp_path):
    study = draft_of(tmp_path, "rating")
    typed = {"task__question": "", "task__points": "11", "task__low": "Odd", "task__high": "x" * 61}
    answer = post(client, at(study, "question"), **typed)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert "Must be a whole number from 2 to 10" in form["task__points"].errors[0]
    assert form["task__question"].errors and form["task__high"].errors
    assert "Much less plausible" in text(answer), "the item is shown as it is stored"


def test_a_scale_keeps_the_points_that_items_have_as_their_reference(db, tmp_path):
    study = draft_of(tmp_path, "rating", reference="6")
    with pytest.raises(StudyFileError, match=r"would remove answers that 1 item has as the reference"):
        change(study, points=5)
    assert change(study, points=6).task_settings["points"] == 6


def test_an_option_is_not_renamed_since_the_items_name_it(client, tmp_path):
    study = draft_of(tmp_path, "forced_choice")
    with pytest.raises(StudyFileError, match=r"cannot be renamed, added or removed"):
        change(study, options=["booster", "negation"])
    page = client.get(at(study, "question"))
    assert page.context["form"]["task__options"].field.disabled
    assert "Names of the option columns." in text(page)


def test_points_wait_for_the_runs_to_go(client, tmp_path):
    study = draft_of(tmp_path, "rating")
    give_run(study, [("one", "3", None, "")], key="parrot", family="classifier")
    assert client.get(at(study, "question")).context["form"]["task__points"].field.disabled


def test_it_is_locked_once_the_study_has_opened(client, researcher, tmp_path):
    study = draft_of(tmp_path, "rating")
    open_study(study)
    page = client.get(at(study, "question"))
    assert all(field.field.disabled for field in page.context["form"].own)
    assert text(page).count("Locked since ") == 4
    assert "Save changes" not in text(page)
    assert studies_for(researcher, Right.EDIT).get().task.question in text(page)
    with pytest.raises(LoadRefused, match="has opened, so question"):
        change(study, question="Is it odd?")


@pytest.mark.slow
def test_instructions_that_quote_the_question_quote_the_new_one(client, tmp_path):
    study = draft_of(tmp_path, "rating")
    asked = study.task.question
    edit(study, {"instructions": f"You will be asked: {asked}\n"}, seen=state_of(study, ["instructions"]))
    typed = {f"task__{name}": value for name, value in OTHERS.items() if name in study.task.settings}
    post(client, at(study, "question"), **typed)
    assert "The instructions quote the new question." in text(client.get(at(study, "question")))
    assert stored(study).instructions == "You will be asked: How natural is it?"
    change(stored(study), question="Is it odd?")
    assert stored(study).instructions == "You will be asked: Is it odd?"
