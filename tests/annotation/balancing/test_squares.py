"""Every list of a Latin square has each condition equally often, in whatever order the file has its rows."""

import random
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.balancing import condition_of, list_numbers, square
from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.models import Study
from annotation.quality.sentences import warnings
from annotation.studyfile import StudyFileError
from tests.studies import open_small_study, plausibility_row, write_study

LATIN = {"lists": "latin_square"}


def crossed(sources: int, conditions: str = "ab", *, seed: int = 0) -> list[ItemRow]:
    """Every source in every condition, the rows in no order."""
    rows = [
        plausibility_row(100 * source + place, group=f"s{source}", attributes={"noun": f"n{source}", "cond": one})
        for source in range(sources)
        for place, one in enumerate(conditions)
    ]
    random.Random(seed).shuffle(rows)
    return rows


def held(rows: list[ItemRow], name: str = "cond", **options: str) -> dict[int, Counter[str]]:
    numbers, found = list_numbers(rows, **options), dict[int, Counter[str]]()
    for row in rows:
        found.setdefault(numbers[row.id], Counter())[row.attributes[name]] += 1
    return found


def spread(counts: dict[int, Counter[str]]) -> int:
    conditions = {one for of in counts.values() for one in of}
    return max(max(of[one] for of in counts.values()) - min(of[one] for of in counts.values()) for one in conditions)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("sources", "conditions"), [(8, "ab"), (9, "abc"), (12, "abcd"), (14, "abcdefg")])
def test_each_list_has_each_condition_equally_often(sources: int, conditions: str, seed: int) -> None:
    found = held(crossed(sources, conditions, seed=seed))
    assert len(found) == len(conditions)
    assert spread(found) == 0
    assert all(sum(of.values()) == sources for of in found.values())


def test_no_list_has_two_variants_of_a_source() -> None:
    rows = crossed(9, "abc")
    numbers = list_numbers(rows)
    assert max(Counter((row.group, numbers[row.id]) for row in rows).values()) == 1


@pytest.mark.parametrize("seed", range(8))
def test_lists_stay_even_where_variants_are_missing_or_sources_do_not_divide(seed: int) -> None:
    rows = crossed(17, "abc", seed=seed)
    kept = [row for row in rows if not (row.group in ("s1", "s5", "s11") and row.attributes["cond"] == "b")]
    assert spread(held(kept)) <= 1


@pytest.mark.parametrize("seed", range(8))
def test_two_variants_of_six_conditions_are_spread_too(seed: int) -> None:
    rng, rows = random.Random(seed), []
    for source in range(30):
        for place, one in enumerate(rng.sample("abcdef", 2)):
            rows.append(plausibility_row(10 * source + place, group=f"s{source}", attributes={"cond": one}))
    assert spread(held(rows, condition="cond")) <= 2


def test_a_design_of_two_by_two_is_balanced_by_both() -> None:
    pairs = ["xp", "xq", "yp", "yq"]
    rows = [
        plausibility_row(10 * source + place, group=f"s{source}", attributes={"noun": one[0], "verb": one[1]})
        for source in range(8)
        for place, one in enumerate(random.Random(source).sample(pairs, 4))
    ]
    assert condition_of(rows) == ("noun", "verb")
    assert spread(held(rows, "noun")) == 0
    assert spread(held(rows, "verb")) == 0


def test_sources_that_come_later_move_none_that_are_there() -> None:
    rows = crossed(6, "abc", seed=3)
    later = [plausibility_row(9000 + place, group="late", attributes={"cond": one}) for place, one in enumerate("cab")]
    before = list_numbers(rows, condition="cond")
    after = list_numbers([*rows, *later], condition="cond")
    assert {name: after[name] for name in before} == before


@pytest.mark.django_db
def test_the_lists_are_told_when_a_study_is_loaded(tmp_path):
    said = StringIO()
    folder = write_study(tmp_path / "latin", crossed(8), slug="latin", collection=LATIN)
    call_command("load_study", folder, stdout=said)
    sentence = "Latin square by cond, 2 lists: each has 4 a, 4 b."
    assert sentence in said.getvalue()
    study = Study.objects.get()
    assert str(square(study)) == sentence
    assert warnings(study) == []


@pytest.mark.django_db
class TestListsThatTheFileNames:
    def test_are_honored(self, tmp_path):
        rows = [
            plausibility_row(10 * source + place, group=f"s{source}", attributes={"group": one, "cond": cond})
            for source in range(4)
            for place, (one, cond) in enumerate([("A", "long"), ("B", "short")])
        ]
        study = open_small_study(tmp_path, rows, collection={**LATIN, "list_attribute": "group"})
        lists = {(item.attributes["group"], item.list_number) for item in study.items.all()}
        assert lists == {("A", 0), ("B", 1)}

    def test_are_said_to_be_uneven_before_people_come(self, tmp_path):
        rows = [
            plausibility_row(10 * source + place, group=f"s{source}", attributes={"list": one, "cond": cond})
            for source in range(4)
            for place, (one, cond) in enumerate([("1", "long"), ("2", "short")])
        ]
        study = load_study(
            write_study(tmp_path, rows, collection={**LATIN, "list_attribute": "list", "condition_attribute": "cond"})
        ).study
        assert [one for one in warnings(study) if "uneven" in one and "list 1 has 4 long; list 2 has 4 short" in one]

    @pytest.mark.parametrize(
        ("attributes", "fault"),
        [
            (({"list": "1"}, {"list": "1"}), "list '1' has two variants of 's0'"),
            (({"list": "1"}, {}), "'target-1' has no 'list', so it belongs to no list"),
            (({}, {}), "names 'list', but no target has it"),
        ],
    )
    def test_are_refused_where_a_source_does_not_lie_on_them_once(self, tmp_path, attributes, fault):
        rows = [plausibility_row(place, group="s0", attributes=one) for place, one in enumerate(attributes)]
        with pytest.raises(StudyFileError) as refused:
            load_study(write_study(tmp_path, rows, collection={**LATIN, "list_attribute": "list"}))
        assert f"collection.list_attribute: {fault}" in str(refused.value)


@pytest.mark.django_db
def test_an_attribute_of_lists_without_lists_is_refused(tmp_path):
    with pytest.raises(StudyFileError, match="collection.condition_attribute: needs lists"):
        load_study(write_study(tmp_path, crossed(2), collection={"condition_attribute": "cond"}))
