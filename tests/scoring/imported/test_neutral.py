"""What a sheet says of a slot beside its options: the most probable words, and the neutral context."""

import csv
import io
import math
from collections import Counter

import pytest
from django.core.management import call_command

from annotation.models import Study
from scoring.models import Run
from tests.scoring.imported.score_files import CHOICE, QUALITY, SLOTS, bring, refused, scores
from tests.shared_data import shared
from tests.studies import open_small_study

pytestmark = pytest.mark.django_db
ROLES = ("plausible", "implausible")
CONTEXT = [f"{kind}.{role}={kind}_{role}" for kind in ("prob", "rank") for role in ROLES]
RANKS = [f"neutral.rank.{role}=bare_{role}" for role in ROLES]
HEAD = "item,prob_plausible,prob_implausible,rank_plausible,rank_implausible,bare_plausible,bare_implausible,top10\n"
TEXT = HEAD + 's1,0.5,0.2,1,2,7,3,"[[""very"", 0.5], [""not"", 0.2]]"\ns2,0.1,0.4,5,1,,2,\n'


@pytest.fixture
def study(tmp_path) -> Study:
    return open_small_study(tmp_path / "study", SLOTS, task=CHOICE, quality=QUALITY)


def test_words_and_neutral_ranks_are_kept(study, tmp_path):
    found = scores(bring(study, tmp_path, TEXT, "--map", *CONTEXT, *RANKS, "top=top10", file="scores.csv"))
    words = [["very", pytest.approx(math.log(0.5))], ["not", pytest.approx(math.log(0.2))]]
    assert found["s1"].detail["top"] == words
    assert found["s1"].detail["neutral"] == {"options": {"plausible": {"rank": 7}, "implausible": {"rank": 3}}}
    # An empty cell of the neutral context leaves the item its answer in context.
    assert found["s2"].decision == "implausible"
    assert "neutral" not in found["s2"].detail
    assert "top" not in found["s2"].detail


def test_neutral_probabilities_have_a_strength_and_a_difference(study, tmp_path):
    more = [f"neutral.prob.{role}=prob_{other}" for role, other in zip(ROLES, ROLES[::-1], strict=True)]
    found = scores(bring(study, tmp_path, TEXT, "--map", *CONTEXT, *RANKS, *more, file="scores.csv"))["s1"]
    assert found.detail["neutral"]["strength"] == pytest.approx(-found.strength)
    assert found.detail["neutral"]["difference"] == pytest.approx(2 * found.strength)


def test_ranks_of_imported_runs_have_a_gain(study, tmp_path, capsys):
    bring(study, tmp_path, TEXT, "--map", *CONTEXT, *RANKS, file="scores.csv")
    capsys.readouterr()
    call_command("export", study.slug, "ranks")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    accuracy = {
        row["context"]: float(row["estimate"])
        for row in rows
        if row["statistic"] == "accuracy" and row["estimate"] and not row["attribute"]
    }
    assert accuracy == {"in context": 0.5, "neutral": 0.0, "difference": 1.0}


@pytest.mark.parametrize(
    ("maps", "message"),
    [
        ([*CONTEXT[:2], *RANKS], "map rank for each option too"),
        ([*CONTEXT, RANKS[0]], "neutral.rank.implausible is not mapped"),
        ([*CONTEXT, "neutral.prob.plausible=2", "neutral.prob.implausible=3"], "For the neutral context, map rank"),
        (["score=2", "top=top10"], "only together with a probability and a rank"),
        (["score.plausible=2", "score.implausible=3", "top=top10"], "top has probabilities"),
        ([*CONTEXT, "neutral.top=8"], "'neutral.top' cannot be read"),
    ],
)
def test_columns_that_do_not_go_together(study, tmp_path, maps, message):
    assert message in refused(study, tmp_path, TEXT, "--map", *maps, file="scores.csv")


@pytest.mark.parametrize("cell", ["very", '"[[""very"", 2]]"', '"[""very""]"', '"{""very"": 0.5}"'])
def test_what_is_no_list_of_words_is_a_fault(study, tmp_path, cell):
    told = refused(
        study, tmp_path, HEAD + f"s1,0.5,0.2,1,2,7,3,{cell}\n", "--map", *CONTEXT, "top=top10", file="scores.csv"
    )
    assert "line 2, column “top10”: " in told
    assert 'is not a JSON list of words and numbers, such as [["not", 0.35]]' in told


@pytest.mark.slow
def test_the_published_sheet_keeps_its_top_ten(tmp_path):
    sheet = shared("intensifiers/items_bert_large_cased.csv")
    call_command("import_study", "intensifiers", str(sheet), "--out", str(tmp_path / "out"))
    study = Study.objects.get()
    call_command(
        "import_scores", study.slug, str(sheet), "--name", "BERT-large", "--source", "the sheet", "--ranks-from", "0",
        "--skip-unknown", "--map", "item={adverb}-{idx}", "prob.intensifier=prob_adv", "rank.intensifier=rank_adv",
        "prob.negation=prob_not", "rank.negation=rank_not", "top=top10",
    )  # fmt: skip
    run = Run.objects.get()
    # The sheet itself has nine words in 34 rows, seven and six in one each.
    assert Counter(len(score.detail["top"]) for score in run.scores.all()) == {10: 364, 9: 34, 7: 1, 6: 1}
    first = run.scores.get(item__external_id="never-0").detail["top"]
    assert [word for word, _ in first[:3]] == ["not", "more", "still"]
