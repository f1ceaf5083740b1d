"""Items of a draft put in, changed and taken out: what comes of it is what its folder, loaded, makes."""

import json
import random
from dataclasses import replace

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.drafting.items import DraftRefused, add_items, change_item, put_back, remove_items, revise, state_of
from annotation.drafting.rows import ids_there, read_rows
from annotation.itemfile import ItemRow, sum_of
from annotation.lifecycle.folder import item_lines, study_hash
from annotation.lifecycle.status import open_study
from annotation.loading import load_study
from annotation.models import Study
from annotation.studyfile import StudyFileError
from tests.comparison.cast import give_labels, give_run
from tests.studies import plausibility_row, plausibility_rows, write_study

pytestmark = pytest.mark.django_db

GOLD = plausibility_row(1, kind="gold", reference="less_likely")
PRACTICE = plausibility_row(1, kind="practice", reference="impossible", explanation="A lamp that is broken is dark.")


@pytest.fixture
def editor():
    return get_user_model().objects.create_user("rosa")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "draft"


@pytest.fixture
def draft(folder) -> Study:
    return load_study(write_study(folder, plausibility_rows(4), slug="draft")).study


def as_loaded(study: Study, folder, rows: list[ItemRow], **tables) -> None:
    """The study is, item for item and by every hash, what the folder of these items makes."""
    study.refresh_from_db()
    here = (study_hash(study), study.content_hash, columns(study))
    loaded = load_study(write_study(folder, rows, slug=study.slug, **tables))
    study.refresh_from_db()
    assert (loaded.added, loaded.changed) == (0, 0)
    assert not loaded.settings_changed
    assert (study_hash(study), study.content_hash, columns(study)) == here


def columns(study: Study) -> list[tuple[object, ...]]:
    names = ("external_id", "position", "kind", "content_hash", "random_key", "target", "list_number", "group")
    return list(study.items.order_by("position").values_list(*names))


def test_added_items_are_those_of_the_folder_that_has_them(draft, folder):
    add_items(draft, [GOLD, PRACTICE])
    as_loaded(draft, folder, [*plausibility_rows(4), GOLD, PRACTICE])


def test_a_changed_item_is_that_of_the_folder(draft, folder, editor):
    first, second, *others = plausibility_rows(4)
    words = replace(first, content=first.content | {"original": "A lamp lights the stairs."})
    named = replace(second, attributes={"source": "novel"}, group="lamps")
    change_item(draft, words, seen=state_of(first), editor=editor)
    change_item(draft, named, seen=state_of(second), editor=editor)
    as_loaded(draft, folder, [words, named, *others])


def test_loading_the_folder_of_before_keeps_the_words_that_were_changed(draft, folder, editor):
    first = plausibility_rows(4)[0]
    words = replace(first, content=first.content | {"original": "A lamp lights the stairs."})
    change_item(draft, words, seen=state_of(first), editor=editor)
    load_study(folder)
    assert draft.items.get(external_id=first.id).content == words.content
    assert [one.editor for one in draft.item_revisions.all()] == [editor]


@pytest.mark.parametrize("out", [(1,), (4,), (1, 2), (2, 4), (1, 3), (2, 3, 4)])
def test_items_taken_out_are_gone_and_come_back_where_they_were(draft, folder, out):
    rows = plausibility_rows(4)
    before = (study_hash(draft), columns(draft))
    gone = remove_items(draft, {rows[place - 1].id for place in out})
    assert sorted(gone) == list(out)
    assert [item["position"] for item in draft.items.values("position")] == [n for n in range(1, 5) if n not in out]
    put_back(draft, gone)
    assert (study_hash(draft), columns(draft)) == before
    again = [row for place, row in enumerate(rows, start=1) if place not in out]
    remove_items(draft, {rows[place - 1].id for place in out})
    as_loaded(draft, folder, again)


@pytest.mark.slow
def test_lists_follow_the_items(folder):
    apart = {"lists": "latin_square"}
    rows = [replace(row, group=f"g{at // 2}") for at, row in enumerate(plausibility_rows(4))]
    study = load_study(write_study(folder, rows, slug="square", collection=apart)).study
    third = plausibility_row(9, group="g0")
    add_items(study, [third])
    as_loaded(study, folder, [*rows, third], collection=apart)
    remove_items(study, [rows[1].id])
    as_loaded(study, folder, [rows[0], *rows[2:], third], collection=apart)


def test_scores_go_with_the_item(draft):
    give_run(draft, [("target-1", "less_likely", 1.0, ""), ("target-2", "less_likely", 1.0, "")], key="parrot")
    remove_items(draft, ["target-1"])
    assert draft.runs.get().scores.count() == 1


