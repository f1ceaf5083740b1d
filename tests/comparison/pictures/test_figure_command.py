"""`figure` draws what the page draws; it and `export` take a run by its model's name."""

import csv
import io

import pytest
from django.core.management import CommandError, call_command

from tests.comparison.cast import give_run
from tests.studies import open_small_study, plausibility_row

EQUAL, LESS = "equally_likely", "less_likely"
STARTS = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.fixture
def two_runs(db, tmp_path):
    """Twelve items of two kinds; the owl is right on all of them, the mouse on none, by either of its metrics."""
    rows = [plausibility_row(n, reference=EQUAL, attributes={"kind": "ab"[n % 2]}) for n in range(1, 13)]
    made = open_small_study(tmp_path / "two", rows, slug="two")
    give_run(made, [(row.id, EQUAL, 1.0, "") for row in rows], key="owl", metric="label", family="classifier")
    for metric in ("label", "pll"):
        give_run(made, [(row.id, LESS, 1.0, "") for row in rows], key="mouse", metric=metric, family="classifier")
    return made


def refused(*arguments):
    with pytest.raises(CommandError) as error:
        call_command(*arguments)
    assert error.value.returncode == 2
    return str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize("kind", STARTS)
def test_a_chart_is_drawn_as_the_file_ends(two_runs, tmp_path, kind):
    file = tmp_path / f"heatmap.{kind}"
    call_command("figure", "two", "heatmap", "--query", "by=kind", "--out", str(file))
    assert file.read_bytes().startswith(STARTS[kind])


@pytest.mark.slow
def test_it_is_of_the_run_that_is_named(two_runs, tmp_path):
    drawn = {}
    for run in ("owl", "mouse:label"):
        file = tmp_path / "breakdown.svg"
        call_command("figure", "two", "breakdown", "--query", "by=kind", "--run", run, "--out", str(file))
        drawn[run] = file.read_text()
    assert "owl · label: 1.00 [.61, 1.00], n = 6" in drawn["owl"]
    assert "mouse · label: .00 [.00, .39], n = 6" in drawn["mouse:label"]


@pytest.mark.slow
def test_what_is_not_there_is_answered_with_what_is(two_runs, tmp_path):
    out = str(tmp_path / "x.svg")
    assert "no chart 'pie' for these results. Charts: accuracy, " in refused("figure", "two", "pie", "--out", out)
    assert "x.bmp must end in one of: svg, pdf, png." in refused("figure", "two", "accuracy", "--out", "x.bmp")
    known = "Runs: mouse:label, mouse:pll, owl:label."
    assert refused("export", "two", "items", "--run", "cat") == f"two has no run 'cat'. {known}"
    assert refused("export", "two", "items", "--run", "mouse") == f"two has several runs 'mouse'. {known}"


@pytest.mark.slow
def test_items_that_a_named_run_has_right(two_runs):
    found = {}
    for run in ("owl:label", "mouse:label"):
        written = io.StringIO()
        call_command("export", "two", "items", "--run", run, "--query", "right=right", stdout=written)
        found[run] = len(list(csv.DictReader(io.StringIO(written.getvalue()))))
    assert found == {"owl:label": 12, "mouse:label": 0}
