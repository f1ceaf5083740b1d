"""Nobody sees two variants of one source, every variant gets its labels, and no item is left open to nobody."""

import json
from collections import Counter

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.arrival.refusals import CannotStart
from annotation.assignment import start
from annotation.balancing import list_numbers
from annotation.itemfile import write_items
from annotation.loading import load_study
from annotation.models import Assignment, Item, Sitting, Study
from annotation.recording import record
from annotation.studyfile import StudyFileError
from tests.either_database import found_by
from tests.studies import open_small_study, person, plausibility_row, plausibility_rows, write_study

SETTINGS = [{"lists": "latin_square"}, {"one_per_group": True}]
LATIN = {"lists": "latin_square", "labels_per_item": 2}


def variants(sources: int, each: int = 3):
    return [
        plausibility_row(100 * source + variant, group=f"source {source}")
        for source in range(sources)
        for variant in range(each)
    ]


def answer_all(sitting: Sitting) -> None:
    while (current := sitting.current()) is not None:
        record(sitting, current.position, "impossible")


def until_full(study: Study, *, most: int = 60) -> int:
    """New people come, each as often as there is something for them; how many did."""
    for number in range(most):
        if not study.items.filter(need__gt=0).exists():
            return number
        try:
            while True:
                answer_all(start(study, person(f"p{number}")))
        except CannotStart:
            pass
    return most


def met(study: Study) -> Counter[tuple[int, str]]:
    shown = Assignment.objects.filter(sitting__study=study).exclude(item__group="")
    return Counter(shown.values_list("annotator", "item__group"))


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=["latin square", "one per group"])
def test_eight_clients_at_once_and_then_whoever_is_needed(tmp_path, either_url, setting):
    found = found_by(
        "tests.annotation.balancing.variants", str(tmp_path / "study"), json.dumps(setting), url=either_url
    )
    assert found["errors"] == []
    assert found["vendor"] == either_url.split(":")[0]
    assert found["most_of_a_group"] == 1
    assert found["per_item"] == [[3, 0]]
    # Nine people are the fewest who can fill it.
    assert 9 <= found["clients"] <= 20


@pytest.mark.django_db
class TestLatinSquare:
    def test_a_list_has_one_variant_of_every_source_and_another_from_source_to_source(self):
        numbers = list_numbers(variants(6))
        by_list = {number: [name for name, one in numbers.items() if one == number] for number in range(3)}
        for names in by_list.values():
            places = Counter(int(name.split("-")[1]) % 100 for name in names)
            assert places == {0: 2, 1: 2, 2: 2}
            assert len({int(name.split("-")[1]) // 100 for name in names}) == 6

    def test_what_has_no_variants_is_on_no_list(self):
        rows = [*variants(2), plausibility_row(900), plausibility_row(901, group="alone")]
        assert {"target-900", "target-901"} & list_numbers(rows).keys() == set()

    @pytest.mark.slow
    def test_as_few_people_as_can_fill_it_and_each_on_one_list(self, tmp_path):
        study = open_small_study(tmp_path, variants(6), collection={**LATIN, "sitting_length": 6})
        assert until_full(study) == 6
        assert set(met(study).values()) == {1}
        assert set(study.items.values_list("counted", "reserved")) == {(2, 0)}
        for annotator in Sitting.objects.values_list("annotator", flat=True).distinct():
            shown = Item.objects.filter(assignments__annotator=annotator)
            assert shown.values("list_number").distinct().count() == 1
            places = Counter(int(name.split("-")[1]) % 100 for name in shown.values_list("external_id", flat=True))
            assert places == {0: 2, 1: 2, 2: 2}

    @pytest.mark.slow
    def test_later_sittings_stay_on_the_list(self, tmp_path):
        study = open_small_study(tmp_path, variants(6), collection={**LATIN, "sitting_length": 2})
        for name in ("ann", "bob", "ann", "bob", "ann", "bob"):
            answer_all(start(study, person(name)))
        for name in ("ann", "bob"):
            mine = Assignment.objects.filter(annotator=person(name))
            assert mine.count() == 6
            assert mine.values("item__list_number").distinct().count() == 1
            assert person(name).sittings.values("list_number").distinct().count() == 1

    @pytest.mark.slow
    def test_groups_of_different_sizes_and_fillers_fill_up(self, tmp_path):
        rows = [*variants(3), *variants(0), plausibility_row(900), plausibility_row(901, group="alone")]
        rows += [plausibility_row(700 + number, group="pair") for number in range(2)]
        study = open_small_study(tmp_path, rows, collection={**LATIN, "sitting_length": 3})
        assert until_full(study) < 15
        assert set(met(study).values()) == {1}
        assert set(study.items.values_list("counted", "reserved")) == {(2, 0)}

    def test_whose_list_has_nothing_left_gets_sources_that_they_have_not_met(self, tmp_path):
        study = open_small_study(tmp_path, variants(4, 2), collection={**LATIN, "sitting_length": 1})
        first = start(study, person("ann"))
        answer_all(first)
        # Others have filled the rest of that list meanwhile.
        study.items.filter(list_number=first.list_number, need__gt=1).update(counted=2)
        second = start(study, person("ann"))
        item = second.assignments.get().item
        assert item.list_number != first.list_number == second.list_number
        assert item.group != first.assignments.get().item.group

    def test_variants_that_come_later_find_their_list(self, tmp_path):
        rows = variants(2)
        study = open_small_study(tmp_path, rows[:-1], collection=LATIN)
        assert load_study(tmp_path).changed == 0
        write_items(tmp_path / "items.jsonl", rows)
        load_study(tmp_path)
        found = dict(study.items.values_list("external_id", "list_number"))
        assert found == list_numbers(rows)


@pytest.mark.django_db
def test_the_database_refuses_a_second_variant(tmp_path):
    study = open_small_study(tmp_path, variants(3), collection={"one_per_group": True})
    sitting = start(study, person("ann"))
    given = sitting.assignments.get(item__group="source 0")
    given.pk, given.position, given.item = None, 99, study.items.filter(group="source 0").exclude(pk=given.item_id)[0]
    with pytest.raises(IntegrityError, match="variant"), transaction.atomic():
        given.save()


@pytest.mark.django_db
def test_groups_bind_nobody_where_the_study_does_not_say_so(tmp_path):
    study = open_small_study(tmp_path, variants(2), collection={"sitting_length": 6})
    assert sorted(met_by(start(study, person("ann"))).values()) == [3, 3]


def met_by(sitting: Sitting) -> Counter[str]:
    return Counter(sitting.assignments.values_list("item__group", flat=True))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("setting", SETTINGS, ids=["latin square", "one per group"])
def test_queries_do_not_grow_with_the_study(tmp_path, setting):
    counts = []
    for sources, name in ((4, "few"), (120, "many")):
        study = open_small_study(tmp_path / name, variants(sources), slug=name, collection=setting)
        with CaptureQueriesContext(connection) as caught:
            start(study, person(name))
        counts.append(len(caught))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("setting", SETTINGS, ids=["latin square", "one per group"])
class TestRefused:
    def test_without_variants(self, tmp_path, setting):
        with pytest.raises(StudyFileError, match="no two targets share"):
            load_study(write_study(tmp_path, plausibility_rows(3), collection=setting))

    def test_a_check_of_the_same_source(self, tmp_path, setting):
        check = plausibility_row(1, kind="gold", reference="impossible", group="source 0")
        with pytest.raises(StudyFileError, match="'gold-1', which is not a target"):
            load_study(write_study(tmp_path, [*variants(2), check], collection=setting))
