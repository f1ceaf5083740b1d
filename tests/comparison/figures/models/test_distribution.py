"""How often each label is used, and whether runs are right where people agree: counted by hand."""

from comparison.exports.registry import export
from comparison.figures.models.by_agreement import BY_AGREEMENT
from comparison.figures.models.distribution import DISTRIBUTION
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from tests.comparison.cast import give_run

SCALE = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")


def used(study, **asked):
    found = DISTRIBUTION.read(select(study, Selection(**asked)))
    return {one.shares.value: [label.count for label in one.shares.shares] for one in found}


def test_each_bar_counts_the_labels_that_were_given(study):
    assert used(study) == {
        "people: majority label": [0, 2, 2, 0, 0],
        "people: all labels": [0, 6, 7, 2, 0],
        "the reference": [0, 2, 3, 1, 0],
        "parrot · label": [0, 2, 3, 1, 0],
        "majority · label": [0, 0, 6, 0, 0],
    }


def test_it_is_of_the_selected_items(study):
    assert used(study, agreement="unanimous")["people: all labels"] == [0, 3, 3, 0, 0]


def test_shares_of_several_labels_an_item_have_an_interval_over_items(study):
    found = {one.key: one.shares for one in DISTRIBUTION.read(select(study, Selection()))}
    share = found["labels"].shares[2].share
    assert (share.value, share.n, share.unit) == (7 / 15, 15, "labels")
    assert sum(label.share.value or 0 for label in found["labels"].shares) == 1


def test_its_file_has_a_line_for_each_label(study):
    rows = list(export("distribution")(study, Selection()))
    found = {(row[5], row[8]): row[rows[0].index("count")] for row in rows[1:]}
    assert found["people: all labels", "label:equally_likely"] == 7
    assert len(rows) == 1 + 5 * len(SCALE)


def test_right_where_all_agree_and_where_they_do_not(study):
    """Parrot has both unanimous items right, and of the two with a majority the one whose majority is the reference."""
    found = {one.model: one for one in BY_AGREEMENT.read(select(study, Selection()))}
    assert set(found) == {"parrot", "majority"}, "the third names no label"
    parrot = found["parrot"]
    assert (parrot.unanimous.correct, parrot.unanimous.compared) == (2, 2)
    assert (parrot.divided.correct, parrot.divided.compared) == (1, 2)
    assert parrot.apart.value == 0.5
    assert parrot.apart.low is not None and parrot.apart.high is not None
    assert parrot.apart.low < 0 < parrot.apart.high


def test_against_the_reference_items_without_a_majority_are_divided_too(study):
    found = {one.model: one for one in BY_AGREEMENT.read(select(study, Selection(against="reference")))}
    assert (found["parrot"].divided.correct, found["parrot"].divided.compared) == (3, 3)


def test_an_item_with_one_label_is_neither(single_study):
    give_run(single_study, [("target-1", "less_likely", None, "")], key="more", metric="label")
    assert BY_AGREEMENT.read(select(single_study, Selection(against="reference"))) == ()


def test_items_chosen_by_how_people_agree_say_nothing_of_it(study):
    assert BY_AGREEMENT.read(select(study, Selection(agreement="unanimous"))) == ()
