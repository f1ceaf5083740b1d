"""What classifiers read (rules F1 to F4 of docs/metrics.md), and how items are parted."""

from typing import Any

import pytest

from annotation.tasktypes import task_type
from annotation.tasktypes.contract import Labeled, Unscored
from scoring.scorers.recipes import RECIPES, Pair, UnknownRecipe, recipe
from tests.scoring.scorers.little.bert import adept_rows, boolq_rows
from training.classifier.examples import CannotSplit, StudyItem, content_hash, split

DEGREES = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")


def asked(kind: str, content: dict[str, str]) -> Labeled:
    (request,) = task_type(kind).configured({}).requests(content, "label")
    assert isinstance(request, Labeled)
    return request


def rows(items=None) -> list[StudyItem]:
    return [
        StudyItem(item.group, asked("plausibility", item.content), item.reference) for item in items or adept_rows()
    ]


def parted(given=None, **options):
    told: dict[str, Any] = {"labels": DEGREES, "held_out": 0.25, "seed": 1} | options
    return split(given if given is not None else rows(), recipe("adept"), **told)


@pytest.mark.parametrize(
    ("key", "pair"),
    [
        ("adept", Pair("A key opens doors.", "A false key opens doors.")),
        ("adept-no-context", Pair("key", "false")),
    ],
)
def test_f1_adept_reads_two_sentences_or_noun_and_modifier(key, pair):
    example = task_type("plausibility").example
    assert recipe(key).read(asked("plausibility", example)) == pair


def test_f1_boolq_reads_question_and_passage_or_the_question_alone():
    example = task_type("yes_no").example
    request = asked("yes_no", example)
    assert recipe("boolq").read(request) == Pair(example["question"], example["passage"])
    assert recipe("boolq-question").read(request) == Pair(example["question"])


def test_f2_an_item_without_what_is_read_is_left_out_with_the_reason():
    no_passage = recipe("boolq").read(asked("yes_no", {"question": "Is it so?"}))
    no_noun = recipe("adept-no-context").read(
        asked("plausibility", {"original": "A key.", "modified": "A false key.", "modifier": "false"})
    )
    assert isinstance(no_passage, Unscored)
    assert isinstance(no_noun, Unscored)
    assert "reads two" in no_passage.reason
    assert "noun and modifier" in no_noun.reason


def test_an_unknown_recipe_lists_those_there_are():
    with pytest.raises(UnknownRecipe, match=", ".join(RECIPES)):
        recipe("snli")


def test_f3_items_of_one_group_stay_on_one_side():
    made = parted()
    assert len(made.train) + len(made.held_out) == 48
    assert not {example.group for example in made.train} & {example.group for example in made.held_out}
    # A quarter of 48 items, in groups of 4.
    assert len(made.held_out) == 12


def test_f3_the_seed_and_the_names_alone_decide():
    made = parted()
    assert parted() == made
    turned = parted(list(reversed(rows())))
    assert {example.group for example in turned.held_out} == {example.group for example in made.held_out}
    assert {one.group for one in parted(seed=2).held_out} != {one.group for one in made.held_out}


def test_f4_what_is_left_out_is_counted_by_reason():
    given = rows()
    given[0] = StudyItem(given[0].group, given[0].request, None)
    elsewhere = frozenset(["a key helps people ."])
    made = parted(given, apart_from=elsewhere)
    assert made.left_out == {"has no reference": 1, "its text is also in an excluded study": 4}
    assert len(made.train) + len(made.held_out) == 48 - 5
    assert "A key helps people ." not in {example.pair.first for example in (*made.train, *made.held_out)}


def test_the_hash_is_of_texts_labels_and_order():
    train = parted().train
    assert content_hash(train) == content_hash(list(train))
    assert content_hash(train) != content_hash(train[::-1])
    assert content_hash(train) != content_hash(train[1:])


def test_the_share_of_the_commonest_label_is_that_of_the_training_part():
    """Of the training part `yes` is the commonest (3 of 4); it is right on 1 of the 2 held out."""
    request = asked("yes_no", {"question": "is the key here ?", "passage": "There is one key here ."})
    train = [StudyItem(f"a{n}", request, "yes" if n else "no") for n in range(4)]
    held = [StudyItem("z", request, "yes"), StudyItem("z", request, "no")]
    labels = ("yes", "no")
    for seed in range(50):
        made = split([*train, *held], recipe("boolq"), labels=labels, held_out=0.2, seed=seed)
        if {example.group for example in made.held_out} == {"z"}:
            assert made.majority_share == 0.5
            return
    pytest.fail("no seed held out the pair")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda row: StudyItem(row.group, row.request, None), "0 training items and 0 held-out items"),
        (lambda row: StudyItem("one", row.request, row.label), "0 training items and 48 held-out items"),
        (lambda row: StudyItem(row.group, row.request, "impossible"), "Every training item is impossible"),
        (lambda row: StudyItem(row.group, row.request, f"{row.label}?"), "off the scale"),
    ],
)
def test_items_that_teach_nothing_are_refused(change, sentence):
    with pytest.raises(CannotSplit) as refused:
        parted([change(row) for row in rows()])
    assert sentence in str(refused.value)


def test_the_items_of_these_tests_are_valid():
    for kind, items in (("plausibility", adept_rows()), ("yes_no", boolq_rows())):
        task = task_type(kind).configured({})
        assert not [fault for item in items for fault in task.validate(item.content)]
        assert {item.reference for item in items} <= set(task.scale.values)


def test_items_of_a_label_left_out_are_in_neither_part():
    every = rows()
    many = sum(row.label == "impossible" for row in every)
    assert many
    four = DEGREES[1:]
    made = parted(every, labels=four, without="impossible")
    assert made.labels == four
    assert made.left_out == {"its label is left out": many}
    assert len(made.train) + len(made.held_out) == len(every) - many
    assert "impossible" not in {example.label for example in (*made.train, *made.held_out)}
