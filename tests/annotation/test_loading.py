"""Loading: all or nothing, twice is once, and labels protect what they were given for."""

from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from annotation.assignment import start
from annotation.itemfile import ItemRow
from annotation.loading import LoadRefused, load_study
from annotation.models import Item, Study
from annotation.recording import record
from annotation.studyfile import StudyFileError
from tests.studies import open_small_study, person, plausibility_row, plausibility_rows, write_study

pytestmark = pytest.mark.django_db


def test_a_study_and_its_items_and_a_link_are_stored(tmp_path):
    loaded = load_study(write_study(tmp_path, plausibility_rows(4, gold=1)))
    assert str(replace(loaded, added=1)) == "small: 1 item added, 0 changed, 0 unchanged"
    assert (loaded.added, loaded.changed, loaded.unchanged) == (5, 0, 0)
    assert loaded.study.state == Study.State.DRAFT
    assert loaded.study.links.count() == 1
    assert list(loaded.study.items.values_list("need", flat=True)) == [3, 3, 3, 3, 0]


def test_loading_again_changes_nothing(tmp_path):
    folder = write_study(tmp_path, plausibility_rows(4))
    load_study(folder, open_study=True)
    before = list(Item.objects.values()), list(Study.objects.values())
    loaded = load_study(folder)
    assert (loaded.added, loaded.changed, loaded.unchanged) == (0, 0, 4)
    assert (list(Item.objects.values()), list(Study.objects.values())) == before


def test_changed_settings_are_said(tmp_path):
    load_study(write_study(tmp_path, plausibility_rows(3)))
    folder = write_study(tmp_path, plausibility_rows(3), collection={"sitting_length": 7})
    assert str(load_study(folder)) == "small: settings changed; 0 items added, 0 changed, 3 unchanged"
    assert str(load_study(folder)) == "small: 0 items added, 0 changed, 3 unchanged"


def test_a_bad_file_leaves_nothing_behind(tmp_path):
    folder = write_study(tmp_path, plausibility_rows(2))
    (folder / "items.jsonl").open("a").write("{broken\n")
    with pytest.raises(CommandError, match="line 3: is not JSON"):
        call_command("load_study", str(folder))
    assert not Study.objects.exists()
    assert not Item.objects.exists()


def test_items_can_be_added_and_changed_before_anyone_has_seen_them(tmp_path):
    load_study(write_study(tmp_path, plausibility_rows(2)))
    rows = [plausibility_row(1, reference="impossible"), plausibility_row(2), plausibility_row(3)]
    loaded = load_study(write_study(tmp_path, rows))
    assert (loaded.added, loaded.changed, loaded.unchanged) == (1, 1, 1)
    assert Item.objects.get(external_id="target-1").reference == "impossible"


def test_an_item_that_has_been_shown_cannot_change(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1))
    record(start(study, person("ann")), 1, "impossible")
    with pytest.raises(LoadRefused, match="have been shown to annotators and cannot change: target-1"):
        load_study(write_study(tmp_path, [plausibility_row(1, reference="impossible")]))


def test_items_cannot_vanish(tmp_path):
    load_study(write_study(tmp_path, plausibility_rows(2)))
    with pytest.raises(LoadRefused, match="missing from the file: target-2"):
        load_study(write_study(tmp_path, plausibility_rows(1)))


def test_the_policy_is_fixed_once_the_study_has_opened(tmp_path):
    open_small_study(tmp_path, plausibility_rows(1))
    with pytest.raises(LoadRefused, match="has opened, so max_attention_failures"):
        load_study(write_study(tmp_path, plausibility_rows(1), quality={"max_attention_failures": 2}))
    assert Study.objects.get().policy.max_attention_failures == 0


@pytest.mark.parametrize("name", ["attention_per_sitting", "gold_per_sitting"])
def test_how_many_checks_a_sitting_has_is_fixed_with_the_policy(tmp_path, name):
    rows = plausibility_rows(1, gold=2, attention=2)
    study = open_small_study(tmp_path, rows, collection={name: 2})
    with pytest.raises(LoadRefused, match=f"has opened, so {name}"):
        load_study(write_study(tmp_path, rows, collection={name: 0}))
    assert getattr(Study.objects.get(), name) == 2
    other = open_small_study(tmp_path / "other", rows, slug="other", collection={name: 1})
    assert other.policy_hash != study.policy_hash


def test_before_it_opens_the_policy_may_change(tmp_path):
    load_study(write_study(tmp_path, plausibility_rows(1)))
    load_study(write_study(tmp_path, plausibility_rows(1), collection={"labels_per_item": 5}))
    assert Item.objects.get().need == 5


def test_a_folder_that_is_not_there_is_one_clear_message(tmp_path):
    with pytest.raises(CommandError, match="study.toml: 1 problem; nothing was loaded.\n  file: does not exist"):
        call_command("load_study", str(tmp_path / "nowhere"))


def test_the_measure_is_the_files_and_accuracy_without_a_word(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1))
    assert study.measure == Study.Measure.ACCURACY
    text = (tmp_path / "study.toml").read_text()
    (tmp_path / "study.toml").write_text(text + '[results]\nmeasure = "distance"\n')
    assert load_study(tmp_path).study.measure == Study.Measure.DISTANCE


def test_degrees_apart_need_an_order(tmp_path):
    task = {"type": "forced_choice", "question": "Which?", "options": ["intensifier", "negation"]}
    options = {"intensifier": "very", "negation": "not"}
    rows = [ItemRow("one", {"sentence": "Soup is ____ cold.", "options": options})]
    write_study(tmp_path, rows, task=task, quality={"gold_distance": 1})
    with (tmp_path / "study.toml").open("a") as file:
        file.write('[results]\nmeasure = "quadratic_kappa"\n')
    with pytest.raises(
        StudyFileError, match=r"results\.measure: cannot be 'quadratic_kappa': the answers .* not ordered"
    ):
        load_study(tmp_path)
    assert not Study.objects.exists()


def test_an_unknown_measure_is_refused_with_those_there_are(tmp_path):
    write_study(tmp_path, plausibility_rows(1))
    with (tmp_path / "study.toml").open("a") as file:
        file.write('[results]\nmeasure = "f1"\n')
    with pytest.raises(StudyFileError, match=r"results\.measure: must be one of accuracy, quadratic_kappa, distance"):
        load_study(tmp_path)
