"""The figures that docs/papers/ print, those that take seconds: made of all of the data, they are the page's.

Where the data are absent it is skipped with the file that is wanted. The other tests of this folder run every command
of a page on a slice.
"""

import pytest

from tests.papers.commands import run_page
from tests.papers.printed import figure_in, made, rows_of, tables
from tests.scoring.scorers.weights import needs_weights

pytestmark = [pytest.mark.slow, needs_weights]
SHARES = "Table 4, Figure 4: labels, in all and by class of adjective"
RULES = "Table 5: majority and normative rule"
ITEMS = "The items and BERT-large's published answers"
RANKS = "Accuracy, MRR and rank difference: in all, by class, by adverb"
NOTEBOOK = "The notebook: simple agreement"
# As the page calls them: as the export does.
STATISTICS = {"accuracy": "accuracy", "MRR": "mrr", "rank difference": "mean_rank_difference"}


def test_label_shares_and_rules_of_adept(installation):
    out = run_page("adept", {}, installation, [SHARES, RULES])
    table_4, figure_4 = tables("adept", SHARES)
    shares = {
        (file, row["value"], row["label"].replace("_", " ")): row
        for file in ("labels-train", "labels-train-by-class", "labels-val-by-class")
        for row in rows_of(out / f"{file}.csv")
    }
    wrong = []
    for line in table_4:
        cell = figure_in(line["ours, train (n = 12,891)"])
        wrong += differing(line["label"], cell, made(shares["labels-train", "all", line["label"]], cell, value="share"))
    for line in figure_4:
        label = line.pop("Figure 4, by class")
        for head, text in line.items():
            part, of = head.split(", ")[0], head.split(", ")[1].split(" (")[0]
            row = shares[f"labels-{part}-by-class", of, label]
            assert f"(n = {int(row['n']):,})" in head
            wrong += differing(f"{label}, {head}", figure_in(text), made(row, figure_in(text), value="share"))
    assert len(table_4) == len(figure_4) == 5
    assert not wrong + rules_that_differ(out)


def rules_that_differ(out):
    (table,) = tables("adept", RULES)
    raters = {"always *equally likely*": "Majority label", "normative rule, 55 adjectives": "Normative rule (ADEPT)"}
    lists = {"normative rule, all 61 of that file": "adept-61", "normative rule, the 60 printed": "adept-60"}
    wrong = []
    for classes, text, more in (
        ("5", "five-classes", ""),
        ("4", "four-classes", "-four"),
        ("3", "three-classes", "-three"),
    ):
        printed = {row["study"]: row for row in rows_of(out / f"lists{more}.csv")}
        lines = (out / f"{text}.txt").read_text(encoding="utf-8").splitlines()
        head = next(head for head in table[0] if head.startswith(f"ours, {classes} classes"))
        for line in table:
            cell, name = line[head], line["val"]
            count = cell.split(", ")[0].replace(",", "")
            if name in lists:
                row = printed[lists[name]]
                found = f"{row['count']}, {made(row, figure_in(cell))}"
            else:
                said = next(one for one in lines if one.startswith(raters[name]))
                found = f"{said.split(' of ')[0].split()[-1]}, {figure_in(said)}"
            wrong += differing(f"{name}, {head}", f"{count}, {figure_in(cell)}", found)
    assert len(table) == 4
    return wrong


def test_the_notebook_s_table_of_agreement(installation):
    out = run_page("agreement", {}, installation, [NOTEBOOK])
    (table,) = tables("agreement", NOTEBOOK)
    ours = {line[""]: line["ours, MiniLM-L6 masked LM"] for line in table}
    (said,) = (
        one for one in (out / "simple.txt").read_text(encoding="utf-8").splitlines() if one.startswith("MiniLM-L6")
    )
    pairs = list(rows_of(out / "pairs.csv"))
    right, wrong = (len(list(rows_of(out / f"{which}.csv"))) for which in ("right", "wrong"))
    assert [str(len(pairs)), str(right), str(wrong)] == [
        ours["pairs after its filter (one word differs, no *swims*)"], ours["right"], ours["wrong"]
    ]  # fmt: skip
    assert f"{right} of {len(pairs)}, {figure_in(ours['accuracy'])}" in said
    by = {row["value"]: row for row in rows_of(out / "by-template.csv") if row["statistic"] == "accuracy"}
    for number, value in (("singular", "sing_MS_MV"), ("plural", "plur_MS_MV")):
        name = f"{number} subject (`{value}`)"
        cell, row = ours[name], by[value]
        assert f"{made(row, figure_in(cell))}, {row['count']} of {row['n']}" == cell


def test_ranks_of_bert_large_by_class(installation):
    out = run_page("intensifiers", {}, installation, [ITEMS, RANKS])
    whole, by_class, _ = tables("intensifiers", RANKS)
    found = {
        (row["value"], row["statistic"]): row
        for row in rows_of(out / "ranks-by-class.csv")
        if row["run"].startswith("BERT-large") and row["context"] == "in context"
    }
    wrong = []
    for line in by_class:
        name, statistic = line["BERT-large by class"].split(", ")
        cell, row = line["ours"], found[name, STATISTICS[statistic]]
        wrong += differing(name, cell, f"{made(row, figure_in(cell))}, n = {row['n']}")
    for line in whole:
        statistic = line["BERT-large, in context"]
        cell = figure_in(line["ours, n = 400"])
        wrong += differing(statistic, cell, made(found["", STATISTICS[statistic]], cell))
    assert (len(whole), len(by_class)) == (3, 9)
    assert not wrong


def differing(what, printed, found):
    return [] if printed == found else [f"{what}: the page has {printed}, the commands make {found}"]
