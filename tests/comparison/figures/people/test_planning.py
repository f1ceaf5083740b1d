"""Label shares with a model's help, and planning: on the comparison page, on a page of its own, as a command."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.models import Study
from comparison.exports.registry import export
from comparison.figures.people.plan_ground import NO_LABELS, Ground, known, planned_ratings, ratings_of
from comparison.figures.people.planning import (
    NEXT,
    ONE_EACH,
    STOPPING,
    designs,
    labels_an_item,
    next_items,
    stopping,
)
from comparison.figures.people.powered import ALL_LABELED, LEARNED, UNLIKE, powered_part
from comparison.figures.people.yields import YIELD
from comparison.frame.filters.selection import Selection
from comparison.frame.reading import read_panel
from comparison.frame.selected import select
from comparison.statistics.estimate import plain
from comparison.statistics.planning.plan import Design
from tests.browser import PHONE, serious_violations
from tests.browser import logged_in as logged_in_page
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import page, words
from tests.comparison.statistics.agreement.made import ends, value
from tests.studies import open_small_study, plausibility_row
from tests.worlds import world

LESS, EQUAL, MORE = "less_likely", "equally_likely", "more_likely"
ITEMS, LABELED = 90, 60


def true(number: int) -> str:
    return (LESS, EQUAL, MORE)[number * 7 % 3]


def said(number: int, person: int) -> str:
    return EQUAL if (number + person) % 6 == 0 else true(number)


@pytest.fixture
def half_study(db, tmp_path) -> Study:
    return world("half labeled", lambda: half_labeled(tmp_path / "half"))


def half_labeled(folder: Path) -> Study:
    """Ninety items, two thirds labeled by three people; one run is mostly right, one always says the same."""
    names = [f"target-{number}" for number in range(1, ITEMS + 1)]
    made = open_small_study(folder, [plausibility_row(number) for number in range(1, ITEMS + 1)])
    labeled = [(names[number], f"p{person}", said(number, person)) for number in range(LABELED) for person in range(3)]
    give_labels(made, labeled)
    right = [(name, true(number) if number % 10 else LESS, 1.0, "") for number, name in enumerate(names)]
    give_run(made, right, key="good", metric="label", family="classifier")
    give_run(made, [(name, LESS, 1.0, "") for name in names], key="flat", metric="label", family="classifier")
    strengths = [(name, None, -40.0 + 3 * (LESS, EQUAL, MORE).index(true(n)), "") for n, name in enumerate(names)]
    give_run(made, strengths, key="strong", metric="pll", family="masked")
    return made


@pytest.fixture
def panel(half_study):
    return read_panel(half_study, coarse=False)


def run(panel, model):
    return next(one for one in panel.runs if one.model == model)


class TestPowered:
    @pytest.mark.slow
    def test_a_good_run_narrows_and_shares_sum_to_one(self, panel):
        part = powered_part(panel, run(panel, "good"), learned=False)
        assert (part.labeled, part.rest, len(part.rows)) == (60, 30, 5)
        assert sum(value(row.found.helped) for row in part.rows) == pytest.approx(1)
        assert part.worth is not None and part.worth > 1.5
        assert part.mean is not None
        assert ends(part.mean.found.helped)[0] > 1

    @pytest.mark.slow
    def test_a_run_without_labels_helps_by_its_strengths_and_not_by_degrees_that_have_seen_labels(self, panel):
        cut = run(panel, "strong")
        assert cut.is_cut
        part = powered_part(panel, cut, learned=False)
        other = powered_part(panel, replace(cut, decided=np.zeros_like(cut.decided)), learned=False)
        assert part.rows == other.rows
        assert part.worth is not None and part.worth > 1.2

    def test_a_run_that_says_always_the_same_changes_nothing(self, panel):
        part = powered_part(panel, run(panel, "flat"), learned=False)
        assert all(row.found.helped == row.found.alone for row in part.lines)

    def test_a_run_that_learned_from_these_labels_is_refused(self, panel):
        assert powered_part(panel, run(panel, "good"), learned=True).undefined == LEARNED

    def test_everything_labeled_leaves_nothing_to_estimate(self, panel):
        part = panel.where(panel.counts.sum(axis=1) > 0)
        assert powered_part(part, run(part, "good"), learned=False).undefined == ALL_LABELED

    def test_labeled_items_that_are_no_random_part_are_noticed(self, panel):
        good = run(panel, "good")
        assert powered_part(panel, good, learned=False).warning == ""
        labeled = panel.counts.sum(axis=1) > 0
        shifted = replace(good, decided=np.where(labeled, good.decided, 4))
        assert powered_part(panel, shifted, learned=False).warning == UNLIKE

    @pytest.mark.slow
    def test_on_the_page(self, logged_in, half_study):
        text = words(page(logged_in, half_study, "people"))
        assert "30 unlabeled items" in text
        assert "mean label" in text

    @pytest.mark.slow
    def test_as_a_file(self, half_study):
        header, *rows = export("powered")(half_study, Selection())
        found = [dict(zip(header, row, strict=True)) for row in rows]
        assert {row["of"] for row in found} == {"unlabeled items", "all items like these"}
        assert {row["by"] for row in found} == {"people alone", "people and the run"}


class TestPlanning:
    def test_the_two_in_front_are_the_most_accurate_models(self, panel):
        found = known(panel)
        assert (found.first, found.second) == ("good · label", "flat · label")
        assert found.here is not None
        assert len(found.here.counts) == LABELED
        assert designs(panel, 3)[0] == Design(60, 3)

    def test_collecting_may_stop_once_two_are_told_apart(self, panel):
        found = stopping(panel, 3)
        assert found.told is not None
        assert (found.finished, found.items, found.told.apart) == (60, 90, True)
        assert "good · label is right more often" in found.words
        assert found.above_chance

    def test_degrees_that_were_fitted_to_the_labels_are_not_held_against_chance(self, panel):
        """As in the verdict: they know how common each label is."""
        cut = replace(panel, runs=(run(panel, "strong"),))
        found = stopping(cut, 3)
        assert found.chance is not None
        assert found.accuracy.low is not None
        assert found.accuracy.low > found.chance
        assert not found.above_chance
        assert "is not tested against chance: its labels come from cut points" in found.words

    def test_an_item_counts_when_it_has_all_its_labels(self, panel):
        found = stopping(panel, 4)
        assert found.finished == 0
        assert found.words == "Not yet: no item has all its labels yet."

    def test_as_imported_an_item_is_complete_with_the_labels_that_it_has(self, panel):
        """As in the progress of the study: 90 items, of which 60 have labels."""
        counts = panel.counts.copy()
        counts[0] = [2, *[0] * (counts.shape[1] - 1)]
        found = stopping(replace(panel, counts=counts), 0)
        assert (found.finished, found.complete_words) == (60, "complete as imported")
        assert found.given == 60 * 3 - 1
        asked = stopping(replace(panel, counts=counts), 3)
        assert (asked.finished, asked.complete_words) == (59, "with 3 labels each")

    def test_groups_count_when_all_their_items_are_finished(self, panel):
        grouped = replace(panel, groups=np.array([f"g{place // 20}" for place in range(ITEMS)], dtype=object))
        found = stopping(grouped, 3)
        assert (found.accuracy.n, found.accuracy.note) == (3, ONE_EACH)
        assert found.told is not None
        assert found.told.only_one + found.told.only_other <= 3

    def test_the_next_labels_go_where_there_is_none(self, panel):
        found = next_items(panel, 4, most=40)
        assert [one.labels for one in found[:30]] == [0] * 30
        assert found[0].share == 1
        assert found[30].share < 1
        assert next_items(panel, 3) == found[:30]

    @pytest.mark.slow
    def test_a_page_draws_only_when_it_is_asked(self, logged_in, half_study):
        address = reverse("planning", args=[half_study.slug])
        assert "as it is" not in words(logged_in.get(address))
        text = words(logged_in.get(address, {"items": 200, "labels": 4}))
        assert "60 × 3 this study" in text
        assert "200 × 4" in text

    @pytest.mark.slow
    @pytest.mark.parametrize("query", [{"items": "0"}, {"items": "many"}, {"labels": "1000"}, {"items": "9" * 30}])
    def test_an_address_that_does_not_fit_is_refused_in_words(self, logged_in, half_study, query):
        response = logged_in.get(reverse("planning", args=[half_study.slug]), query)
        assert response.status_code == 400
        assert "whole number from 1 to 10,000" in words(response)

    @pytest.mark.slow
    @pytest.mark.parametrize("query", [{"options": "1"}, {"agreement": "2"}, {"first": "much"}, {"second": "nan"}])
    def test_assumptions_that_cannot_be_are_refused_in_words(self, logged_in, half_study, query):
        response = logged_in.get(reverse("planning", args=[half_study.slug]), query)
        assert response.status_code == 400
        assert "agreement and accuracies are numbers from 0 to 1" in words(response)

    @pytest.mark.slow
    def test_before_any_label_power_is_of_what_is_assumed(self, logged_in, bare_study):
        query = {"options": "2", "agreement": "0.6", "first": "0.75", "second": "0.7", "items": "400", "labels": "3"}
        response = logged_in.get(reverse("planning", args=[bare_study.slug]), query)
        assert "About 1,510 items with 3 labels separate models with accuracies .75 and .70." in words(response)
        planned = response.context["planned"]
        assert [line.labels for line in planned.curve.lines] == [3, 5, 9]
        assert planned.curve.dot_said == "400 items × 3: power .28"
        alone = logged_in.get(reverse("planning", args=[bare_study.slug]), query | {"second": ""})
        assert "show that .75 beats chance (.50)" in words(alone)

    @pytest.mark.slow
    def test_with_labels_they_say_what_to_assume(self, logged_in, half_study):
        planned = logged_in.get(reverse("planning", args=[half_study.slug])).context["planned"]
        assert planned.assumed.agreement == round(planned.ground.agreement, 2)
        assert planned.assumed.first > 0.8 > planned.assumed.second

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", ["csv", "svg"])
    def test_the_curves_are_files(self, logged_in, bare_study, kind):
        response = logged_in.get(reverse("power_file", args=[bare_study.slug, kind]), {"first": "0.9"})
        assert response.status_code == 200
        assert f"{bare_study.slug}-power.{kind}" in response["Content-Disposition"]

    @pytest.mark.slow
    def test_without_labels_the_page_says_so(self, logged_in, bare_study):
        assert NO_LABELS in words(logged_in.get(reverse("planning", args=[bare_study.slug])))

    @pytest.mark.slow
    def test_as_a_file(self, half_study):
        header, *rows = export("planning")(half_study, Selection())
        found = [dict(zip(header, row, strict=True)) for row in rows]
        assert {row["statistic"] for row in found} >= {"accuracy", "alpha", "power_apart", "p_apart_at_any_look"}
        header, *rows = export("next-labels")(half_study, Selection())
        assert [row[header.index("labels")] for row in rows] == [0] * 30


class TestCommand:
    @pytest.mark.slow
    def test_it_prints_a_line_for_each_design(self, half_study):
        out = io.StringIO()
        call_command("plan", half_study.slug, items=[50, 100], labels=[3, 5], studies=100, stdout=out)
        lines = out.getvalue().splitlines()
        assert lines[0] == "First: good · label; second: flat · label"
        assert [line.split()[:3] for line in lines[2:6]] == [
            ["50", "3", "150"], ["100", "3", "300"], ["50", "5", "250"], ["100", "5", "500"],
        ]  # fmt: skip
        assert "Can we stop collecting?" in out.getvalue()

    def test_what_cannot_be_planned_is_said(self, half_study, bare_study):
        with pytest.raises(CommandError, match="nothing to plan from: no item is labeled yet"):
            call_command("plan", bare_study.slug)
        with pytest.raises(CommandError, match="There is no study 'none'"):
            call_command("plan", "none")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("screen", [{"color_scheme": "dark"}, {"viewport": PHONE}])
def test_both_parts_read_well_in_a_browser(open_page, live_server, client, researcher, half_study, screen):
    client.force_login(researcher)
    shown = logged_in_page(open_page(**screen), live_server, client)
    for address in (reverse("results", args=[half_study.slug, "people"]), reverse("planning", args=[half_study.slug])):
        shown.goto(f"{live_server.url}{address}?items=200&labels=4")
        assert serious_violations(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_what_is_complete_is_one_thing_on_every_page(half_study):
    """People, Planning and the file count as complete what the study's targets say."""
    half_study.items.targets().want_no_more()
    half_study.as_imported = True
    half_study.save(update_fields=["as_imported"])
    chosen = select(half_study, Selection())
    found = STOPPING.read(chosen)
    assert found.finished == YIELD.read(chosen).complete > 0
    assert NEXT.read(chosen) == (), "no more labels are wanted"
    assert labels_an_item(chosen) == round(chosen.gathered.labels / found.finished)
    header, *rows = export("planning")(half_study, Selection())
    stop = next(line for line in (dict(zip(header, row, strict=True)) for row in rows) if line["part"] == "stopping")
    assert (stop["items"], stop["labels_per_item"], stop["labels"]) == (found.finished, None, chosen.gathered.labels)


