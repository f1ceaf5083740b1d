"""One correct answer for all regular items of a draft: set, taken back, and refused where something would be lost."""

import pytest

from annotation.drafting.items import DraftRefused, common_answer, set_common_answer
from annotation.itemfile import ItemRow
from annotation.lifecycle.folder import study_hash
from annotation.lifecycle.status import open_study
from annotation.loading import load_study
from annotation.models import Act, Study
from tests.studies import write_study

pytestmark = pytest.mark.django_db
TASK = {"type": "forced_choice", "question": "Which is right?", "options": ["good", "bad"]}


def pairs(*references: str | None) -> list[ItemRow]:
    rows = [
        ItemRow(f"pair-{n}", {"options": {"good": f"He eats {n}.", "bad": f"He eat {n}."}}, reference=one)
        for n, one in enumerate(references)
    ]
    check = ItemRow("check", {"options": {"good": "Choose the other.", "bad": "This."}}, "gold", "bad")
    return [*rows, check]


def load(folder, *references: str | None) -> Study:
    return load_study(
        write_study(folder, pairs(*references), slug="pairs", task=TASK, quality={"gold_distance": 1})
    ).study


def references(study: Study) -> dict[str, str | None]:
    return dict(study.items.values_list("external_id", "reference"))


def test_an_option_is_correct_in_every_item_as_if_the_file_had_said_so(tmp_path):
    study = load(tmp_path / "draft", None, None)
    before = study_hash(study)
    assert common_answer(study) == ""
    study = set_common_answer(study, "good")
    assert references(study) == {"pair-0": "good", "pair-1": "good", "check": "bad"}
    loaded = load_study(
        write_study(tmp_path / "file", pairs("good", "good"), slug="pairs", task=TASK, quality={"gold_distance": 1})
    )
    assert (loaded.changed, loaded.added) == (0, 0)
    assert study_hash(loaded.study) == study_hash(study)
    study = set_common_answer(study, "")
    assert study_hash(study) == before
    kept = Act.objects.filter(deed="correct answer set").order_by("pk")
    assert [(act.subject, act.facts) for act in kept] == [("good", {"items": 2}), ("none", {"items": 2})]


def test_the_same_again_is_no_deed(tmp_path):
    study = load(tmp_path / "draft", "good", "good")
    set_common_answer(study, "good")
    assert not Act.objects.filter(deed="correct answer set").exists()


def test_different_answers_stay(tmp_path):
    study = load(tmp_path / "draft", "good", None)
    assert common_answer(study) is None
    with pytest.raises(DraftRefused, match="different correct answers"):
        set_common_answer(study, "bad")
    assert references(study)["pair-1"] is None


def test_an_open_study_and_an_unknown_option_are_refused(tmp_path):
    study = load(tmp_path / "draft", None, None)
    with pytest.raises(DraftRefused, match="no such option"):
        set_common_answer(study, "best")
    open_study(study)
    with pytest.raises(DraftRefused, match="has opened"):
        set_common_answer(study, "good")
