"""Tests between values: what p is corrected for, values without items, and the least p that exchanges can give."""

import pytest
from scipy.stats import chi2_contingency

from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import file_rows, page, words
from tests.studies import open_small_study, plausibility_row

YES, NO = "necessarily_true", "impossible"


@pytest.fixture
def events(db, tmp_path):
    """Forty items with a reference of two conditions, ten without of a third; two runs."""
    rows = [
        plausibility_row(n, reference=YES if n <= 40 else None, attributes={"condition": condition})
        for n in range(1, 51)
        for condition in ["reversible" if n > 40 else "animate" if n % 2 else "inanimate"]
    ]
    made = open_small_study(tmp_path / "events", rows, slug="events")
    for key, wrong in (("owl", range(1, 40, 2)), ("elk", range(1, 20, 2))):
        give_run(made, [(row.id, NO if n in wrong else YES, 1.0, "") for n, row in enumerate(rows, 1)], key=key)
    return made


@pytest.mark.slow
def test_values_without_an_item_in_the_test_are_left_out_and_named(logged_in, events):
    rows = file_rows(logged_in, "events", "between-values", by="condition")
    assert {row["values"] for row in rows} == {"animate | inanimate"}
    # Two values are left, so that every two of them would say the same again.
    assert len(rows) == 2
    assert {row["holm_over"] for row in rows} == {"runs, over all values: 2"}
    low, high = sorted(rows, key=lambda row: float(row["p"]))
    assert float(low["p_holm"]) == pytest.approx(2 * float(low["p"]))
    assert float(high["p_holm"]) == pytest.approx(float(high["p"]))
    said = words(page(logged_in, events, "breakdown", by="condition"))
    assert "Not tested: reversible." in said
    assert "p for 2 runs (Holm)" in said


@pytest.mark.slow
def test_every_two_of_three_values_are_a_family_of_their_own(logged_in, db, tmp_path):
    rows = [plausibility_row(n, reference=YES, attributes={"kind": "abc"[n % 3]}) for n in range(1, 61)]
    made = open_small_study(tmp_path / "three", rows, slug="three")
    give_run(
        made, [(row.id, NO if n % 3 == 0 or n % 6 == 1 else YES, 1.0, "") for n, row in enumerate(rows, 1)], key="owl"
    )
    found = file_rows(logged_in, "three", "between-values", by="kind")
    assert [row["holm_over"] for row in found] == ["runs, over all values: 1", *3 * ["pairs of values of this run: 3"]]
    least = min(found[1:], key=lambda row: float(row["p"]))
    assert float(least["p_holm"]) == pytest.approx(min(1, 3 * float(least["p"])))
    assert "p for 3 pairs (Holm)" in words(page(logged_in, made, "breakdown", by="kind"))


@pytest.mark.slow
def test_p_of_exchanges_is_printed_as_it_is_counted(logged_in, db, tmp_path):
    """Groups of two, right on one kind and wrong on the other: no exchange of 1,999 comes as far."""
    rows = [
        plausibility_row(n, reference=YES, group=f"g{(n - 1) // 2}", attributes={"kind": "a" if n <= 40 else "b"})
        for n in range(1, 81)
    ]
    made = open_small_study(tmp_path / "pairs", rows, slug="pairs")
    wrong = {n for n in range(1, 81) if (n <= 40) != (n % 20 in (1, 2))}
    for key in ("owl", "elk"):
        give_run(made, [(row.id, NO if n in wrong else YES, 1.0, "") for n, row in enumerate(rows, 1)], key=key)
    (one, other) = page(logged_in, made, "breakdown", by="kind").context["page"].figures["between-values"].runs
    assert one.found.p == other.found.p == 0.0005
    assert (one.p_words, one.held_words) == ("p = .0005", "p = .001")
    assert "permutation of values over whole groups of items" in one.test_words


@pytest.mark.slow
def test_peoples_majority_is_a_row_of_its_own_beside_the_runs(logged_in, events):
    """Right on all 20 of one condition and on 13 of 20 of the other; no test of the runs' family."""
    given = [(f"target-{n}", NO if n % 2 and n < 14 else YES) for n in range(1, 41)]
    give_labels(events, [(item, who, label) for item, label in given for who in ("a", "b")])
    rows = file_rows(logged_in, "events", "between-values", by="condition", against="reference")
    people, *runs = rows
    assert [row["run"] for row in rows] == ["majority", "elk · pll", "owl · pll"]
    expected = chi2_contingency([[20, 0], [13, 7]], correction=True)
    assert float(people["chi_squared_yates"]) == pytest.approx(expected.statistic)
    assert float(people["p_yates"]) == pytest.approx(expected.pvalue)
    assert (people["p_holm"], people["holm_over"]) == ("", "")
    assert {row["holm_over"] for row in runs} == {"runs, over all values: 2"}
    said = words(page(logged_in, events, "breakdown", by="condition", against="reference"))
    assert "Majority of people Fisher’s exact test; χ² with Yates’ correction 6.23" in said
    against = file_rows(logged_in, "events", "between-values", by="condition", against="majority")
    assert "majority" not in {row["run"] for row in against}, "it is what runs are held against"


@pytest.mark.slow
def test_a_baseline_is_tested_beside_the_models_and_answers_nothing(logged_in, events):
    always = [(item.external_id, NO if n % 2 else YES, None, "") for n, item in enumerate(events.items.all(), 1)]
    give_run(events, always, key="parity", metric="label", family="baseline")
    rows = {row["run"]: row for row in file_rows(logged_in, "events", "between-values", by="condition")}
    assert rows["parity · label"]["p_holm"] == rows["parity · label"]["holm_over"] == ""
    assert float(rows["parity · label"]["p"]) < 0.001
    assert {rows[name]["holm_over"] for name in rows if "parity" not in name} == {"runs, over all values: 2"}