def test_what_is_wrong_is_said_by_line_and_field_and_nothing_is_added(draft):
    before = study_hash(draft)
    wrong = [
        replace(GOLD, reference="perhaps"),
        replace(GOLD, id="target-1"),
        replace(GOLD, id="gold-2", reference=None),
        replace(PRACTICE, content={"original": "x"}),
    ]
    with pytest.raises(DraftRefused) as refused:
        add_items(draft, [GOLD, *wrong])
    places = [fault.field for fault in refused.value.faults]
    assert places == [
        "line 2.reference", "line 3.id", "line 4.reference", "line 5.content.modified", "line 5.content.modifier",
    ]  # fmt: skip
    assert study_hash(draft) == before


def test_what_the_study_declares_of_items_holds(folder):
    study = load_study(
        write_study(folder, plausibility_rows(3, gold=2), slug="g", collection={"gold_per_sitting": 2})
    ).study
    with pytest.raises(StudyFileError, match="gold_per_sitting"):
        remove_items(study, ["gold-1"])
    assert study.items.count() == 5


def test_a_study_keeps_a_target(draft):
    with pytest.raises(DraftRefused, match="A study needs at least one item"):
        remove_items(draft, [row.id for row in plausibility_rows(4)])


def test_a_study_that_has_opened_keeps_its_items(draft, editor):
    open_study(draft)
    first = plausibility_row(1)
    for change in (
        lambda: add_items(draft, [GOLD]),
        lambda: remove_items(draft, ["target-1"]),
        lambda: change_item(draft, replace(first, group="x"), seen=state_of(first), editor=editor),
    ):
        with pytest.raises(DraftRefused, match="has opened"):
            change()
    assert draft.items.count() == 4


def test_what_has_labels_from_elsewhere_stays(draft, editor):
    give_labels(draft, [("target-1", "p1", "less_likely")])
    first = plausibility_row(1)
    with pytest.raises(DraftRefused, match="target-1"):
        remove_items(draft, ["target-1", "target-2"])
    with pytest.raises(DraftRefused, match="target-1"):
        change_item(draft, replace(first, reference="impossible"), seen=state_of(first), editor=editor)
    assert draft.items.count() == 4


def test_two_who_change_at_once_do_not_write_over_each_other(draft, editor, monkeypatch):
    first = plausibility_row(1)
    change_item(draft, replace(first, group="one"), seen=state_of(first), editor=editor)
    with pytest.raises(DraftRefused, match="since you opened it"):
        change_item(draft, replace(first, group="two"), seen=state_of(first), editor=editor)

    def looked_and_overtaken(study, names):
        there = ids_there(study, names)
        if not overtaken:
            overtaken.append(True)
            add_items(study, [GOLD])
        return there

    overtaken: list[bool] = []
    monkeypatch.setattr("annotation.drafting.items.ids_there", looked_and_overtaken)
    with pytest.raises(DraftRefused, match="at the same time"):
        add_items(draft, [GOLD, PRACTICE])
    assert draft.items.count() == 5


def test_two_who_add_at_once_both_have_added(draft, folder):
    add_items(Study.objects.get(), [GOLD])
    add_items(draft, [PRACTICE])
    as_loaded(draft, folder, [*plausibility_rows(4), GOLD, PRACTICE])


def test_a_name_whose_words_were_changed_here_is_not_given_to_another_item(draft, editor):
    first = plausibility_row(1)
    words = replace(first, content=first.content | {"original": "A lamp lights the stairs."})
    change_item(draft, words, seen=state_of(first), editor=editor)
    gone = remove_items(draft, [first.id])
    with pytest.raises(DraftRefused) as refused:
        add_items(draft, [first])
    assert "reworded" in refused.value.faults[0].message
    put_back(draft, gone)
    assert json.loads(next(item_lines(draft))) == words.fields()


def draft_of(folder, count: int, **tables) -> Study:
    return load_study(write_study(folder, plausibility_rows(count), slug=f"draft-{count}", **tables)).study


def holds(study: Study) -> None:
    study.refresh_from_db()
    assert study.content == sum_of(read_rows(study))
    assert study.content_hash == study.content.sha256
    places = list(study.items.values_list("position", flat=True))
    assert len(set(places)) == len(places)


