"""The items side by side, block by block: the same bytes as from one panel of all of them."""

from dataclasses import replace

import pytest

from annotation.itemfile import ItemRow
from annotation.models import Item
from comparison.exports import items_lines as side_by_side
from comparison.exports import items_outset as outset
from comparison.exports.cells import lines
from comparison.exports.items_lines import item_rows
from comparison.exports.registry import export
from comparison.frame.filters.address import SelectionError
from comparison.frame.filters.selection import Selection
from scoring.models import LanguageModel
from tests.comparison.cast import give_labels, give_run
from tests.comparison.cuts import DEGREES, SIZE
from tests.comparison.exports.plain import plain_items, plain_lines, revise
from tests.studies import open_small_study, plausibility_row

COARSE = Selection(classes="coarse")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Several of each study."""
    monkeypatch.setattr(side_by_side, "BLOCK", 4)
    monkeypatch.setattr(outset, "CHUNK", 4)


def same(study, *selections: Selection) -> bool:
    for selection in selections or (Selection(), COARSE):
        plain = plain_lines(plain_items(study, selection))
        found = "".join(lines(export("items")(study, selection)))
        assert found == plain
        assert plain_lines(item_rows(study, selection)) == plain
        assert found.count("\r\n") > 1
    return True


@pytest.mark.slow
def test_labels_strengths_and_what_is_not_scored(study, synthetic_study, single_study, bare_study):
    assert same(study)
    assert same(synthetic_study)
    assert same(single_study)
    assert same(bare_study)


@pytest.mark.slow
def test_filters(study):
    run = str(study.runs.get(model__key="parrot").pk)
    for one in (
        Selection(agreement="unanimous"),
        Selection(agreement="unlabeled"),
        Selection(where=(("class", "odd"),), classes="coarse"),
        Selection(right="wrong", run=run),
        Selection(run=run, by="class"),
    ):
        assert same(study, one)


@pytest.mark.slow
def test_degrees_by_cut_points(cut_study):
    """And on selected items, where another run may be what items are held against."""
    assert same(cut_study)
    assert same(cut_study, Selection(where=(("class", "odd"),)), Selection(true=DEGREES[0], against="reference"))
    give_run(cut_study, [("target-1", DEGREES[0], None, "")], key="parrot", metric="label", family="classifier")
    assert same(cut_study)
    assert same(cut_study, Selection(where=(("class", "even"),)))


@pytest.mark.slow
def test_cut_points_where_items_hang_together(db, tmp_path):
    task = {"type": "rating", "question": "How plausible?", "points": 4, "low": "Not at all", "high": "Very"}
    rows = [
        ItemRow(
            f"r{n}", {"first": f"The chef tasted soup {n // 2}.", "second": f"Stone {n}."}, group=f"g{n}" * (n % 3 == 0)
        )
        for n in range(60)
    ]
    study = open_small_study(tmp_path / "rated", rows, slug="rated", task=task)
    give_labels(study, [(f"r{n}", f"p{who}", str(1 + n // 15)) for n in range(1, 60) for who in range(n % 4)])
    give_run(study, [(f"r{n}", None, n / 10, "") for n in range(60)], key="smol", family="causal")
    assert "degree_by_cuts:smol · pll" in next(iter(export("items")(study, Selection())))
    assert same(study, Selection())


@pytest.mark.slow
def test_published_numbers_many_attributes_and_names_that_are_shared(db, tmp_path):
    task = {"type": "rating", "question": "How plausible?", "points": 7, "low": "Not at all", "high": "Very"}
    attributes: tuple[dict[str, str], ...] = (
        {"noun": "=soup"},
        {},
        {"verb": "3", "noun": "a, b"},
        {"zeta": "yes"},
        {"verb": ""},
        {"late": "x"},
    )
    rows = [
        ItemRow(
            f"s{n}", {"sentence": f'+The "chef" tasted soup {n}.'}, strength=None if n % 2 else n / 3, attributes=own
        )
        for n, own in enumerate(attributes)
    ]
    study = open_small_study(tmp_path, rows, task=task)
    give_run(study, [(f"s{n}", None, -1 / (n + 1), "") for n in range(5)], key="one")
    give_run(study, [(f"s{n}", str(n + 1), None, "") for n in (3, 1)], key="two", family="causal")
    LanguageModel.objects.update(name="twin")
    assert same(study, Selection())
    assert [name for name in next(iter(export("items")(study, Selection()))) if name.startswith(("attr", "dec"))] == [
        "attribute:noun", "attribute:verb", "attribute:zeta", "attribute:late",
        "decision:twin (one) · pll", "decision:twin (two) · pll",
    ]  # fmt: skip


ODD = (
    "=1+1", "-3.5", "+a", "@x, y", '"quoted"', "two\nlines", "two\rlines", "＝full", "ünïcode 漢字 🙂", "\ttab",
    "plain", "-0",
)  # fmt: skip


@pytest.mark.slow
def test_what_csv_and_spreadsheets_would_take_for_something_else(db, tmp_path):
    """In every cell of text that a study or a run brings, beside what is missing, tied, excluded or decided since."""
    rows = [
        ItemRow(
            f"{'_'.join(odd.split())}{n}",
            {"original": f"The chef tasted soup {n}, “so”.", "modified": f"{odd}: the hot soup {n}", "modifier": "hot"},
            reference=DEGREES[n % 5] if n % 3 else None,
            strength=(None, -0.0, 1e-12, 1 / 3)[n % 4],
            attributes={"class": ODD[-n], odd: "x"} if n % 2 else {},
            group=ODD[n // 2],
        )
        for n, odd in enumerate(ODD)
    ]
    study = open_small_study(tmp_path, rows)
    names = [row.id for row in rows]
    # One label, a tie, a majority, all alike, and none.
    given = [(name, f"p{who}", DEGREES[(n * who) % 4]) for n, name in enumerate(names[:-2]) for who in range(n % 5)]
    give_labels(study, given)
    labels = [(name, DEGREES[n % 5], (-0.0, 1e300, -1.5e-7, 123456.78905)[n % 4], "") for n, name in enumerate(names)]
    unscored = [(name, None, None, odd) for name, odd in zip(names[1:], ODD[1:], strict=True)]
    give_run(study, labels[::2], key="one", metric="label")
    give_run(study, [labels[0], *unscored], key="two", metric="label", family="causal")
    give_run(study, [(name, None, n / 7, "") for n, name in enumerate(names)], key="three")
    LanguageModel.objects.filter(key="two").update(name='=a, “b” "c"')
    assert same(study)
    revise(study)
    assert same(study)


@pytest.mark.slow
@pytest.mark.parametrize("dense", [side_by_side.DENSE, 0], ids=["by a range", "one by one"])
def test_the_file_has_another_order_than_the_database(study, monkeypatch, dense):
    monkeypatch.setattr(side_by_side, "DENSE", dense)
    for position, item in enumerate(study.items.order_by("-position")):
        Item.objects.filter(pk=item.pk).update(position=position)
    assert same(study)


@pytest.mark.slow
def test_gold_items_between_targets(db, tmp_path):
    rows = []
    for n in range(1, 7):
        rows += [plausibility_row(n), plausibility_row(n, kind="gold", reference="less_likely")]
    study = open_small_study(tmp_path, rows)
    give_labels(study, [(f"target-{n}", f"p{who}", DEGREES[(n + who) % 3]) for n in range(1, 7) for who in range(2)])
    give_run(study, [(row.id, DEGREES[n % 5], n / 7, "") for n, row in enumerate(rows)], key="one", metric="label")
    assert same(study)


@pytest.mark.slow
def test_a_block_is_read_when_its_lines_are_asked_for(cut_study, monkeypatch):
    read: list[tuple[int, int]] = []
    read_block = side_by_side.read_block

    def noted(study, of, begin: int, end: int):
        read.append((begin, end))
        return read_block(study, of, begin, end)

    monkeypatch.setattr(side_by_side, "BLOCK", 50)
    monkeypatch.setattr(side_by_side, "read_block", noted)
    rows = item_rows(cut_study, Selection())
    assert next(rows)[0] == "study"
    assert read == []
    assert len([next(rows) for _ in range(50)]) == 50
    assert read == [(0, 50)]
    assert len(list(rows)) == SIZE - 50
    assert read == [(0, 50), (50, 100), (100, 150)]


def test_an_item_that_is_gone_meanwhile_has_no_line(study):
    rows = item_rows(study, Selection())
    next(rows)
    study.items.get(external_id="target-6").delete()
    assert [row[2] for row in rows] == [f"target-{number}" for number in range(1, 6)]


def test_an_address_that_names_what_the_study_lacks(study):
    for one in (Selection(run="0"), Selection(by="noun"), replace(COARSE, runs=("x",))):
        with pytest.raises(SelectionError, match="cannot be"):
            next(export("items")(study, one))
