"""Changing a study without its folder: the same rules, and a file that says what is stored."""

from collections import Counter
from pathlib import Path

import pytest

from annotation.editing import EditRefused, edit, state_of
from annotation.itemfile import read_items
from annotation.loading import LoadRefused, load_study
from annotation.models import ConsentVersion, Item, Study
from annotation.studyfile import StudyFileError, tables_of
from corpus.toml_text import toml_text
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.whole import open_whole, write_whole
from tests.house.sources import ROOT
from tests.studies import plausibility_row, plausibility_rows, write_study

pytestmark = pytest.mark.django_db
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/study.toml"))


def change(study: Study, changes: dict[str, object]) -> Study:
    return edit(study, changes, seen=state_of(study, changes))


@pytest.fixture
def draft(tmp_path: Path) -> Study:
    return load_study(write_study(tmp_path / "draft", plausibility_rows(3, gold=1))).study


@pytest.fixture
def whole(tmp_path: Path) -> Study:
    return open_whole(tmp_path / "whole", page={"advance": "enter"})


def begin(study: Study) -> Bot:
    bot = Bot()
    bot.begin(study.links.get().get_absolute_url())
    return bot


class TestTheFile:
    @pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
    def test_loading_what_was_written_changes_nothing(self, folder: Path, tmp_path: Path) -> None:
        load_study(folder)
        before = list(Study.objects.values()), list(Item.objects.values())
        self.written(Study.objects.get(), folder, tmp_path)
        load_study(tmp_path)
        assert (list(Study.objects.values()), list(Item.objects.values())) == before

    def test_every_stage_stands_in_it(self, tmp_path: Path) -> None:
        study = load_study(write_whole(tmp_path / "whole")).study
        text = self.written(study, tmp_path / "whole", tmp_path)
        assert "[[comprehension.questions]]" in text
        before = list(Study.objects.values())
        load_study(tmp_path)
        assert list(Study.objects.values()) == before

    def test_an_address_taken_from_the_platform_stays_taken(self, tmp_path: Path) -> None:
        tables = {"collection": {"platform": "prolific"}, "return": {"address": ""}}
        study = load_study(write_study(tmp_path, plausibility_rows(1), slug="small", task=None, **tables)).study
        assert "address" not in study.addresses
        assert tables_of(study)["return"] == {"address": ""}
        assert tables_of(study)["collection"].keys() >= {"platform"}
        assert "id_parameter" not in tables_of(study)["collection"], "the platform says it"

    def written(self, study: Study, folder: Path, out: Path) -> str:
        study.refresh_from_db()
        text = toml_text(tables_of(study), by_lines=True)
        (out / "study.toml").write_text(text, encoding="utf-8")
        (out / "items.jsonl").write_bytes((folder / "items.jsonl").read_bytes())
        assert read_items(out / "items.jsonl", study.task)
        return text


class TestEditing:
    def test_changes_what_is_named_and_nothing_else(self, draft: Study) -> None:
        before = dict(Study.objects.values().get())
        change(draft, {"information.minutes": 6, "information.pay": "£1.20"})
        after = dict(Study.objects.values().get())
        assert {name for name in after if after[name] != before[name]} == {"stages"}
        assert Study.objects.get().stages["information"]["minutes"] == 6

    def test_a_stage_left_empty_is_taken_out(self, draft: Study) -> None:
        study = change(draft, {"debriefing.text": "Thank you."})
        study = change(study, {"debriefing.text": None})
        assert "debriefing" not in study.stages

    def test_faults_come_by_field_and_nothing_is_stored(self, draft: Study) -> None:
        questions = [{"question": "What?", "options": ["This"], "answer": "That"}]
        with pytest.raises(StudyFileError) as refused:
            change(draft, {"comprehension.questions": questions, "codes.completed": "no spaces"})
        assert [fault.field for fault in refused.value.faults] == [
            "codes.completed",
            "comprehension.questions 1.options",
        ]
        assert Study.objects.get().stages == {}

    def test_a_platform_brings_its_ids_and_its_address(self, draft: Study) -> None:
        study = change(draft, {"collection.platform": "prolific"})
        assert (study.id_parameter, study.id_required) == ("PROLIFIC_PID", True)
        assert "app.prolific.com" in study.addresses["address"]
        study = change(study, {"collection.platform": "panel"})
        assert (study.id_parameter, study.addresses) == ("id", {})

    def test_nobody_writes_over_what_they_have_not_read(self, draft: Study) -> None:
        seen = state_of(draft, ["information.pay"])
        change(draft, {"information.pay": "£1"})
        with pytest.raises(EditRefused, match="changed this since"):
            edit(draft, {"information.pay": "£2"}, seen=seen)
        assert Study.objects.get().stages["information"]["pay"] == "£1"

    def test_another_part_is_no_hindrance(self, draft: Study) -> None:
        seen = state_of(draft, ["information.pay"])
        change(draft, {"debriefing.text": "Thank you."})
        assert edit(draft, {"information.pay": "£2"}, seen=seen).stages.keys() == {"information", "debriefing"}

    def test_what_goes_with_the_items_is_not_its_business(self, draft: Study) -> None:
        with pytest.raises(KeyError, match="slug, task.type"):
            change(draft, {"task.type": "yes_no", "slug": "other"})

    def test_what_is_asked_of_items_must_be_there(self, draft: Study) -> None:
        with pytest.raises(StudyFileError) as refused:
            change(draft, {"collection.gold_per_sitting": 2, "collection.lists": "latin_square"})
        assert {fault.field for fault in refused.value.faults} == {"collection.gold_per_sitting", "collection.lists"}
        assert change(draft, {"collection.gold_per_sitting": 1}).gold_per_sitting == 1

    def test_the_number_of_labels_reaches_the_items(self, draft: Study) -> None:
        change(draft, {"collection.labels_per_item": 7})
        assert set(Item.objects.values_list("kind", "target")) == {("target", 7), ("gold", 0)}

    def test_lists_are_drawn_up_and_given_up(self, tmp_path: Path) -> None:
        rows = [plausibility_row(number, group=f"source {number % 2}") for number in range(4)]
        study = load_study(write_study(tmp_path, rows)).study
        study = change(study, {"collection.lists": "latin_square"})
        assert Counter(study.items.values_list("list_number", flat=True)) == {0: 2, 1: 2}
        study = change(study, {"collection.lists": None})
        assert set(study.items.values_list("list_number", flat=True)) == {None}


