"""Exports: who may have them, what stands in them, and that no cell runs as a formula."""

import csv
import io
from collections import defaultdict

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from statsmodels.stats.proportion import proportion_confint

from comparison.exports.cells import cell, lines
from comparison.exports.registry import FILES, export
from comparison.frame.filters.selection import Selection
from corpus.characters import unguarded
from scoring.models import LanguageModel
from tests.comparison.cast import give_labels, give_run
from tests.comparison.learned import learn_at_once
from tests.comparison.page.visiting import file_rows


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    return learn_at_once(monkeypatch)


def download(client, study, what, **query):
    return client.get(reverse("export", args=[study.slug, what]), query)


def table(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


# These studies declare no numbers and have no pairs of words; tests/comparison/exports has both by themselves.
HERE = [what for what in FILES if what not in ("numbers", "pairs")]


@pytest.mark.slow
def test_every_line_says_which_study_and_whose_labels(logged_in, synthetic_study):
    # Programs are not paid, and report nothing.
    for what in (what for what in HERE if what not in ("payments", "reports")):
        response = download(logged_in, synthetic_study, what)
        assert response.streaming, what
        assert response["Content-Disposition"] == f'attachment; filename="synthetic-synthetic-{what}.csv"'
        rows = table(response)
        assert rows, what
        assert {(row["study"], row["population"]) for row in rows} == {("synthetic", "synthetic")}, what


@pytest.mark.slow
def test_every_line_is_as_long_as_the_header(study):
    for what in HERE:
        header, *rows = csv.reader(io.StringIO("".join(lines(export(what)(study, Selection())))))
        assert rows, what
        assert {len(row) for row in rows} == {len(header)}, what


@pytest.mark.slow
def test_a_study_without_labels_and_runs_still_exports(bare_study):
    for what in FILES:
        header, *_ = export(what)(bare_study, Selection())
        assert header[0] == "study", what


@pytest.mark.slow
def test_no_cell_is_nan(study):
    cells = (lines(export(what)(study, Selection())) for what in FILES)
    for row in csv.reader(io.StringIO("".join(line for one in cells for line in one))):
        assert "nan" not in row


@pytest.mark.slow
def test_judgments(logged_in, study):
    rows = file_rows(logged_in, study.slug, "judgments")
    assert len(rows) == 15
    assert rows[0]["item"] == "target-1"
    assert (rows[0]["answer"], rows[0]["counts"], rows[0]["reference"]) == ("less_likely", "true", "less_likely")
    assert rows[0]["annotator"].startswith("a"), "a number, not the platform's id"


def test_judgments_that_do_not_count_are_kept_and_marked(logged_in, study):
    study.items.get(external_id="target-1").assignments.update(state="excluded")
    rows = file_rows(logged_in, study.slug, "judgments")
    assert {row["counts"] for row in rows if row["item"] == "target-1"} == {"false"}
    assert {row["counts"] for row in rows if row["item"] != "target-1"} == {"true"}


def test_judgments_come_sitting_by_sitting_in_the_order_of_answering(logged_in, study):
    rows = file_rows(logged_in, study.slug, "judgments")
    places = [(int(row["sitting"]), int(row["position"])) for row in rows]
    assert places == sorted(places)
    assert len({sitting for sitting, _ in places}) > 1


def test_scores(logged_in, study):
    rows = file_rows(logged_in, study.slug, "scores")
    assert len(rows) == 18
    smol = [row for row in rows if row["model"] == "smol"]
    assert (smol[1]["strength"], smol[5]["unscored"], smol[5]["strength"]) == ("1", "too long for the model", "")


def test_items_side_by_side(logged_in, study):
    rows = {row["item"]: row for row in file_rows(logged_in, study.slug, "items")}
    third = rows["target-3"]
    assert (third["labels:less_likely"], third["labels:equally_likely"], third["majority"]) == ("2", "1", "less_likely")
    assert (third["agreement"], third["attribute:class"]) == ("majority", "odd")
    assert (third["decision:parrot · label"], third["strength:smol · pll"]) == ("less_likely", "2")
    assert (rows["target-6"]["majority"], rows["target-6"]["divergence"]) == ("", "")


def test_filters_of_the_page_act_on_the_items(logged_in, study):
    assert len(file_rows(logged_in, study.slug, "items", agreement="unanimous")) == 2


def test_shares_of_the_confusion_matrix_have_n_and_interval(logged_in, study):
    key = study.runs.get(model__key="parrot").pk
    rows = file_rows(logged_in, study.slug, "confusion", run=key)
    cells = [row for row in rows if row["decision"] and row["against"] == "reference"]
    assert {row["all_n"] for row in cells} == {str(sum(int(row["count"]) for row in cells))}
    for row in cells:
        mine = sum(int(one["count"]) for one in cells if one["label"] == row["label"])
        assert row["row_n"] == str(mine)
        if mine:
            low, high = proportion_confint(int(row["count"]), mine, method="wilson")
            assert float(row["row_low"]) == pytest.approx(max(0, low), abs=1e-9)
            assert float(row["row_high"]) == pytest.approx(min(1, high), abs=1e-9)
            assert float(row["all_low"]) <= float(row["share_of_all"]) <= float(row["all_high"])
        else:
            assert (row["share_of_row"], row["undefined"]) == ("", "no answered item has this label")


@pytest.mark.slow
def test_a_matrix_against_what_no_item_has_is_one_line_that_says_so(bare_study):
    """A word a run in place of empty cells: here nothing is labeled, and then one label per item is no majority."""
    give_run(bare_study, [("target-1", "less_likely", None, "")], key="owl")
    assert _sides(bare_study)["majority"] == [("", "no item has a majority label")]
    give_labels(bare_study, [("target-1", "alone", "less_likely")])
    (majority,) = _sides(bare_study)["majority"]
    assert majority[0] == ""
    assert majority[1].startswith("no majority: ")
    assert _sides(bare_study)["reference"] == [("", "no item has a reference")]


def _sides(study) -> dict[str, list[tuple[str, str]]]:
    """By what the matrices are against, the count and the reason of each line."""
    found = defaultdict(list)
    for row in csv.DictReader(io.StringIO("".join(lines(export("confusion")(study, Selection()))))):
        found[row["against"]].append((row["count"], row["undefined"]))
    return found


@pytest.mark.slow
def test_the_report_has_five_four_and_three_classes(logged_in, study):
    rows = file_rows(logged_in, study.slug, "report")
    accuracy = [row for row in rows if row["rater"] == "parrot · label" and row["statistic"] == "accuracy"]
    assert [(row["classes"], row["against"], row["count"], row["n"]) for row in accuracy] == [
        ("5", "majority", "3", "4"),
        ("5", "reference", "6", "6"),
        ("4", "majority", "3", "4"),
        ("4", "reference", "6", "6"),
        ("3", "majority", "3", "4"),
        ("3", "reference", "6", "6"),
    ]
    assert accuracy[0]["value"] == "0.75"
    notes = [row["note"] for row in accuracy if row["classes"] == "4"]
    assert notes == 2 * ["4 classes: without items labeled impossible"]
    (unanimous,) = [row for row in rows if row["statistic"] == "unanimous" and row["classes"] == "5"]
    assert (unanimous["count"], unanimous["n"], unanimous["value"]) == ("2", "5", "0.4")
    assert 0 < float(unanimous["low"]) < 0.4 < float(unanimous["high"]) < 1
    assert {row["statistic"] for row in rows} >= {"fleiss_kappa", "alpha_ordinal", "unanimous", "labels_excluded"}


@pytest.mark.slow
@pytest.mark.parametrize(("true", "fewest"), [("impossible", 4), ("less_likely", 3)])
def test_a_report_of_items_of_a_label_that_few_classes_lack_has_no_lines_of_those(logged_in, study, true, fewest):
    """It broke off: the label was refused of three classes when the lines of five were on their way."""
    rows = table(download(logged_in, study, "report", true=true))
    assert min(int(row["classes"]) for row in rows if row["classes"].isdigit()) == fewest


@pytest.mark.slow
def test_the_report_has_every_coefficient_of_agreement(logged_in, study):
    rows = file_rows(logged_in, study.slug, "report")
    five = [row for row in rows if (row["section"], row["classes"]) == ("agreement", "5")]
    assert [row["statistic"] for row in five] == [
        "most_used_label:equally_likely", "percent_agreement", "ac1", "ac2_ordinal", "fleiss_kappa", "alpha_nominal",
        "alpha_ordinal", "reliability", "cohen_kappa", "cohen_linear", "cohen_quadratic", "scott_pi", "conger_kappa",
        "brennan_prediger", "ac2_linear", "ac2_quadratic", "ac1_raters", "ac1_both", "alpha_ordinal_raters",
        "alpha_ordinal_both",
    ]  # fmt: skip
    by_name = {row["statistic"]: row for row in five}
    assert float(by_name["ac1_raters"]["value"]) == pytest.approx(float(by_name["ac1"]["value"]))
    assert "fewer than 5 annotators" in by_name["ac1_both"]["note"]


def test_the_breakdown_has_every_attribute_and_the_one_asked_for(logged_in, study):
    rows = file_rows(logged_in, study.slug, "breakdown", by="class")
    assert {(row["attribute"], row["value"]) for row in rows} == {("class", "odd"), ("class", "even")}


@pytest.mark.slow
def test_two_models_of_one_name_have_lines_of_their_own(logged_in, study):
    other = give_run(
        study, [("target-1", "more_likely", None, "")], key="parrot-2", metric="label", family="classifier"
    )
    LanguageModel.objects.filter(pk=other.model_id).update(name="parrot")
    rows = file_rows(logged_in, study.slug, "breakdown", by="class")
    odd = [row for row in rows if (row["value"], row["against"]) == ("odd", "reference")]
    found = {row["rater"]: (row["count"], row["n"]) for row in odd}
    assert (found["parrot (parrot) · label"], found["parrot (parrot-2) · label"]) == (("3", "3"), ("0", "1"))


def test_the_confusion_of_one_run(logged_in, study):
    run = study.runs.get(model__key="parrot")
    rows = file_rows(logged_in, study.slug, "confusion", run=run.pk)
    assert {row["run"] for row in rows} == {"parrot · label"}
    assert sum(int(row["count"]) for row in rows if row["against"] == "majority") == 4


@pytest.mark.parametrize(
    ("what", "query"), [("everything", {}), ("items", {"sort": "x"}), ("items", {"attribute": "x"})]
)
def test_what_does_not_exist_is_not_found(logged_in, study, what, query):
    assert download(logged_in, study, what, **query).status_code == 404


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_formulas_are_neutralized(start):
    assert cell(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"


@pytest.mark.parametrize("number", ["-3.2", "+4", "-.5", "-1e-9", "12"])
def test_plain_numbers_stay_numbers(number):
    assert cell(number) == number


@pytest.mark.parametrize(("value", "text"), [(-3.25, "-3.25"), (None, ""), (True, "true"), (7, "7"), ("word", "word")])
def test_cells(value, text):
    assert cell(value) == text


def test_lines_are_csv():
    assert list(lines([["a", 'say "x"', "two\nlines"]])) == ['a,"say ""x""","two\nlines"\r\n']


def test_an_apostrophe_of_a_text_comes_back():
    for text in ("'+literal", "''=x", "'tis", "=1", "'-2", "-2", "'", ""):
        assert unguarded(cell(text)) == text


def test_a_formula_in_an_item_is_neutralized_in_the_file(logged_in, study):
    item = study.items.get(external_id="target-1")
    item.content = {**item.content, "original": "=HYPERLINK(1)"}
    item.save(update_fields=["content"])
    assert file_rows(logged_in, study.slug, "items")[0]["text"].startswith("'=HYPERLINK")


def test_the_command_writes_the_same_file(logged_in, study, tmp_path):
    out = tmp_path / "items.csv"
    call_command("export", study.slug, "items", out=out)
    assert out.read_bytes() == b"".join(download(logged_in, study, "items").streaming_content)


def test_the_command_names_the_studies_there_are(study):
    with pytest.raises(CommandError, match=r"There is no study 'other'. Available: small") as caught:
        call_command("export", "other", "items")
    assert caught.value.returncode == 2


def test_aggregations_have_each_way_and_each_person(logged_in, study):
    rows = file_rows(logged_in, study.slug, "aggregations")
    assert list(dict.fromkeys(row["way"] for row in rows)) == [
        "majority", "ties_shared", "weighted", "dawid_skene", "one_coin", "mace", "glad",
    ]  # fmt: skip
    found = [row for row in rows if row["rater"] == "parrot · label"]
    assert [(row["way"], row["value"], row["n"]) for row in found[:2]] == [
        ("majority", "0.75", "4"),
        ("ties_shared", "0.6666666667", "5"),
    ]
    assert [row["undefined"] for row in rows if row["way"] == "mace" and row["statistic"] == "labeled"] == [
        "mace was asked"
    ]
    people = [row for row in rows if row["statistic"] == "reliability" and row["way"] == "majority"]
    assert len(people) == 3
    assert people[0]["note"] == "agreement with it"


def test_the_alternative_annotator_test_has_each_cost_and_says_why_it_is_undefined(logged_in, study):
    rows = [row for row in file_rows(logged_in, study.slug, "alternative") if row["run"] == "parrot · label"]
    assert [(row["scoring"], row["epsilon"], row["statistic"]) for row in rows[:4]] == [
        ("accuracy", "", "advantage_probability"),
        ("accuracy", "0.1", "winning_rate"),
        ("accuracy", "0.15", "winning_rate"),
        ("accuracy", "0.2", "winning_rate"),
    ]
    assert all(row["undefined"].startswith("none of 3 annotators shares 30 items") for row in rows)


@pytest.mark.slow
def test_the_report_has_both_and_computes_nothing(logged_in, study, quick):
    rows = file_rows(logged_in, study.slug, "report")
    assert {"alternative annotator", "aggregation"} <= {row["section"] for row in rows}
    assert quick == []
    against = [row["against"] for row in rows if row["statistic"] == "accuracy_aggregated"]
    assert {"majority", "ties_shared", "weighted", "reference"} <= set(against)


@pytest.mark.slow
def test_the_report_has_the_verdict_of_the_page(logged_in, study):
    shown = logged_in.get(reverse("results", args=[study.slug])).context["page"].verdict
    rows = [row for row in file_rows(logged_in, study.slug, "report") if row["section"] == "verdict"]
    whole = [row for row in rows if row["classes"] == "5"]
    said = [row["note"] for row in whole if row["statistic"] in {"headline", *(one.part for one in shown.findings)}]
    assert tuple(said) == shown.sentences
    by_run = {(row["rater"], row["statistic"]): row for row in whole}
    assert by_run["parrot · label", "accuracy_on_shared_items"]["value"] == "0.75"
    assert (by_run["", "chance_level"]["value"], by_run["", "best_constant"]["note"]) == ("0.2", "always Less likely")
    assert {row["classes"] for row in rows} == {"5", "3"}
