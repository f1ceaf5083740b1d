"""Numbers, tests, heatmap and regression on the page and in their files: the same figures, and every "?" opens."""

import csv
import re

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.stats import chi2_contingency, spearmanr

from annotation.itemfile import ItemRow
from comparison.bundle.making import make, write_tables
from comparison.figures.by_attribute.between_values import BETWEEN_VALUES
from comparison.figures.by_attribute.numbers_chart import Point, number_chart, placed_names, places
from comparison.statistics.accuracy.hits import accuracy
from tests.comparison.cast import Scored, give_run
from tests.comparison.page.visiting import file_rows, page, words
from tests.studies import open_small_study, plausibility_row

EQUAL, LESS = "equally_likely", "less_likely"
INTENSITY = {"hardly": "-1.5", "quite": "0.1", "really": "0.2", "very": "0.5", "extremely": "0.9", "never": "-2"}
RIGHT = {"never": 1, "hardly": 3, "quite": 4, "really": 7, "very": 6, "extremely": 9}


@pytest.fixture
def adverbs(db, tmp_path):
    """Ten items an adverb, of which a run has the more right the stronger the adverb."""
    rows: list[ItemRow] = []
    scores: list[Scored] = []
    for adverb, intensity in INTENSITY.items():
        for n in range(10):
            kind = "strong" if float(intensity) > 0.1 else "weak"
            attributes = {"adverb": adverb, "intensity": intensity, "kind": kind, "half": str(n % 2)}
            rows.append(plausibility_row(len(rows) + 1, reference=EQUAL, attributes=attributes))
            scores.append((rows[-1].id, EQUAL if n < RIGHT[adverb] else LESS, float(n), ""))
    made = open_small_study(tmp_path / "adverbs", rows, slug="adverbs", results={"numbers": ["intensity"]})
    give_run(made, scores, key="owl", metric="label", family="classifier")
    return made


@pytest.mark.slow
def test_what_shares_a_number_is_found_and_correlated(logged_in, adverbs):
    response = page(logged_in, adverbs, "breakdown", by="intensity")
    found = response.context["page"].figures["numbers"]
    assert found.unit == "adverb"
    by_what = {one.what: one for one in found.rows}
    expected = spearmanr([float(one) for one in INTENSITY.values()], [RIGHT[adverb] for adverb in INTENSITY]).statistic
    assert by_what["accuracy"].spearman.value == pytest.approx(expected)
    assert by_what["accuracy"].spearman.unit == "values of adverb"
    assert (by_what["accuracy"].kendall.n, by_what["right"].kendall.n) == (6, 60)
    assert 'id="number-chart"' in response.content.decode()
    assert "each point is the items with one adverb" in words(response)
    rows = file_rows(logged_in, "adverbs", "numbers", by="intensity")
    (same,) = [row for row in rows if (row["what"], row["statistic"]) == ("accuracy", "kendall")]
    assert float(same["value"]) == pytest.approx(by_what["accuracy"].kendall.value)
    assert [(row["number"], row["count"]) for row in rows if row["point"] == "never"] == [("-2", "1")]


def point(value: str, number: float, right: int, of: int = 10) -> Point:
    return Point(value, number, accuracy((np.arange(of) < right).astype(int), np.ones(of, dtype=int)))


def test_dots_on_one_another_are_named_together():
    points = (point("quite", 0.1, 5), point("completely", 0.11, 5), point("never", -2.0, 1))
    spec = number_chart(points, "intensity", title="")
    assert spec is not None
    (rows,) = spec["datasets"].values()
    assert [one["name"] for one in rows] == ["quite, completely", "", "never"]


def test_names_that_would_stand_on_one_another_stand_on_other_sides():
    """Two dots at one height, one left of the middle and one right of it: both names would reach to the middle."""
    left, right = point("quite", -0.1, 5), point("completely", 0.1, 5)
    found = placed_names((point("never", -1.0, 9), left, right, point("so", 1.0, 1)))
    assert {one.words for one in found.values()} == {"never", "quite", "completely", "so"}
    assert found["quite"].side != found["completely"].side


def test_a_dot_in_a_corner_beside_another_is_named_too():
    """SO-CAL's five adverbs: nothing fits right of the last dot, and left of it is another."""
    right = {"hardly": (-1.5, 2), "quite": (0.1, 23), "completely": (0.2, 23), "really": (0.2, 30), "very": (0.2, 32)}
    found = placed_names([point(value, number, hits, of=40) for value, (number, hits) in right.items()])
    assert set(found) == set(right)


@pytest.mark.parametrize("seed", range(5))
def test_no_name_stands_on_a_dot_or_on_another_name(seed):
    rng = np.random.default_rng(seed)
    points = [point(f"adverb{n}", float(rng.normal()), int(rng.integers(0, 41)), of=40) for n in range(20)]
    boxes = [one.box for one in placed_names(points).values()]
    assert len(boxes) >= 8
    for box in boxes:
        assert not any(box.meets(other) for other in boxes if other is not box)
        assert not any(box.left < x < box.right and box.top < y < box.bottom for x, y in places(points))