def test_order_words_and_number_all_make_another_hash():
    rows = plausibility_rows(4)
    turned = [rows[1], rows[0], *rows[2:]]
    other = [replace(rows[0], group="x"), *rows[1:]]
    found = [sum_of(some).sha256 for some in (rows, rows[:3], rows[1:], turned, other, rows[::-1], [])]
    assert len(set(found)) == len(found)
    assert sum_of(rows) == sum_of(plausibility_rows(4))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_after_whatever_is_done_the_hash_is_that_of_all_items(tmp_path, editor, seed):
    draw = random.Random(seed)
    study = draft_of(tmp_path, 8)
    gone: list[dict[int, ItemRow]] = []
    for number in range(30):
        here = read_rows(study)
        verb = draw.choice(["add", "add", "change", "remove", "back", "revise"])
        if verb == "add":
            add_items(study, [plausibility_row(100 + 3 * number + more) for more in range(draw.randint(1, 3))])
        elif verb == "change":
            row = draw.choice(here)
            change_item(study, replace(row, group=f"g{number}"), seen=state_of(row), editor=editor)
        elif verb == "remove" and len(here) > 4:
            gone.append(remove_items(study, {row.id for row in draw.sample(here, draw.randint(1, 3))}))
        elif verb == "back" and gone:
            put_back(study, gone.pop(draw.randrange(len(gone))))
        elif verb == "revise":
            item = draw.choice(list(study.items.all()))
            words = item.content | {"original": f"A lamp of {number} lights."}
            revise(item, words, seen=item.content_hash, editor=editor, reason="")
        holds(study)


def test_what_is_put_back_stands_before_what_came_meanwhile(tmp_path):
    study = draft_of(tmp_path, 4)
    gone = remove_items(study, ["target-3", "target-4"])
    add_items(study, [plausibility_row(8), plausibility_row(9)])
    put_back(study, gone)
    assert [row.id for row in read_rows(study)] == [f"target-{n}" for n in (1, 2, 3, 4, 8, 9)]
    holds(study)


def test_the_folder_with_other_words_and_order_is_another_study_until_it_is_loaded(tmp_path, editor):
    study = draft_of(tmp_path, 4)
    item = study.items.get(external_id="target-2")
    revise(item, item.content | {"original": "A lamp."}, seen=item.content_hash, editor=editor, reason="")
    remove_items(study, ["target-3"])
    holds(study)
    rows = [row for row in plausibility_rows(4) if row.id != "target-3"]
    loaded = load_study(write_study(tmp_path, rows, slug=study.slug))
    assert (loaded.added, loaded.changed, loaded.unchanged) == (0, 0, 3)
    holds(study)
    loaded = load_study(write_study(tmp_path, rows[::-1], slug=study.slug))
    assert loaded.changed == 2
    assert [row.id for row in read_rows(study)] == ["target-4", "target-2", "target-1"]
    holds(study)


@pytest.mark.slow
def test_what_it_takes_does_not_depend_on_how_many_there_are(tmp_path, editor):
    counts = []
    for count in (12, 240):
        study = draft_of(tmp_path / str(count), count, results={"numbers": []})
        row = plausibility_row(999)
        with CaptureQueriesContext(connection) as asked:
            add_items(study, [row])
            change_item(study, replace(row, group="x"), seen=state_of(row), editor=editor)
            gone = remove_items(study, ["target-5"])
            put_back(study, gone)
        read = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
        items = [sql for sql in read if "annotation_item" in sql]
        unbound = [sql for sql in items if not any(bound in sql for bound in ("LIMIT", " IN (", "MAX(", "MIN("))]
        assert not unbound, "each is of some items that are named, or of one"
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_draft_is_held_to_what_it_declares_though_few_of_its_items_are_read(tmp_path, editor):
    rows = [replace(row, attributes={"mean": "1.5"} if at == 2 else {}) for at, row in enumerate(plausibility_rows(5))]
    study = load_study(write_study(tmp_path, rows, slug="n", results={"numbers": ["mean"]})).study
    add_items(study, [plausibility_row(9)])
    with pytest.raises(StudyFileError, match="not a number"):
        add_items(study, [plausibility_row(10, attributes={"mean": "high"})])
    with pytest.raises(StudyFileError, match="but no item has it"):
        remove_items(study, [rows[2].id])
    with pytest.raises(StudyFileError, match="but no item has it"):
        change_item(study, replace(rows[2], attributes={}), seen=state_of(rows[2]), editor=editor)
    holds(study)


def test_variants_stay_held_apart(tmp_path):
    rows = [replace(row, group=f"g{at // 2}") for at, row in enumerate(plausibility_rows(4))]
    study = load_study(write_study(tmp_path, rows, slug="v", collection={"one_per_group": True})).study
    with pytest.raises(StudyFileError, match="to share a `group` with targets"):
        add_items(study, [plausibility_row(1, kind="gold", reference="impossible", group="g1")])
    remove_items(study, [rows[0].id])
    with pytest.raises(StudyFileError, match="no two targets share"):
        remove_items(study, [rows[2].id])
    holds(study)
