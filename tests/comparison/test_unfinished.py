"""Commands that write figures of runs say which have not come to their end, and write them all the same."""

import csv
import io

import pytest
from django.core.management import call_command

from scoring.models import Run
from tests.comparison.cast import give_run
from tests.studies import open_small_study, plausibility_row

EQUAL = "equally_likely"
PARTIAL = "two: 1 run is still scoring, so results cover only part of the items: owl · label (2 of 4 items)."


@pytest.fixture
def half_scored(db, tmp_path):
    """Two studies of the same four items; the owl has two of them in the first, and the mouse failed."""
    rows = [plausibility_row(n, reference=EQUAL, attributes={"kind": "ab"[n % 2]}) for n in range(1, 5)]
    for slug in ("two", "other"):
        made = open_small_study(tmp_path / slug, rows, slug=slug)
        give_run(made, [(row.id, EQUAL, 1.0, "") for row in rows], key="cat", metric="label", family="classifier")
    two = Run.objects.get(study__slug="two").study
    owl = give_run(two, [(row.id, EQUAL, 1.0, "") for row in rows[:2]], key="owl", metric="label", family="classifier")
    Run.objects.filter(pk=owl.pk).update(state=Run.State.RUNNING, total=4, scored=1, unscored=1)
    return two


def said(command, *arguments, capsys):
    capsys.readouterr()
    call_command(command, *arguments)
    return capsys.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        ("export", "two", "confusion"),
        ("export", "two", "scores"),
        ("accuracy_table", "other", "two"),
        ("two_studies", "two", "other"),
        ("two_studies", "other", "two", "--items"),
    ],
)
def test_runs_under_way_are_named_on_standard_error_alone(half_scored, asked, capsys):
    found = said(*asked, capsys=capsys)
    assert found.err.splitlines() == [PARTIAL]
    assert "still scoring" not in found.out
    assert found.out.strip()


@pytest.mark.slow
def test_a_figure_and_a_report_say_it_too(half_scored, tmp_path, capsys):
    file = tmp_path / "accuracy.svg"
    assert said("figure", "two", "accuracy", "--out", str(file), capsys=capsys).err.splitlines() == [
        PARTIAL,
        f"Wrote {file}.",
    ]
    assert said("report", "two", "--out", str(tmp_path / "report"), capsys=capsys).err.startswith(PARTIAL)


@pytest.mark.slow
def test_what_failed_is_said_and_what_has_ended_or_is_of_people_is_not(half_scored, capsys):
    assert said("export", "two", "judgments", capsys=capsys).err == ""
    assert said("export", "other", "confusion", capsys=capsys).err == ""
    Run.objects.filter(model__key="owl").update(state=Run.State.FAILED)
    found = said("export", "two", "confusion", capsys=capsys)
    assert found.err.startswith("two: 1 run failed before finishing, so results cover only part of the items: owl")
    assert {row["run"] for row in csv.DictReader(io.StringIO(found.out))} == {"cat · label", "owl · label"}