@pytest.mark.slow
def test_values_are_tested_with_holms_correction(logged_in, adverbs):
    on_page = page(logged_in, adverbs, "breakdown", by="kind").context["page"]
    assert BETWEEN_VALUES.answer(on_page.chosen) == "yes"
    shown = on_page.figures["between-values"]
    table = [(7 + 6 + 9, 3 + 4 + 1), (1 + 3 + 4, 9 + 7 + 6)]
    assert shown.runs[0].found.p == pytest.approx(chi2_contingency(table, correction=False).pvalue)
    pairs = page(logged_in, adverbs, "breakdown", by="adverb").context["page"].figures["between-values"].pairs
    assert len(pairs) == 15
    tested = sorted(pairs, key=lambda one: one.found.p)
    assert tested[0].held == pytest.approx(min(1, 15 * tested[0].found.p))
    rows = file_rows(logged_in, "adverbs", "between-values", by="adverb")
    assert len(rows) == 16
    assert {row["test"] for row in rows} <= {"χ²", "Fisher’s exact test"}


@pytest.mark.slow
def test_heatmap_of_two_attributes_and_of_runs(logged_in, adverbs):
    response = page(logged_in, adverbs, "breakdown", by="adverb", across="half")
    found = response.context["page"].figures["heatmap"]
    assert (found.columns, len(found.rows)) == (("0", "1"), 6)
    assert sum(cell.correct for row in found.cells for cell in row) == sum(RIGHT.values())
    assert len(response.context["page"].by_value.heat.rows) == 6
    assert page(logged_in, adverbs, "breakdown", by="adverb").context["page"].figures["heatmap"].columns == (
        "owl · label",
    )
    rows = file_rows(logged_in, "adverbs", "heatmap", by="adverb", across="half", run=str(adverbs.runs.get().pk))
    assert sum(int(row["count"]) for row in rows) == sum(RIGHT.values())


@pytest.mark.slow
def test_runs_without_room_in_the_heatmap_are_counted(logged_in, adverbs, monkeypatch):
    monkeypatch.setattr("comparison.figures.by_attribute.heat_map.MOST_COLUMNS", 1)
    names = adverbs.items.values_list("external_id", flat=True)
    give_run(adverbs, [(name, LESS, 1.0, "") for name in names], key="crow", metric="label", family="classifier")
    response = page(logged_in, adverbs, "breakdown", by="adverb")
    assert "First 1 of 2 runs; all are in the download." in words(response)
    assert {row["column"] for row in file_rows(logged_in, "adverbs", "heatmap", by="adverb")} == {
        "owl · label",
        "crow · label",
    }


@pytest.mark.slow
def test_files_without_a_name_have_every_attribute(logged_in, adverbs):
    assert {row["by"] for row in file_rows(logged_in, "adverbs", "heatmap")} == {"adverb", "half", "intensity", "kind"}
    rows = file_rows(logged_in, "adverbs", "between-values")
    of_adverb = [row for row in rows if row["attribute"] == "adverb"]
    assert of_adverb == file_rows(logged_in, "adverbs", "between-values", by="adverb")
    assert {row["attribute"] for row in rows} == {"adverb", "half", "intensity", "kind"}


@pytest.mark.slow
def test_the_report_has_them_too(adverbs, tmp_path):
    (folder := tmp_path / "report").mkdir()
    make(adverbs, folder)
    assert {"shares.svg", "heatmap.svg", "confusion.svg"} <= {one.name for one in (folder / "figures").iterdir()}
    for name in ("shares", "numbers", "between-values", "heatmap"):
        table = pq.read_table(folder / "tables" / f"{name}.parquet")
        assert "attribute" in table.column_names or "by" in table.column_names
        assert table.num_rows, f"{name} has no lines"
    ratings = folder / "tables" / "ratings.parquet"
    assert not ratings.exists(), "no one has labeled, and all references are one: nothing could go with them"


@pytest.mark.slow
def test_regression_by_chosen_attributes(logged_in, adverbs):
    response = page(logged_in, adverbs, "breakdown", by="kind", predictors=["intensity", "half"])
    found = response.context["page"].figures["regression"].found
    assert [one.attribute for one in found.factors] == ["intensity", "half"]
    assert found.factors[0].odds.low > 1
    assert "Logistic regression of right answers, without random effects" in words(response)
    (row,) = [
        one
        for one in file_rows(logged_in, "adverbs", "regression", predictors="intensity")
        if one["attribute"] == "intensity"
    ]
    assert (row["of"], row["n"], row["count"]) == ("one more", "60", "30")


@pytest.mark.slow
def test_what_follows_from_another_attribute_is_named(logged_in, adverbs):
    found = page(logged_in, adverbs, "breakdown", by="kind", predictors=["intensity", "adverb"]).context["page"]
    assert found.figures["regression"].found.factors == ()
    assert found.figures["regression"].found.undefined.endswith("so remove one: intensity")