class TestOnceItIsOpen:
    def test_another_text_is_another_version_and_the_old_one_is_kept(self, whole: Study) -> None:
        before = whole.path.consent
        study = change(whole, {"consent.text": "I am 21 or older.", "consent.version": None})
        assert before is not None
        assert study.path.consent is not None
        assert study.path.consent.version != before.version
        assert set(ConsentVersion.objects.values_list("text", flat=True)) == {before.text, "I am 21 or older."}

    def test_a_version_keeps_its_text(self, whole: Study) -> None:
        study = change(whole, {"consent.version": "1"})
        with pytest.raises(LoadRefused, match="version 1 of its"):
            change(study, {"consent.text": "I am 21 or older."})
        assert "18 or older" in Study.objects.get().stages["consent"]["text"]

    def test_the_policy_stays_as_it_was_hashed(self, whole: Study) -> None:
        before = Study.objects.values_list("policy_hash", "opened_at", "state", "content_hash").get()
        change(whole, {"instructions": "Read **both** sentences."})
        assert Study.objects.values_list("policy_hash", "opened_at", "state", "content_hash").get() == before

    @pytest.mark.parametrize("path", ["quality.max_attention_failures", "collection.labels_per_item"])
    def test_no_rule_changes(self, whole: Study, path: str) -> None:
        before = Study.objects.values().get()
        with pytest.raises(LoadRefused, match="has opened, so"):
            change(whole, {path: 9})
        assert Study.objects.values().get() == before

    def test_who_is_asked_for_consent_is_not_left_without(self, whole: Study) -> None:
        begin(whole)
        with pytest.raises(LoadRefused, match="reworded but not removed"):
            change(whole, {"consent.text": None})

    def test_before_anybody_has_begun_consent_may_go(self, whole: Study) -> None:
        assert "consent" not in change(whole, {"consent.text": None}).stages

    def test_by_what_people_are_known_stays(self, whole: Study) -> None:
        begin(whole)
        with pytest.raises(LoadRefused, match="platform and id_parameter cannot change. People have started, and"):
            change(whole, {"collection.platform": "prolific"})

    def test_a_file_is_held_to_the_same(self, whole: Study, tmp_path: Path) -> None:
        begin(whole)
        with pytest.raises(LoadRefused, match="platform and id_parameter cannot change"):
            load_study(write_whole(tmp_path / "again", collection={"platform": "prolific"}))


def test_numbers_are_held_to_the_items_whatever_is_changed(tmp_path: Path) -> None:
    rows = [plausibility_row(number, attributes={"mean": "1.5", "by": "hand"}) for number in (1, 2, 3)]
    study = load_study(write_study(tmp_path / "n", rows, slug="n", results={"numbers": ["mean"]})).study
    assert change(study, {"collection.labels_per_item": 7}).labels_per_item == 7
    for name, why in (("length", "but no item has it"), ("by", "not a number")):
        with pytest.raises(StudyFileError, match=why):
            change(Study.objects.get(), {"results.numbers": [name]})
