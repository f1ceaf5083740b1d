"""The published score files of the event sets, as runs: binary accuracy as SOURCE.txt states, to the item."""

import pytest
from django.core.management import call_command

from annotation.models import Study
from scoring.models import Run
from tests.shared_data import shared

pytestmark = [
    pytest.mark.django_db,
]
TSV = ("--by", "text", "--no-header", "--delimiter", "tab", "--map", "text=2", "--skip-unknown")
# File, column, how many plausible sentences score higher, how many ties; whether lower is better.
PUBLISHED = {
    "DTFit": [
        ("dtfit.roberta-large.sentence-PLL.txt", 3, 361, 0),
        ("dtfit.gpt2-xl.sentence-LL.txt", 3, 346, 0),
        # The tie is ours: SOURCE.txt counts ties as wrong without naming this one.
        ("dtfit.tinylstm.surprisal_scores.txt", 3, 245, 1),
        ("DTFit_vassallo_v2.sdm-scores.txt", 6, 330, 0),
        ("DTFit_vassallo_deps.scores_baseline1.txt", 4, 219, 4),
    ],
    "EventsRev": [
        ("ev1.roberta-large.sentence-PLL.txt", 3, 30, 0),
        ("ev1.bert-large-cased.sentence-PLL.txt", 3, 34, 0),
        ("ev1.deberta-xxlarge-v2.sentence-PLL.txt", 3, 19, 0),
        ("ev1.gpt-j.sentence-LL.txt", 3, 31, 0),
        ("ev1.gpt2-xl.sentence-LL.txt", 3, 32, 0),
        ("ev1.mpt-7b.sentence-LL.txt", 3, 36, 0),
        ("ev1.mpt-30b.sentence-LL.txt", 3, 34, 0),
        ("ev1.tinylstm.surprisal_scores.txt", 3, 19, 0),
        ("ev1_deps_v2.sdm-scores.txt", 6, 20, 0),
        ("ev1_deps.update-model.TF-prod.n200.txt", 3, 26, 2),
        ("ev1_deps.scores_baseline1.txt", 4, 36, 0),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("events", PUBLISHED)
def test_accuracies_are_those_published(events, tmp_path):
    source = shared(f"event_knowledge/clean/clean_{events}_SentenceSet.csv")
    call_command("import_study", "events", str(source), "--set", events.lower(), "--out", str(tmp_path / "out"))
    study = Study.objects.get()
    found = {}
    for file, column, _, _ in PUBLISHED[events]:
        path = shared(f"event_knowledge/model_scores/{events}/{file}")
        lower = ["--lower-is-better"] if "tinylstm" in file else []
        options = ["--name", file, "--source", "Kauf, Ivanova et al. 2023", "--column", str(column), *lower]
        call_command("import_scores", study.slug, str(path), *TSV, *options)
        run = Run.objects.get(study=study, model__name=file)
        scores = list(run.scores.all())
        plausible = sum(score.decision == "plausible" for score in scores)
        found[file] = (plausible, sum("no_decision" in score.detail for score in scores))
        assert (run.state, run.scored, run.unscored) == ("finished", study.items.count(), 0)
    assert found == {file: (right, ties) for file, _, right, ties in PUBLISHED[events]}


@pytest.mark.slow
def test_three_measures_of_one_model_stand_side_by_side(tmp_path):
    source = shared("event_knowledge/clean/clean_EventsRev_SentenceSet.csv")
    call_command("import_study", "events", str(source), "--set", "eventsrev", "--out", str(tmp_path / "out"))
    study = Study.objects.get()
    for metric in ("sentence-LL", "sentence-LL.average_byNrTokens", "sentence-LL.average_byNrWords"):
        path = shared(f"event_knowledge/model_scores/EventsRev/ev1.gpt2-xl.{metric}.txt")
        options = [
            "--name",
            "GPT-2 XL",
            "--metric-name",
            metric,
            "--family",
            "causal",
            "--source",
            "x",
            "--column",
            "3",
        ]
        call_command("import_scores", study.slug, str(path), *TSV, *options)
    assert study.runs.values("model").distinct().count() == 1
    assert [run.scores.filter(decision="plausible").count() for run in study.runs.order_by("metric")] == [32, 32, 32]
