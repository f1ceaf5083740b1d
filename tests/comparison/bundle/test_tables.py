"""Tables for readers: their figures are the page's, and their captions say what they rest on."""

import html
import re

import pytest

from annotation.models import Item
from comparison.bundle import latex
from comparison.bundle.words.facts import SAID
from comparison.figures.registry import tables_of_report
from comparison.figures.table import Table
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.statistics.estimate import Estimate
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import everything


def made(study):
    return {table.name: table for table in tables_of_report(select(study, Selection()))}


def plain(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["study", "synthetic_study", "single_study", "cut_study", "asked_study"])
def test_every_figure_is_on_the_page(name, logged_in, request):
    study = request.getfixturevalue(name)
    shown = plain(everything(logged_in, study))
    cells = [cell for table in made(study).values() for row in table.rows for cell in row]
    figures = {cell.short for cell in cells if isinstance(cell, Estimate) and cell.value is not None}
    assert figures
    assert {figure for figure in figures if figure not in shown} == set()


@pytest.mark.slow
def test_captions_say_n_intervals_and_whose_labels(study):
    found = made(study)
    assert {"verdict", "agreement", "labels", "accuracy", "pairs", "breakdown"} <= set(found)
    for table in found.values():
        caption = latex.table_text(table, mark=SAID[study.population])
        assert latex.tex(SAID[study.population]) in caption
        assert "95 % intervals" in table.small_print or "no intervals" in table.small_print
        assert re.search(r"\bn\b|\d of \d|score \(", table.small_print), table.small_print


@pytest.mark.slow
def test_figures_beside_one_person_are_said_to_vary_over_items_and_annotators(study):
    found = made(study)
    assert "over items and annotators" in found["verdict"].method
    assert found["beside-person"].method.startswith("Brackets are 95 % intervals over items and annotators")
    assert "draws" not in found["beside-person"].small_print


@pytest.mark.slow
def test_no_one_is_a_person_in_a_synthetic_study(synthetic_study):
    for table in made(synthetic_study).values():
        said = " ".join(
            [*(one.head for one in table.heads), *(cell.text for line in table.lines for cell in line), table.title]
        )
        assert not re.search(r"\b(person|people)\b", said), table.name


@pytest.mark.slow
def test_an_undefined_figure_carries_its_reason(single_study):
    table = made(single_study)["agreement"]
    [line] = [line for line in table.lines if line[0].text == "Percent agreement"]
    assert line[1].text == "undefined"
    assert table.notes[line[1].note - 1].startswith("undefined: ")


def test_notes_are_numbered_once():
    reason = Estimate.none("only one label was used")
    rows = (("a", reason), ("b", Estimate(0.5, 0.4, 0.6, n=1200, note="of 3 pairs")), ("c", reason))
    table = Table(name="x", title="X", columns=("", "v"), rows=rows, rests_on="n", method="m")
    assert [[(cell.text, cell.note) for cell in line] for line in table.lines] == [
        [("a", 0), ("undefined", 1), ("", 0)],
        [("b", 0), (".50 [.40, .60]", 2), ("1,200", 0)],
        [("c", 0), ("undefined", 1), ("", 0)],
    ]
    assert table.notes == ("undefined: only one label was used", "of 3 pairs")


@pytest.mark.parametrize(
    ("sizes", "n"), [([49, 49], "49"), ([49, 40, 49], "49; 40; 49"), ([50, None], "50"), ([50, None, 40], "50; –; 40")]
)
def test_n_is_said_once_or_for_every_figure(sizes, n):
    cells = (Estimate.none("why") if size is None else Estimate(0.5, n=size) for size in sizes)
    heads = ("", *map(str, sizes))
    table = Table(name="x", title="X", columns=heads, rows=(("a", *cells),), rests_on="n", method="m")
    assert table.lines[0][-1].text == n


@pytest.mark.slow
def test_a_study_with_references_only_has_no_columns_of_a_majority(bare_study, study):
    give_run(bare_study, [(one.external_id, "impossible", None, "") for one in bare_study.items.all()], key="ash")
    Item.objects.filter(study=bare_study).update(reference="impossible")
    found = made(bare_study)["accuracy"]
    assert found.columns == (
        "Run",
        "Reference: accuracy",
        "Reference: accuracy over all items",
        "Reference: κ",
        "Reference: correct of n",
        "Unscored",
    )
    assert "majority" not in found.title
    both = made(study)["accuracy"]
    assert both.columns[1] == "Majority: accuracy"
    assert str(both.rows[0][0]) == "Majority of people"


def test_a_study_without_labels_and_runs_has_no_table(bare_study):
    assert made(bare_study) == {}
