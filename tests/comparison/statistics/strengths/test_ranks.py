"""Ranks: figures by hand, by attribute, in a neutral context; on the page, in the file, on the published sheet."""

import numpy as np
import pandas as pd
import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.models import Study
from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from comparison.frame.probabilities import read_ranks
from comparison.frame.reading import read_panel
from comparison.statistics.strengths.ranks import rank_figures, rank_gain, rank_rows
from scoring.models import Run, Score
from scoring.ranks import Ranks
from tests.comparison.cast import give_run
from tests.shared_data import shared
from tests.studies import open_small_study

NAN = float("nan")
CONTEXT = Ranks(np.array([1.0, 4.0, 2.0, 3.0, NAN]), np.array([3.0, 1.0, 1.0, 3.0, 2.0]))
NEUTRAL = Ranks(np.array([2.0, 2.0, 1.0, NAN, 1.0]), np.array([1.0, 1.0, 2.0, 1.0, 2.0]))


class TestByHand:
    def test_accuracy_reciprocal_rank_and_difference(self):
        found = rank_figures(CONTEXT)
        # Above on one of four: the same rank is not above. The item without a rank is left out.
        assert (found.accuracy.value, found.accuracy.n, found.count) == (0.25, 4, 1)
        assert found.reciprocal.value == pytest.approx((1 + 1 / 4 + 1 / 2 + 1 / 3) / 4)
        assert found.difference.value == pytest.approx((-2 + 3 + 1 + 0) / 4)
        for estimate in (found.accuracy, found.reciprocal, found.difference):
            assert None not in (estimate.low, estimate.value, estimate.high)
            assert estimate.low < estimate.value < estimate.high  # type: ignore[operator]

    def test_the_gain_is_over_items_that_have_both(self):
        gain = rank_gain(CONTEXT, NEUTRAL)
        assert gain.accuracy.n == 3
        assert gain.accuracy.value == pytest.approx(((1 - 0) + (0 - 0) + (0 - 1)) / 3)
        assert gain.difference.value == pytest.approx(((-2 - 1) + (3 - 1) + (1 + 1)) / 3)

    def test_no_ranks_are_undefined_and_one_has_no_interval(self):
        none = rank_figures(Ranks(np.array([NAN]), np.array([NAN])))
        assert {one.undefined for _, one, _ in none.named} == {"no item has ranks"}
        one = rank_figures(Ranks(np.array([2.0]), np.array([1.0])))
        assert one.reciprocal.no_interval == "there is only one item"

    def test_rows_by_value_the_largest_first(self):
        rows = rank_rows(["b", "a", "b", "", "a"], CONTEXT, NEUTRAL)
        assert [(row.value, row.items) for row in rows] == [("a", 2), ("b", 2), ("(none)", 1)]
        # Of the two items of `a`, one has ranks.
        assert rows[0].context.accuracy.n == 1
        assert len(rank_rows(["b", "a", "b", "", "a"], CONTEXT, None, most=1)) == 1
        ordered = rank_rows(["b", "a", "b", "", "a"], CONTEXT, None, order=("b", "a"))
        assert [row.value for row in ordered] == ["b", "a", "(none)"]

    def test_the_order_of_items_does_not_matter_to_the_value(self):
        turned = Ranks(CONTEXT.first[::-1], CONTEXT.other[::-1])
        assert rank_figures(turned).difference.value == rank_figures(CONTEXT).difference.value


def ranks_of(first, other):
    return {"intensifier": {"rank": first, "logprob": -1.0}, "negation": {"rank": other, "logprob": -2.0}}


@pytest.fixture
def study(db, tmp_path) -> Study:
    """Four items of two adverbs; a cloze run with the neutral context, and one of sentences, which has no ranks."""
    cache.clear()
    options = {"intensifier": "very", "negation": "not"}
    rows = [
        ItemRow(
            f"i{n}", {"sentence": f"Soup {n} is ____ cold.", "options": options}, attributes={"adverb": "ab"[n % 2]}
        )
        for n in range(4)
    ]
    task = {"type": "forced_choice", "question": "Which?", "options": ["intensifier", "negation"]}
    made = open_small_study(tmp_path / "small", rows, task=task, quality={"gold_distance": 1})
    scored = [(row.id, "intensifier", 1.0, "") for row in rows]
    run = give_run(made, [*scored[:3], ("i3", None, None, "too long")], key="berta", metric="cloze")
    for score, first, other in zip(run.scores.order_by("item__position"), (1, 4, 2), (3, 1, 1), strict=False):
        score.detail = {"options": ranks_of(first, other), "neutral": {"options": ranks_of(2, 1)}}
        score.save()
    give_run(made, scored, key="sent", metric="pll")
    return made