RATING = {"type": "rating", "question": "How natural is it?", "points": 7, "low": "Not", "high": "Completely"}


def ratings_study(folder: Path) -> Study:
    rows = [
        ItemRow(id=f"i{n}", kind="target", content={"sentence": f"Baker {n} sleeps."}, attributes={"half": "ab"[n % 2]})
        for n in range(ITEMS)
    ]
    return open_small_study(folder / "ratings", rows, slug="ratings", task=RATING)


@pytest.mark.slow
def test_of_ratings_by_one_person_the_reason_is_that_none_has_two(logged_in, tmp_path):
    made = ratings_study(tmp_path)
    give_labels(made, [(f"i{n}", "p0", str(1 + n % 7)) for n in range(ITEMS)])
    why = known(select(made, Selection()).whole).undefined
    assert planning_file(made)[0]["undefined"] == why != NO_LABELS
    assert f"Typical values: {why};" in words(logged_in.get(reverse("planning", args=[made.slug])))


@pytest.mark.slow
def test_a_study_of_ratings_is_planned_by_rho_or_a_mean_difference_before_labels_and_from_them(logged_in, db, tmp_path):
    made = ratings_study(tmp_path)
    address = reverse("planning", args=[made.slug])
    before = words(logged_in.get(address))
    assert "items with 3 labels separate models with ρ = .50 and .40." in before
    assert "Typical values: no item is labeled yet" in before and "ccuracy" not in before
    apart = words(logged_in.get(address, {"difference": "0.5", "labels": "5"}))
    assert "items with 5 labels show a mean difference of .50 SD." in apart
    assert "show a difference in means by number of items" in apart
    refused = logged_in.get(address, {"agreement": "2"})
    assert refused.status_code == 400 and "Agreement and ρ are numbers" in words(refused)

    rng = np.random.default_rng(3)
    worth = rng.normal(4, 1.2, size=ITEMS)
    given = np.clip(np.rint(worth[:, None] + rng.normal(0, 1.2, size=(ITEMS, 4))), 1, 7).astype(int)
    give_labels(made, [(f"i{n}", f"p{who}", str(given[n, who])) for n in range(ITEMS) for who in range(4)])
    for key, spread in (("owl", 0.5), ("elk", 2.0)):
        scores = worth + rng.normal(0, spread, size=ITEMS)
        give_run(made, [(f"i{n}", None, float(score), "") for n, score in enumerate(scores)], key=key)
    shown = logged_in.get(address)
    planned = shown.context["planned"]
    # Labels and true ratings differ by as much as true ratings do; scores follow these by 1.2 in 1.3 and in 2.3.
    assert planned.assumed.agreement == pytest.approx(0.5, abs=0.12)
    assert [planned.assumed.first, planned.assumed.second] == pytest.approx([0.92, 0.51], abs=0.12)
    assert "Estimated from 90 labeled items" in words(shown) and "Can we stop" not in words(shown)
    file = logged_in.get(reverse("power_file", args=[made.slug, "csv"]))
    assert (
        b"".join(file.streaming_content).decode().splitlines()[0]
        == "items,labels_per_item,power_above_zero,power_apart,agreement,first,second,difference"
    )
    # The command and the file plan by the same measure, from the same assumptions.
    expected = planned.assumed.power(items=ITEMS, labels=labels_an_item(select(made, Selection())))
    lines = planning_file(made)
    assert {(row["statistic"], row["run"]) for row in lines} == {
        ("power_apart", planned.ground.first), ("power_above_zero", planned.ground.first),
    }  # fmt: skip
    assert lines[0]["estimate"] == expected.apart
    assert planning_file(made, where=(("half", "a"),)) == lines, "whatever the filters"
    assert printed(made, items=[ITEMS])[2].split()[3:] == [plain(expected.apart, decimals=2), "1.00"]


