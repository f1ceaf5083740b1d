"""The generator of minimal pairs: matched cells, matched lengths, one word between the two sentences."""

import json
from collections import Counter, defaultdict

import pytest
from django.core.management import CommandError, call_command

from annotation.studyfile import read_study
from stimuli.constructions.agreement.build import generate
from stimuli.constructions.agreement.constructions import CONSTRUCTIONS

FOUR = {(head, attractor) for head in ("singular", "plural") for attractor in ("singular", "plural")}


@pytest.fixture(scope="module")
def rows():
    return generate(CONSTRUCTIONS, per_cell=6, seed=3)


def differing(row):
    good, bad = (row.content["options"][role].split() for role in ("grammatical", "ungrammatical"))
    assert len(good) == len(bad)
    return [(one, other) for one, other in zip(good, bad, strict=True) if one != other]


def construction(row):
    return row.attributes["family"], row.attributes["phenomenon"]


@pytest.mark.slow
def test_every_combination_of_numbers_has_as_many_items(rows):
    cells: dict[tuple[str, str], Counter[tuple[str, str, str]]] = defaultdict(Counter)
    for row in rows:
        cells[construction(row)][row.attributes["head"], row.attributes["attractor"], row.attributes["attraction"]] += 1
    assert len(cells) == len(CONSTRUCTIONS)
    for found in cells.values():
        assert set(found.values()) == {6}
        numbers = {(head, attractor) for head, attractor, _ in found}
        assert numbers in (FOUR, {("singular", "none"), ("plural", "none")})


@pytest.mark.slow
def test_cells_of_a_construction_are_equally_long(rows):
    lengths: dict[tuple[str, str], dict[tuple[str, str, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        assert row.attributes["words"] == str(len(row.content["options"]["grammatical"].split()))
        cell = row.attributes["head"], row.attributes["attractor"], row.attributes["attraction"]
        lengths[construction(row)][cell].append(row.attributes["words"])
    for cells in lengths.values():
        assert len({tuple(sorted(found)) for found in cells.values()}) == 1


def test_a_pair_differs_in_one_word_but_for_a_misplaced_negation(rows):
    for row in rows:
        words = 2 if row.attributes["attraction"] == "negation in the clause" else 1
        assert len(differing(row)) == words, row.content


def test_each_form_of_a_verb_or_reflexive_is_right_in_half_of_the_pairs(rows):
    right: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if row.attributes["family"] != "negative polarity":
            ((good, bad),) = differing(row)
            right[row.group, good] += 1
            right[row.group, bad] -= 1
    assert right
    assert set(right.values()) == {0}


def test_negation_stands_first_in_the_right_sentence_only(rows):
    found = [row for row in rows if row.attributes["family"] == "negative polarity"]
    assert len(found) == 6 * (2 + 8)
    for row in found:
        options = row.content["options"]
        assert options["grammatical"].startswith("No ")
        assert options["grammatical"].split().count("ever") == 1
        assert options["ungrammatical"].startswith("The ")
        assert ("no" in options["ungrammatical"].split()) == (row.attributes["attraction"] == "negation in the clause")


def test_no_sentence_and_no_id_occurs_twice(rows):
    assert len({row.id for row in rows}) == len(rows)
    assert len({tuple(row.content["options"].values()) for row in rows}) == len(rows)


def test_no_word_occurs_twice_in_a_sentence_in_either_number(rows):
    for row in rows:
        words = row.content["options"]["grammatical"].casefold().rstrip(".").split()
        stems = Counter(word.removesuffix("s") for word in words if word not in ("the", "that"))
        assert max(stems.values()) == 1, row.content


@pytest.mark.slow
def test_the_seed_decides(rows):
    assert generate(CONSTRUCTIONS, per_cell=6, seed=3) == rows
    assert generate(CONSTRUCTIONS, per_cell=6, seed=4) != rows
    # More of the same, not others.
    simple = [one for one in CONSTRUCTIONS if one.key == "simple"]
    assert generate(simple, per_cell=8, seed=3)[:12] == generate(simple, per_cell=6, seed=3)


def build(out, *options):
    call_command("build_study", "agreement", "--no-load", "--out", str(out), *options)
    return read_study(out)


@pytest.mark.slow
def test_the_command_makes_a_study_with_checks_and_the_same_bytes_again(tmp_path):
    study = build(tmp_path / "one", "--per-cell", "2", "--seed", "5")
    build(tmp_path / "two", "--per-cell", "2", "--seed", "5")
    for name in ("items.jsonl", "study.toml", "manifest.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert Counter(row.kind for row in study.items) == {"target": 92, "gold": 6, "attention": 4, "practice": 2}
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert manifest["seed"] == 5
    assert manifest["counts"]["items"] == 92


def test_constructions_can_be_chosen(tmp_path):
    study = build(tmp_path / "out", "--per-cell", "2", "--phenomenon", "reflexive-simple", "--no-checks")
    assert {row.attributes["family"] for row in study.items} == {"reflexive"}
    assert len(study.items) == 4


def test_words_that_run_out_are_said(tmp_path):
    with pytest.raises(CommandError, match=r"reflexive-simple has words for \d+ items per cell, not for 5000"):
        build(tmp_path / "out", "--per-cell", "5000", "--phenomenon", "reflexive-simple")
    assert not (tmp_path / "out").exists()