class TestOnThePage:
    @pytest.mark.slow
    def test_runs_with_ranks_and_one_by_attribute(self, logged_in, study):
        response = logged_in.get(reverse("results", args=[study.slug, "ranks"]), {"by": "adverb"})
        ranks = response.context["page"].figures["ranks"]
        assert [(name, row.context.accuracy.n) for _, name, row in ranks.runs] == [("berta · cloze", 3)]
        assert [(row.value, row.context.accuracy.n, row.neutral.accuracy.n) for row in ranks.rows] == [
            ("a", 2, 2),
            ("b", 1, 1),
        ]
        html = response.content.decode()
        assert "Rank of the target word" in html
        assert 'id="ranks-chart"' in html
        # In context, neutral and gain are lines of their own, each with its n: no column beyond a laptop's width.
        assert html.count(">gain</td>") == len(ranks.runs) + len(ranks.rows)

    @pytest.mark.slow
    def test_a_run_without_the_neutral_context_has_no_word_of_it(self, logged_in, study):
        other = give_run(study, [(f"i{n}", "intensifier", 1.0, "") for n in range(4)], key="zeta", metric="cloze")
        other.scores.update(detail={"options": ranks_of(1, 2)})
        asked = {"by": "adverb", "ranked": str(other.pk)}
        response = logged_in.get(reverse("results", args=[study.slug, "ranks"]), asked)
        ranks = response.context["page"].figures["ranks"]
        assert ranks.has_neutral
        assert not ranks.run_has_neutral
        assert "neutral" not in ranks.caption
        # The table of all runs has the other's lines; the table of this run has none.
        assert response.content.decode().count(">gain</td>") == 1

    @pytest.mark.slow
    def test_filters_act_and_nothing_is_read_twice(self, logged_in, study, django_assert_max_num_queries):
        address = reverse("results", args=[study.slug, "ranks"])
        chosen = {"attribute": "adverb", "value": "a"}
        assert logged_in.get(address, chosen).context["page"].figures["ranks"].runs[0][2].context.accuracy.n == 2
        Score.objects.filter(run__metric="cloze", item__external_id="i0").update(detail={})
        assert logged_in.get(address, chosen).context["page"].figures["ranks"].runs[0][2].context.accuracy.n == 2, (
            "remembered"
        )

    @pytest.mark.slow
    def test_the_run_that_is_looked_at_is_the_one_broken_down(self, logged_in, study):
        other = give_run(study, [(f"i{n}", "intensifier", 1.0, "") for n in range(4)], key="zeta", metric="cloze")
        other.scores.update(detail={"options": ranks_of(1, 2)})
        address = reverse("results", args=[study.slug, "ranks"])
        for run in study.runs.filter(metric="cloze"):
            assert logged_in.get(address, {"run": str(run.pk)}).context["page"].figures["ranks"].run == str(run.pk)

    @pytest.mark.slow
    def test_a_run_without_ranks_cannot_be_asked_for(self, logged_in, study):
        other = Run.objects.get(metric="pll")
        response = logged_in.get(reverse("results", args=[study.slug, "ranks"]), {"ranked": str(other.pk)})
        assert response.status_code == 400
        assert "ranked cannot be" in response.content.decode()

    @pytest.mark.slow
    def test_studies_without_ranks_show_nothing_of_them(self, logged_in, study):
        Run.objects.filter(metric="cloze").delete()
        response = logged_in.get(reverse("results", args=[study.slug, "ranks"]))
        assert response.context["page"].figures["ranks"] is None
        assert "It needs a run that ranks the words of the slot." in response.content.decode()

    def test_the_file_has_every_figure(self, study):
        header, *lines = export("ranks")(study, Selection())
        every = pd.DataFrame(lines, columns=header)
        assert set(every[every.run == "sent · pll"].undefined) == {"no item has ranks"}
        table = every[every.run == "berta · cloze"]
        assert len(table) == len(every) - 3 == (1 + 2) * 3 * 3
        here = table[(table.attribute == "adverb") & (table.value == "a") & (table.statistic == "mean_rank_difference")]
        assert dict(zip(here.context, here.estimate, strict=True)) == {
            "in context": pytest.approx(-0.5),
            "neutral": 1.0,
            "difference": pytest.approx(-1.5),
        }


@pytest.mark.slow
@pytest.mark.django_db
def test_the_published_ranks_give_what_the_file_says(tmp_path, capsys):
    """For the ten adverbs: equal to a direct computation over all rows of the file."""
    sheet = shared("intensifiers/items_bert_large_cased.csv")
    call_command("import_study", "intensifiers", str(sheet), "--out", str(tmp_path / "out"))
    study = Study.objects.get()
    maps = ["item={adverb}-{idx}"]
    for role, word in (("intensifier", "adv"), ("negation", "not")):
        maps += [f"prob.{role}=prob_{word}", f"rank.{role}=rank_{word}"]
    options = [part for one in maps for part in ("--map", one)]
    call_command(
        "import_scores", study.slug, str(sheet), "--name", "BERT-large", "--metric-name", "cloze", "--family", "masked",
        "--source", "Lorge and Pierrehumbert 2023", "--ranks-from", "0", "--skip-unknown", *options,
    )  # fmt: skip
    panel = read_panel(study, coarse=False)
    (run,) = read_ranks(study, panel)
    assert run.name == "BERT-large · cloze (imported)"
    rows = {row.value: row for row in rank_rows(panel.attributes["adverb"], run.context, run.neutral)}
    table = pd.read_csv(sheet, keep_default_na=False)
    assert len(table) == len(panel.items) == 400
    assert len(rows) == 10
    for adverb, own in table.groupby("adverb"):
        found = rows[str(adverb)].context
        assert found.accuracy.n == len(own)
        assert found.accuracy.value == pytest.approx((own.rank_adv < own.rank_not).mean(), abs=1e-12)
        assert found.reciprocal.value == pytest.approx((1 / (own.rank_adv + 1)).mean(), abs=1e-12)
        assert found.difference.value == pytest.approx((own.rank_adv - own.rank_not).mean(), abs=1e-12)
    strengths = np.log(table.prob_adv / table.prob_not)
    assert list(Score.objects.order_by("item__position").values_list("strength", flat=True)) == pytest.approx(
        list(strengths)
    )
