"""Pooled columns: one share over the items of several studies, whose interval knows which items belong together."""

import csv
import io

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from comparison.across.columns import PoolError, different_items, pooled
from comparison.across.table import HERE, LEARNT, Answers, Studied, accuracy_table, shared
from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.resampling.sample import Sample
from tests.comparison.cast import give_run
from tests.studies import open_small_study, plausibility_row

YES, NO = 0, 1


def answers(decided: list[int], *, rater: str = "m", **more: object) -> Answers:
    size = len(decided)
    return Answers(
        rater=rater,
        origin=HERE,
        decided=np.array(decided, dtype=np.int64),
        unscored=np.zeros(size, dtype=bool),
        answered=np.ones(size, dtype=bool),
        **more,  # type: ignore[arg-type]
    )


def study(name: str, truth: list[int], *given: Answers, ids: str = "", groups: tuple[str, ...] = ()) -> Studied:
    items = tuple(ids or "abcdefgh"[: len(truth)])
    return Studied(
        name,
        "people",
        np.array(truth, dtype=np.int64),
        given,
        items=items,
        groups=groups or ("",) * len(items),
        values=("yes", "no"),
    )


PLAIN = study("plain", [YES, NO, YES, NO], answers([YES, NO, NO, NO]), answers([YES] * 4, rater="only here"))
CHANGED = study("changed", [YES, NO, YES, NO], answers([YES, NO, NO, YES]))


def test_the_share_is_of_all_items_and_the_interval_of_clusters_by_id():
    found = pooled("both", [PLAIN, CHANGED])
    (line,) = accuracy_table([found])
    (cell,) = line.cells
    assert (line.rater, cell.right, cell.n) == ("m", 5, 8)
    right = np.array([1, 1, 0, 1, 1, 1, 0, 0], dtype=bool)
    among = np.ones(8, dtype=bool)
    by_id = share_of(right, among, reason="", sample=Sample(clusters=np.array([0, 1, 2, 3, 0, 1, 2, 3])))
    alone = share_of(right, among, reason="")
    assert (cell.share.low, cell.share.high) == (by_id.low, by_id.high)
    assert by_id.high - by_id.low > alone.high - alone.low  # type: ignore[operator]
    assert (found.with_truth, different_items(found)) == (8, 4)


def test_different_items_are_no_clusters():
    found = pooled("both", [PLAIN, study("other", [YES, NO], answers([YES, NO]), ids="yz")])
    assert found.sample.clusters is None


def test_a_group_holds_items_together_that_share_an_id_elsewhere():
    """a and b are one group in the first study; a, b and c of the second join by id, c alone by itself."""
    one = study("one", [YES, NO], answers([YES, NO]), ids="ab", groups=("g", "g"))
    other = study("other", [YES, NO, NO], answers([YES, NO, NO]), ids="abc")
    clusters = pooled("both", [one, other]).sample.clusters
    assert clusters is not None
    assert clusters.tolist() == [0, 0, 0, 0, 4]


def test_notes_and_what_a_rater_learned_from_stay():
    learned = answers([YES], note=LEARNT, trained_on=("one",))
    one, other = study("one", [YES], learned), study("other", [YES], answers([NO], trained_on=("one",)))
    (line,) = accuracy_table([pooled("both", [one, other])])
    assert (line.trained_on, line.cells[0].note) == (("one",), LEARNT)


def test_shared_items_stay_with_their_ids():
    half = answers([YES, NO, NO, NO])
    half.unscored[1] = True
    kept = shared(study("plain", [YES, NO, YES, NO], half))
    assert kept.items == ("a", "c", "d")
    assert pooled("both", [kept, CHANGED]).with_truth == 7


def test_other_labels_are_refused():
    other = Studied("rated", "people", np.array([0]), (), items=("a",), groups=("",), values=("1", "2"))
    with pytest.raises(PoolError, match="plain: yes, no; rated: 1, 2"):
        pooled("both", [PLAIN, other])


# The command.


@pytest.fixture
def variants(db, tmp_path):
    for slug, said in (("ab-boolq", ["yes", "no", "no"]), ("ab-altboolq", ["yes", "yes", "no"])):
        rows = [
            ItemRow(f"q{number}", {"question": f"is it {number}", "passage": "It is."}, reference=reference)
            for number, reference in enumerate(["yes", "no", "no"], 1)
        ]
        made = open_small_study(tmp_path / slug, rows, slug=slug, task={"type": "yes_no"}, quality={"gold_distance": 1})
        give_run(made, [(f"q{at}", label, 1.0, "") for at, label in enumerate(said, 1)], key="tiny")


def written(*arguments: str, **options: object) -> str:
    out = io.StringIO()
    call_command("accuracy_table", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.mark.slow
def test_a_pooled_column_is_marked_in_each_form(variants):
    arguments = ("ab-boolq", "--pool", "boolq+=ab-boolq,ab-altboolq")
    assert "boolq+ (pooled from ab-boolq + ab-altboolq, 6 items of 3 IDs)" in written(*arguments)
    rows = list(csv.DictReader(io.StringIO(written(*arguments, format="csv"))))
    assert {(row["study"], row["pooled_from"], row["count"], row["n"]) for row in rows} == {
        ("ab-boolq", "", "3", "3"), ("boolq+", "ab-boolq + ab-altboolq", "5", "6")
    }  # fmt: skip
    assert "| boolq+ (pooled from ab-boolq + ab-altboolq" in written(*arguments, format="markdown")
    # What its interval is of is said around the table, and in CSV beside each figure.
    assert "widened for items in groups (design effect, Kish 1965" in written(*arguments)
    assert "Kish" not in written("ab-boolq")
    (pooled_row,) = (row for row in rows if row["study"] == "boolq+")
    assert pooled_row["note"] == "items in 3 groups, design effect 1.2"


@pytest.mark.slow
def test_items_whose_label_is_left_out_are_not_items_without_a_reference(db, tmp_path):
    """ADEPT in four classes leaves *impossible* out; one more item has no reference at all."""
    references = ["impossible"] * 2 + ["less_likely"] * 3 + [None]
    rows = [plausibility_row(number, reference=one) for number, one in enumerate(references, 1)]
    made = open_small_study(tmp_path / "five", rows, slug="five")
    give_run(made, [(f"target-{at}", "less_likely", None, "") for at in range(1, 7)], key="tiny")
    assert "five (3 items, 1 more without a reference, 2 left out by their label)" in written("five", classes=4)
    assert "five (5 items, 1 more without a reference)" in written("five")
    (row,) = csv.DictReader(io.StringIO(written("five", classes=4, format="csv")))
    assert (row["items_without_reference"], row["items_left_out"], row["n"]) == ("1", "2", "3")


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ("boolq+", "write NAME=STUDY,STUDY"),
        ("boolq+=ab-boolq", "write NAME=STUDY,STUDY"),
        ("ab-boolq=ab-boolq,ab-altboolq", "there is already a column 'ab-boolq'"),
        ("boolq+=ab-boolq,nothing", "There is no study 'nothing'"),
    ],
)
def test_pools_that_cannot_be(variants, given, wrong):
    with pytest.raises(CommandError, match=wrong):
        written("ab-boolq", "--pool", given)