@pytest.fixture
def rare(db, tmp_path):
    """As in ADEPT's adverbs: two numbers that go together and only some adverbs have, none of them temporal."""
    rows: list[ItemRow] = []
    scores: list[Scored] = []
    for adverb, intensity in INTENSITY.items():
        for n in range(20):
            attributes = {"kind": "temporal" if adverb == "never" else ("epistemic", "plain")[n % 2]}
            attributes["length"] = str(n % 7)
            if adverb != "never":
                attributes |= {"socal": intensity, "vader": str(float(intensity) + 0.001 * (n % 3))}
            rows.append(plausibility_row(len(rows) + 1, reference=EQUAL, attributes=attributes))
            scores.append((rows[-1].id, EQUAL if n * 7 % 20 < 2 * RIGHT[adverb] else LESS, float(n), ""))
    numbers = ["length", "socal", "vader"]
    made = open_small_study(tmp_path / "adverbs", rows, slug="adverbs", results={"numbers": numbers})
    give_run(made, scores, key="owl", metric="label", family="classifier")
    return made


@pytest.mark.slow
def test_a_number_that_items_lack_is_in_the_model_only_where_it_is_chosen(logged_in, rare):
    response = page(logged_in, rare, "breakdown", by="kind")
    found = response.context["page"].figures["regression"].found
    assert (found.n, [one.attribute for one in found.factors]) == (120, ["length", "kind", "kind"])
    said = "ot in the model unless chosen, because some items lack them: socal (20 of 120), vader (20 of 120)"
    assert f"N{said}." in words(response)
    assert "left out" not in words(response)
    rows = file_rows(logged_in, "adverbs", "regression", by="kind")
    assert {(row["attribute"], row["n"]) for row in rows} == {("length", "120"), ("kind", "120")}
    assert {row["note"] for row in rows} == {f"plain logistic regression; n{said}"}


@pytest.mark.slow
def test_what_chosen_attributes_cost_and_do_not_determine_is_said(logged_in, rare):
    chosen = ["length", "socal", "vader", "kind"]
    response = page(logged_in, rare, "breakdown", by="kind", predictors=chosen)
    found = response.context["page"].figures["regression"].found
    out = "20 of 120 items are left out: 20 lack socal, 20 lack vader (some lack several)"
    said = f"{out}; no items are left with kind: temporal"
    assert found.n == 100
    assert f"{said}." in words(response)
    assert "unless chosen" not in words(response)
    rows = file_rows(logged_in, "adverbs", "regression", by="kind", predictors=chosen)
    assert {row["note"] for row in rows} == {f"plain logistic regression; {said}"}
    by_name = {row["attribute"]: row for row in rows}
    for name, other in (("socal", "vader"), ("vader", "socal")):
        why = by_name[name]["undefined"]
        assert why.startswith("the data do not determine it: its interval would span")
        assert f"correlated with {other}: variance inflation factor" in why
        assert why in words(response)
        assert (by_name[name]["value"], by_name[name]["high"], by_name[name]["p"]) == ("", "", "")
    assert by_name["length"]["value"]


@pytest.mark.slow
def test_without_an_attribute_that_all_items_have_the_page_says_so(logged_in, rare):
    response = page(logged_in, rare, "breakdown", by="socal")
    assert [one.attribute for one in response.context["page"].figures["regression"].found.factors] == ["length"]
    rare.numbers = ["socal", "vader"]
    rare.save()
    response = page(logged_in, rare, "breakdown", by="socal")
    assert "No model for owl · label: the model has no attribute." in words(response)
    assert "Not in the model unless chosen, because some items lack them: socal (20 of 120)" in words(response)
    (row,) = file_rows(logged_in, "adverbs", "regression", by="socal")
    assert row["undefined"] == "the model has no attribute"


@pytest.mark.slow
def test_the_reports_file_of_the_model_is_the_command(logged_in, rare, tmp_path):
    write_tables(rare, "regression", tmp_path)
    with (tmp_path / "regression.csv").open(encoding="utf-8", newline="") as lines:
        assert list(csv.DictReader(lines)) == file_rows(logged_in, "adverbs", "regression")


@pytest.mark.slow
def test_every_question_mark_opens(logged_in, adverbs):
    html = page(logged_in, adverbs, "breakdown", by="intensity").content.decode()
    asked = set(re.findall(r'popovertarget="about-(\w+)"', html))
    assert asked == set(re.findall(r'class="about-words" id="about-(\w+)"', html))
    assert asked >= {"with_number", "spearman", "pearson", "kendall", "between_values", "cramer", "regression"}


@pytest.mark.slow
def test_items_that_have_their_adverbs_number_are_drawn_with_it(logged_in, adverbs):
    """Six adverbs are six looks at intensity, however many items each has: sixty would be too sure."""
    response = page(logged_in, adverbs, "breakdown", by="intensity")
    rows = {one.what: one for one in response.context["page"].figures["numbers"].rows}
    alone = page(logged_in, adverbs, "breakdown", by="intensity", unit="half")
    as_if = {one.what: one for one in alone.context["page"].figures["numbers"].rows}
    together, apart = rows["right"].spearman, as_if["right"].spearman
    assert together.value == apart.value
    assert together.high - together.low > apart.high - apart.low
    assert rows["right"].pearson.low < as_if["right"].pearson.low
