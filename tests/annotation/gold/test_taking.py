"""Gold from a pilot: what is unanimous and has labels enough, once, into a draft of the same task."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation import itemfile
from annotation.drafting.gold import NoGold, take_gold
from annotation.itemfile import ItemRow
from annotation.lifecycle.status import open_study
from annotation.loading import load_study
from annotation.models import Item, Study
from tests.studies import plausibility_row, write_study

pytestmark = pytest.mark.django_db


def test_unanimous_items_become_gold_with_their_label_and_the_others_are_counted(pilot, draft):
    taken = take_gold(draft, pilot)
    assert (taken.added, taken.left_out) == (2, {"has fewer than 3 labels": 2, "its labels differ": 1})
    gold = list(draft.items.filter(kind=Item.Kind.GOLD).order_by("position"))
    assert [(item.external_id, item.reference) for item in gold] == [
        ("pilot-target-1", "more_likely"),
        ("pilot-target-2", "impossible"),
    ]
    assert [item.content for item in gold] == [item.content for item in pilot.items.order_by("position")[:2]]
    assert [(item.group, item.attributes, item.target, item.position) for item in gold] == [
        ("", {}, 0, 4),
        ("", {}, 0, 5),
    ]
    assert "set “Gold items per batch”" in str(taken)


@pytest.mark.slow
def test_nothing_is_taken_twice(pilot, draft):
    take_gold(draft, pilot)
    again = take_gold(draft, pilot, least=2)
    assert (again.added, again.left_out["was added before"]) == (1, 2)
    assert draft.items.filter(kind=Item.Kind.GOLD).count() == 3


def test_a_text_that_the_study_asks_about_is_left_out(pilot, draft, tmp_path):
    rows = [plausibility_row(1), plausibility_row(104)]
    study = load_study(write_study(tmp_path / "same", rows, slug="same")).study
    taken = take_gold(study, pilot)
    assert (taken.added, taken.left_out["its text is already in the study"]) == (1, 1)


def test_what_the_draft_then_holds_is_a_folder_that_loads_and_changes_nothing(pilot, draft, tmp_path):
    take_gold(draft, pilot)
    draft.refresh_from_db()
    before = draft.content_hash
    path = tmp_path / "draft" / itemfile.NAME
    lines = [ItemRow(f"target-{n}", plausibility_row(n).content) for n in range(101, 104)]
    lines += itemfile_rows(pilot)
    itemfile.write_items(path, lines)
    assert str(load_study(tmp_path / "draft")) == "draft: 0 items added, 0 changed, 5 unchanged"
    draft.refresh_from_db()
    assert draft.content_hash == before


def itemfile_rows(pilot):
    from annotation.drafting.gold import unanimous

    return unanimous(pilot).rows


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda draft, pilot: open_study(draft), "draft has opened"),
        (lambda draft, pilot: Study.objects.filter(pk=pilot.pk).update(population="synthetic"), "are synthetic"),
        (lambda draft, pilot: Study.objects.filter(pk=draft.pk).update(task_type="yes_no"), "has another question"),
        (lambda draft, pilot: pilot.items.update(tally={}, counted=0, agreed=0), "no item has 3 or more labels"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(pilot, draft, change, sentence):
    change(draft, pilot)
    draft.refresh_from_db()
    pilot.refresh_from_db()
    with pytest.raises(NoGold, match=sentence):
        take_gold(draft, pilot)
    assert draft.items.count() == 3


def test_a_study_is_not_its_own_pilot(pilot):
    with pytest.raises(NoGold, match="its own pilot"):
        take_gold(pilot, pilot)


def test_the_command_adds_or_writes_lines_of_an_item_file(pilot, draft, capsys):
    call_command("gold_from", "pilot")
    told = capsys.readouterr()
    rows = [json.loads(line) for line in told.out.splitlines()]
    assert [(row["id"], row["kind"], row["reference"]) for row in rows] == [
        ("pilot-target-1", "gold", "more_likely"),
        ("pilot-target-2", "gold", "impossible"),
    ]
    assert told.err.startswith("2 gold items; 2 left out: has fewer than 3 labels")
    call_command("gold_from", "pilot", into="draft")
    assert "draft: 2 gold items added; 2 left out" in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no study 'x'") as refused:
        call_command("gold_from", "pilot", into="x")
    assert refused.value.returncode == 2
