"""Items by what is true of them and what a run says: the filters that cells of tables lead to."""

import re
from html import unescape

import pytest

from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from tests.comparison.page.visiting import page


def items(study, **asked):
    chosen = select(study, read_selection({name: [value] for name, value in asked.items()}))
    assert list(chosen.rows.items) == list(chosen.panel.items), "files of rows have the same"
    return list(chosen.panel.items)


def key(study, model):
    return str(study.runs.get(model__key=model).pk)


@pytest.mark.slow
def test_by_the_truth(study):
    assert items(study, true="equally_likely") == ["target-2", "target-4"]
    assert items(study, true="equally_likely", against="reference") == ["target-2", "target-5", "target-6"]
    assert items(study, true="necessarily_true") == []


@pytest.mark.slow
def test_by_what_the_run_gives(study):
    parrot = key(study, "parrot")
    panel = select(study, Selection()).whole
    for place, value in enumerate(panel.values):
        here = [str(item) for item, code in zip(panel.items, panel.decided(parrot), strict=True) if code == place]
        assert items(study, given=value, run=parrot) == here
    silent = key(study, "smol")
    assert items(study, given="none", run=silent) == list(panel.items)


@pytest.mark.slow
def test_right_and_wrong_are_all_that_both_label(study):
    parrot = key(study, "parrot")
    right = items(study, right="right", run=parrot, against="majority")
    wrong = items(study, right="wrong", run=parrot, against="majority")
    assert right == ["target-1", "target-2", "target-3"]
    assert wrong == ["target-4"]
    assert items(study, right="wrong", run=parrot, against="reference") == []


@pytest.mark.slow
def test_a_cell_of_the_confusion_matrix_has_its_items(logged_in, study):
    parrot = key(study, "parrot")
    found = page(logged_in, study, "models", run=parrot).context["page"]
    values = found.outline.values
    for true, row in zip(values, found.figures["confusion"], strict=True):
        for given, cell in zip(values, row.cells, strict=True):
            assert len(items(study, true=true, given=given, run=parrot)) == cell.count


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"true": "nonsense"}, "true cannot be 'nonsense'; choices: impossible, less_likely"),
        ({"given": "nonsense"}, "given cannot be 'nonsense'; choices: none, impossible"),
        ({"right": "perhaps"}, "right cannot be 'perhaps'; choices: right, wrong"),
    ],
)
def test_what_there_is_not_is_refused(study, asked, said):
    with pytest.raises(SelectionError, match=said):
        items(study, **asked)


def test_of_no_run_nothing_can_be_asked(bare_study):
    with pytest.raises(SelectionError, match="no run to filter by"):
        items(bare_study, right="wrong")


@pytest.mark.slow
def test_the_page_says_what_it_shows_and_remembers_it_apart(logged_in, study):
    parrot = key(study, "parrot")
    answer = page(logged_in, study, "items", right="wrong", run=parrot)
    assert [one.words for one in answer.context["page"].chips] == ["parrot is wrong"]
    assert "parrot is wrong" in " ".join(answer.content.decode().split())
    assert answer.context["page"].table.total == 1
    assert page(logged_in, study, "items", right="right", run=parrot).context["page"].table.total == 3


@pytest.mark.slow
def test_cells_lead_to_their_items(logged_in, study):
    """Every link of the confusion matrix and of the breakdown leads to as many items as its cell has."""
    parrot = key(study, "parrot")
    matrix = page(logged_in, study, "models", run=parrot).content.decode()
    cells = re.findall(r'<a href="([^"]+)"\s+aria-label="[^"]+: (\d+) items', matrix)
    assert cells
    for address, count in cells:
        assert logged_in.get(unescape(address)).context["page"].table.total == int(count)
    broken = page(logged_in, study, "breakdown", by="class", against="majority").content.decode()
    wrong = re.findall(r'<a href="([^"]+)"\s+aria-label="[^"]*; the (\d+) that ', broken)
    assert wrong
    for address, count in wrong:
        assert logged_in.get(unescape(address)).context["page"].table.total == int(count)
