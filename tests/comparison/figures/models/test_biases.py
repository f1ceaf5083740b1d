"""The section on response bias, and its lines in the files, of a study with runs that have some."""

import pytest

from annotation.itemfile import ItemRow
from annotation.models import Study
from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.frame.status import read_standing
from scoring.metrics import METRICS
from scoring.models import LanguageModel
from scoring.runs.fitting import misfit
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row

EQUAL, LESS, MORE = "equally_likely", "less_likely", "more_likely"
ITEMS = 40


@pytest.fixture
def biased_study(db, tmp_path):
    """Equally many references of two labels: one run has four mistakes both ways, one gives the same label to all."""
    references = [EQUAL, LESS] * (ITEMS // 2)
    study = open_small_study(
        tmp_path / "biased", [plausibility_row(n, reference=one) for n, one in enumerate(references, 1)], slug="biased"
    )
    names = [f"target-{number}" for number in range(1, ITEMS + 1)]
    fair = [LESS, EQUAL, LESS, EQUAL, *references[4:]]
    give_run(study, [(n, one, None, "") for n, one in zip(names, fair, strict=True)], key="fair", metric="label")
    give_run(study, [(n, MORE, None, "") for n in names], key="yes-sayer", metric="label")
    return study


@pytest.mark.slow
def test_the_section_names_the_run_that_favors_a_label(logged_in, biased_study):
    said = words(page(logged_in, biased_study, "biases"))
    assert "Biased by label: yes-sayer" in said
    assert "yes-sayer label More likely 1.00, .00" in said
    assert "uses “More likely” more often than it is right" in said
    assert "uses “Equally likely” less often than it is right" in said
    assert said.count("not shown") == 1


@pytest.mark.slow
def test_every_test_is_in_the_files(biased_study):
    header, *rows = export("biases")(biased_study, Selection())
    assert {row[header.index("against")] for row in rows} == {"reference"}
    place = {name: header.index(name) for name in ("section", "rater", "statistic", "value", "undefined", "note")}
    lines = {
        (row[place["rater"]], row[place["statistic"]]): row for row in rows if row[place["section"]] == "bias by label"
    }
    found = lines["yes-sayer · label", "More likely"]
    assert found[place["value"]] == 1.0
    assert "uses “More likely” more often than it is right" in found[place["note"]]
    assert lines["yes-sayer · label", "More likely:p"][place["value"]] == pytest.approx(2 / 2**ITEMS)
    assert lines["fair · label", "Equally likely:p"][place["value"]] == 1.0
    assert ("fair · label", "Impossible:p") not in lines
    report_header, *report = export("report")(biased_study, Selection())
    assert sum(row[report_header.index("section")] == "bias by label" for row in report) >= len(lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "by"), [({"right": "right"}, "whether a run is right"), ({"given": MORE}, "a run’s answers")]
)
def test_a_label_that_was_asked_for_is_not_favored(logged_in, biased_study, asked, by):
    run = str(biased_study.runs.get(model__key="yes-sayer" if "given" in asked else "fair").pk)
    untold = f"These items were filtered by {by}, so no bias is reported."
    said = words(page(logged_in, biased_study, "biases", run=run, **asked))
    assert f"No verdict: items were filtered by {by}." in said
    assert untold in said
    assert "yes-sayer label More likely 1.00, .00" in said, "the figures stay"
    assert "more often than it is right" not in said
    assert "not shown" not in said
    header, *rows = export("biases")(biased_study, Selection(run=run, **asked))
    notes = [row[header.index("note")] for row in rows if row[header.index("statistic")] == "More likely"]
    assert notes
    assert all(one.startswith(untold) for one in notes)
    assert "more often than" not in str(rows)


@pytest.mark.slow
def test_without_a_label_to_compare_with_there_is_no_section(logged_in, bare_study):
    assert "Response bias" not in words(page(logged_in, bare_study, "models"))


def pairs(rights: list[str]) -> list[ItemRow]:
    return [
        ItemRow(
            id=f"pair-{number}",
            content={
                "options": {"plausible": f"The cook baked bread {number}.", "odd": f"The bread {number} baked it."}
            },
            reference=right,
        )
        for number, right in enumerate(rights, 1)
    ]


@pytest.mark.slow
def test_no_label_is_a_bar_and_none_is_favored_where_one_role_is_always_right(logged_in, tmp_path):
    """A run that gives the first role to 30 of 40 pairs: in one study it is always right, in the other for 35."""
    task = {"type": "forced_choice", "question": "Which is likelier?", "options": ["plausible", "odd"]}
    for slug, rights in (("always", ["plausible"] * 40), ("mixed", ["plausible"] * 35 + ["odd"] * 5)):
        study = open_small_study(tmp_path / slug, pairs(rights), slug=slug, task=task, quality={"gold_distance": 1})
        give_run(study, [(f"pair-{n}", "odd" if n > 30 else "plausible", None, "") for n in range(1, 41)], key="ash")
    always, mixed = (words(page(logged_in, study, "models", open="all")) for study in Study.objects.order_by("slug"))
    assert "best constant" in mixed and "plausible” more often than it is right" not in mixed
    assert "best constant" not in always and "label odd" not in always
    one_role = Study.objects.get(slug="always")
    give_run(
        one_role,
        [(f"pair-{n}", "plausible", None, "") for n in range(1, 41)],
        key="majority", metric="label", family="baseline",
    )  # fmt: skip
    overview = words(page(logged_in, one_role, "overview"))
    assert overview.count("No constant baseline: “plausible” is right in every item") == 1
    for part in ("overview", "models", "items", "breakdown"):
        assert "majority · label" not in words(page(logged_in, one_role, part, open="all")), part
    standing = read_standing(select(one_role, Selection()))
    assert [one.name for one in standing.verdict.runs.placed] == ["ash pll"], "nor on the list"
    assert "decision:majority · label" not in next(iter(export("items")(one_role, Selection())))
    majority = LanguageModel.objects.get(key="majority")
    assert "so a constant label is not a baseline" in (misfit(one_role, majority, METRICS["label"]) or "")
    assert misfit(Study.objects.get(slug="mixed"), majority, METRICS["label"]) is None
    assert "beats chance (.50)" in overview and "favoring" not in overview.split("beats chance")[1][:60]
