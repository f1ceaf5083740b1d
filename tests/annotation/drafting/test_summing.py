"""The hash of a study's items, brought up to date by what changes: always that of all items, read anew."""

import random
from dataclasses import replace

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.drafting.items import add_items, change_item, put_back, remove_items, revise, state_of
from annotation.drafting.rows import read_rows
from annotation.itemfile import ItemRow, sum_of
from annotation.loading import load_study
from annotation.models import Study
from annotation.studyfile import StudyFileError
from tests.studies import plausibility_row, plausibility_rows, write_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor():
    return get_user_model().objects.create_user("rosa")


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
    with pytest.raises(StudyFileError, match="no number"):
        add_items(study, [plausibility_row(10, attributes={"mean": "high"})])
    with pytest.raises(StudyFileError, match="which no item has"):
        remove_items(study, [rows[2].id])
    with pytest.raises(StudyFileError, match="which no item has"):
        change_item(study, replace(rows[2], attributes={}), seen=state_of(rows[2]), editor=editor)
    holds(study)


def test_variants_stay_held_apart(tmp_path):
    rows = [replace(row, group=f"g{at // 2}") for at, row in enumerate(plausibility_rows(4))]
    study = load_study(write_study(tmp_path, rows, slug="v", collection={"one_per_group": True})).study
    with pytest.raises(StudyFileError, match="has the `group` of targets"):
        add_items(study, [plausibility_row(1, kind="gold", reference="impossible", group="g1")])
    remove_items(study, [rows[0].id])
    with pytest.raises(StudyFileError, match="no two share"):
        remove_items(study, [rows[2].id])
    holds(study)
