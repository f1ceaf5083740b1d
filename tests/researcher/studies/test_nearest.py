"""Which model is nearest: the list of studies, the tile on the study page and the comparison page say the same."""

from html import escape

import pytest
from django.urls import reverse

from annotation.models import Study
from comparison.statistics.verdict.parts import Verdict
from scoring.models import Run
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import words
from tests.comparison.statistics.agreement.made import value
from tests.studies import open_small_study, plausibility_row

pytestmark = pytest.mark.slow

DEGREES = ["impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true"]
ITEMS = 40


@pytest.fixture
def labeled(db, tmp_path) -> Study:
    """Eight items a degree, by three people; two runs that give strengths only.

    The strengths of `cuts-well` part the degrees cleanly but for four items far off; those of `ranks-well` slip a
    little everywhere, so that ρ is high and no cut points part the degrees.
    """
    study = open_small_study(tmp_path / "forty", [plausibility_row(number) for number in range(ITEMS)], slug="forty")
    names = [f"target-{number}" for number in range(ITEMS)]
    degree = [number * 5 // ITEMS for number in range(ITEMS)]
    labels = [(name, f"p{who}", DEGREES[place]) for name, place in zip(names, degree, strict=True) for who in range(3)]
    give_labels(study, labels)
    far_off = {0: 4, 1: 4, 38: 0, 39: 0}
    cuts_well = [(name, None, 10.0 * far_off.get(n, degree[n]) + n % 8, "") for n, name in enumerate(names)]
    give_run(study, cuts_well, key="cuts-well")
    ranks_well = [(name, None, float(n + (5 if n % 2 else -5)), "") for n, name in enumerate(names)]
    give_run(study, ranks_well, key="ranks-well")
    return study


def said(client, study) -> dict[str, str]:
    """What each page says of the nearest model, from the words on."""
    pages = {name: words(client.get(reverse(name, args=[study.slug]))) for name in ("study", "results")}
    pages["studies"] = words(client.get(reverse("studies")))
    return pages


def verdicts(client, study) -> tuple[Verdict, Verdict]:
    """That of the list of studies and that of the comparison page."""
    [line] = client.get(reverse("studies")).context["lines"]
    return line.standing.verdict, client.get(reverse("results", args=[study.slug])).context["page"].verdict


def test_every_page_says_the_same(client, labeled):
    """Every field, so that there can be no second way to it."""
    listed, shown = verdicts(client, labeled)
    assert listed == shown
    assert listed.who == "cuts-well pll†"
    pages = said(client, labeled)
    for name in ("study", "results"):
        assert escape(shown.headline, quote=False) in pages[name], name
    assert shown.figure in pages["studies"]
    assert shown.who in pages["studies"]


def test_degrees_by_cut_points_take_part_on_every_page(client, labeled):
    pages = said(client, labeled)
    found, _ = verdicts(client, labeled)
    assert found.measure == "accuracy"
    assert "cuts-well pll†" in found.on("nearest")
    assert found.of("nearest")[0].statement in pages["results"]
    for name in ("studies", "study"):
        assert "cuts-well pll" in pages[name], name
    head = client.get(reverse("results", args=[labeled.slug])).context["page"].findings.runs
    hits = next(run.majority.hits.accuracy for run in head if run.model == "cuts-well")
    assert found.runs.nearest[0].value == hits


def test_the_tile_and_the_list_say_that_it_rests_on_cut_points(client, labeled):
    pages = said(client, labeled)
    assert "abels by cut points, each as frequent as in the labels of 40 items" in pages["study"]
    assert "cuts-well pll†" in pages["studies"]


def test_a_model_that_gives_one_label_is_not_the_nearest_for_having_seen_none(client, labeled):
    """It names labels itself, and is behind one whose strengths were cut."""
    names = [f"target-{number}" for number in range(ITEMS)]
    give_run(
        labeled, [(name, DEGREES[0], None, "") for name in names], key="parrot", metric="label", family="classifier"
    )
    listed, shown = verdicts(client, labeled)
    assert listed == shown
    assert [one.name for one in shown.runs.nearest] == ["cuts-well pll (labels by cut points)"]
    assert not next(one for one in shown.runs.models if one.name.startswith("parrot")).is_told


def test_rho_alone_is_a_second_line_and_six_items_do_not_lead_by_luck(client, db, tmp_path):
    """Too few items for cut points, so that there is ρ only."""
    rows = [plausibility_row(number, reference=DEGREES[number * 5 // 18]) for number in range(18)]
    study = open_small_study(tmp_path / "few", rows, slug="few")
    lucky = (0.0, 0.0, 0.0, 0.5, 1.0, 1.0)
    give_run(study, [(row.id, None, strength, "") for row, strength in zip(rows, lucky, strict=False)], key="lucky")
    give_run(study, [(row.id, None, float(n + (3 if n % 2 else -3)), "") for n, row in enumerate(rows)], key="steady")
    listed, shown = verdicts(client, study)
    assert listed == shown
    assert shown.runs.nearest == ()
    rho = {one.name: one for one in shown.runs.strengths}
    assert value(rho["lucky pll"].rho) > value(rho["steady pll"].rho)
    assert rho["steady pll"].is_told
    pages = said(client, study)
    assert all(shown.of("strengths")[0].statement in pages[name] for name in ("study", "results"))
    assert "lucky pll, ρ .9 [.1, 1.0]" in pages["studies"]


def test_no_baseline_is_named_while_no_model_has_finished(client, db, tmp_path):
    rows = [plausibility_row(number, reference=DEGREES[number % 5]) for number in range(40)]
    study = open_small_study(tmp_path / "early", rows, slug="early")
    give_run(study, [(row.id, row.reference, None, "") for row in rows], key="Random", family="baseline")
    run = give_run(study, [(row.id, row.reference, None, "") for row in rows[:30]], key="slow", family="causal")
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    listed, shown = verdicts(client, study)
    assert listed == shown
    assert (listed.who, listed.figure, listed.runs.nearest) == ("", "", ())
    pages = said(client, study)
    assert "Random" not in pages["studies"]
    assert "1 run in progress" in pages["studies"]
    assert "No model can be compared yet." in pages["results"]
