"""Pairs of annotators, each one against the others, and who is shown of many."""

from itertools import combinations

import numpy as np
import pytest

from comparison.figures.people.between_annotators import between
from comparison.frame.reading import read_panel
from comparison.page.drawn.between import FEWEST, between_picture
from comparison.statistics.accuracy.hits import share
from comparison.statistics.agreement.between_annotators import AT_AN_END, MOST, BetweenAnnotators, pair_counts, shown
from comparison.statistics.estimate import Estimate


def accuracy(name, right, of):
    return name, share(right, of, reason="nothing")


def test_pairs_are_those_of_a_loop():
    rng = np.random.default_rng(3)
    pairs = np.unique(np.column_stack([rng.integers(0, 40, 300), rng.integers(0, 9, 300)]), axis=0)
    labels = rng.integers(0, 3, len(pairs))
    said = {(item, rater): label for (item, rater), label in zip(pairs.tolist(), labels.tolist(), strict=True)}
    some = [7, 2, 5, 0]
    found = pair_counts(pairs[:, 0], pairs[:, 1], labels, some=some)
    for one, other in combinations(range(len(some)), 2):
        both = [item for item in range(40) if (item, some[one]) in said and (item, some[other]) in said]
        assert found.shared[one, other] == found.shared[other, one] == len(both)
        assert found.same[one, other] == sum(said[item, some[one]] == said[item, some[other]] for item in both)


def test_nobody_is_compared_without_labels():
    nothing = np.zeros(0, dtype=np.int64)
    assert pair_counts(nothing, nothing, nothing, some=[]).shared.shape == (0, 0)


def test_few_are_all_shown_the_one_who_agrees_most_first():
    everybody = [accuracy("a1", 5, 10), accuracy("a2", 9, 10), accuracy("a3", 0, 0), accuracy("a4", 18, 20)]
    assert shown(everybody, ()) == ("a4", "a2", "a1")


def test_of_many_both_ends_are_shown_and_who_stands_out():
    """A handful of labels, right or wrong, puts nobody at an end."""
    crowd = [accuracy(f"a{place}", 100 + place, 200) for place in range(MOST + 30)]
    luck = [accuracy("lucky", 2, 2), accuracy("unlucky", 0, 1)]
    found = shown([*crowd, *luck], {"a20"})
    assert len(found) == 2 * AT_AN_END + 1
    assert "a20" in found
    assert not {"lucky", "unlucky"} & set(found)
    assert found[0] == f"a{MOST + 29}"
    assert found[-1] == "a0"


def test_those_without_a_row_are_ticks_of_a_strip():
    crowd = [accuracy(f"a{place}", 100 + place, 200) for place in range(MOST + 30)]
    names = shown(crowd, ())
    none = tuple((0,) * len(names) for _ in names)
    picture = between_picture(BetweenAnnotators(names, none, none), crowd, Estimate(0.7, n=10), {"a0"})
    assert picture is not None and picture.left is not None
    assert picture.left.count == MOST + 30 - len(names)
    assert len(picture.left.ticks) <= picture.left.count
    assert [row.middle for row in picture.rows] == sorted({row.middle for row in picture.rows})
    assert picture.left.top not in {row.middle - 9 for row in picture.rows}
    assert [row.name for row in picture.rows if row.is_outlier] == ["a0"]
    assert all(cell.level is None for cell in picture.cells), f"fewer than {FEWEST} items are shared"


def test_a_pair_of_the_study_is_counted_from_its_labels(study):
    panel = read_panel(study, coarse=False)
    names = sorted(panel.people["rater"].unique())
    found = between(panel, names)
    said = {rater: rows.set_index("item")["label"] for rater, rows in panel.people.groupby("rater")}
    for one, other in combinations(range(len(names)), 2):
        both = said[names[one]].to_frame("one").join(said[names[other]].rename("other"), how="inner")
        assert found.shared[one][other] == len(both)
        expected = (both["one"] == both["other"]).mean() if len(both) else None
        assert found.pair(one, other).value == (None if expected is None else pytest.approx(expected))
