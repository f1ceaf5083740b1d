"""Which model is nearest: the list of studies, the tile on the study page and the comparison page say the same."""

import re

import pytest
from django.urls import reverse

from annotation.models import Study
from tests.comparison.cast import give_labels, give_run
from tests.studies import open_small_study, plausibility_row

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


def text(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def said(client, study) -> dict[str, str]:
    """What each page says of the nearest model, from the words on."""
    pages = {name: text(client.get(reverse(name, args=[study.slug]))) for name in ("study", "results")}
    pages["studies"] = text(client.get(reverse("studies")))
    return pages


def test_degrees_by_cut_points_take_part_on_every_page(client, labeled):
    pages = said(client, labeled)
    assert "cuts-well · pll is the nearest" in pages["results"]
    for name in ("studies", "study"):
        assert "cuts-well · pll" in pages[name], name
    line = client.get(reverse("studies")).context["lines"][0]
    head = client.get(reverse("results", args=[labeled.slug])).context["page"].headline
    assert line.standing.nearest.statistic == "accuracy"
    assert line.standing.nearest.estimate == head.nearest.majority.hits.accuracy


def test_the_tile_and_the_list_say_that_it_rests_on_cut_points(client, labeled):
    pages = said(client, labeled)
    assert "degrees by cross-fitted cut points, 40 items, each of 40 groups left out in turn" in pages["study"]
    assert "cuts-well · pll (degrees by cut points)" in pages["studies"]


def test_a_model_that_names_labels_comes_first_everywhere(client, labeled):
    names = [f"target-{number}" for number in range(ITEMS)]
    give_run(
        labeled, [(name, DEGREES[0], None, "") for name in names], key="parrot", metric="label", family="classifier"
    )
    line = client.get(reverse("studies")).context["lines"][0]
    head = client.get(reverse("results", args=[labeled.slug])).context["page"].headline
    assert line.standing.nearest.name == head.nearest.name == "parrot · label"


def test_rho_alone_is_read_by_the_lower_end_on_every_page(client, db, tmp_path):
    """Too few items for cut points, so that ρ leads. A higher one on six items must not lead by luck."""
    rows = [plausibility_row(number, reference=DEGREES[number * 5 // 18]) for number in range(18)]
    study = open_small_study(tmp_path / "few", rows, slug="few")
    lucky = (0.0, 0.0, 0.0, 0.5, 1.0, 1.0)
    give_run(study, [(row.id, None, strength, "") for row, strength in zip(rows, lucky, strict=False)], key="lucky")
    give_run(study, [(row.id, None, float(n + (3 if n % 2 else -3)), "") for n, row in enumerate(rows)], key="steady")
    line = client.get(reverse("studies")).context["lines"][0]
    page = client.get(reverse("results", args=[study.slug])).context["page"]
    rho = {run.model: run.strength_reference.value for run in page.findings.runs}
    assert rho["lucky"] > rho["steady"]
    assert line.standing.nearest.statistic == "ρ"
    assert line.standing.nearest.name == page.strongest.name == "steady · pll"
    assert page.headline.nearest is None