def test_a_plan_begins_with_models_that_follow_people_also_where_those_in_front_do_not():
    """Two models that are as far as chance from people cannot be separated by any number of items."""
    found = Ground(30, "owl", "elk", agreement=0.84, right=(-0.03, -0.37))
    assert (ratings_of(found).first, ratings_of(found).second) == (0.5, 0.4)
    as_they_are = planned_ratings(replace(found, agreement=0.5), Design(100, 3))
    assert (as_they_are.above_zero.value, as_they_are.above_zero.undefined) == (None, "the model’s ρ is not above 0")
    said = "models are compared with published ratings"
    assert planned_ratings(Ground(30, "", "", said), Design(100, 3)).apart.undefined == said
    # Of 300 simulated studies 60 % showed it.
    assert as_they_are.apart.value == pytest.approx(0.6, abs=0.06)


@pytest.mark.slow
def test_no_accuracy_is_planned_of_a_study_that_is_measured_by_distance(logged_in, half_study):
    half_study.declared = half_study.declared | {"measure": "distance"}
    half_study.save(update_fields=["declared"])
    said = "power can be computed for accuracy and ρ, not for mean distance in steps"
    answer = logged_in.get(reverse("planning", args=[half_study.slug]), {"agreement": "2", "items": "many"})
    assert answer.status_code == 200, "the page has no form in which they could be mended"
    shown = words(answer)
    assert said[1:] in shown and "Model accuracy" not in shown and "Can we stop" not in shown
    assert [(row["part"], row["undefined"]) for row in planning_file(half_study)] == [("plan", said)]
    with pytest.raises(CommandError, match=said):
        printed(half_study)
    people = words(page(logged_in, half_study, "people"))
    assert "Power, top two runs" not in people and "differ: good" not in people


def planning_file(study: Study, **filters: Any) -> list[dict[str, object]]:
    header, *rows = export("planning")(study, Selection(**filters))
    return [dict(zip(map(str, header), row, strict=True)) for row in rows]


def printed(study: Study, **asked: object) -> list[str]:
    out = io.StringIO()
    call_command("plan", study.slug, stdout=out, **asked)
    return out.getvalue().splitlines()
