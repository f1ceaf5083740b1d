"""A model is asked the same question once, whatever the study (docs/metrics.md, G7)."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from annotation.itemfile import ItemRow
from annotation.models import Study
from annotation.tasktypes.contract import (
    Cloze,
    ClozeNumbers,
    Region,
    Result,
    ScoreRequest,
    Sentence,
    SentenceNumbers,
    Unscored,
)
from scoring.library.installation import install_baselines, install_packaged
from scoring.library.packaged import in_place, packaged
from scoring.metrics import METRICS
from scoring.models import LanguageModel, Remembered
from scoring.runs import asking, starting, working
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run
from scoring.scorers import masked, open_scorer
from scoring.scorers.networks.weights import deciding
from stimuli.constructions.agreement.build import generate
from stimuli.constructions.agreement.constructions import CONSTRUCTIONS
from stimuli.making.settings import settings as settings_of_pairs
from tests.scoring.library.little_models import SIZE, write_model
from tests.scoring.scorers.weights import MASKED, MODELS_DIR, needs_weights
from tests.scoring.working_off import run_through
from tests.studies import open_small_study
from work import queue

pytestmark = pytest.mark.django_db
CLOZE = ClozeNumbers((-0.1, -2.5), (1, 12), (("very", -0.1), ("so", -1.0)))
SENTENCE = SentenceNumbers(-3.25, (("wet", -3.0), (".", -0.25)))


@pytest.fixture
def model():
    return LanguageModel.objects.create(
        key="m", name="M", family="masked", method="masked", location="models", source="m", file_hash="a" * 64
    )


def test_g7_what_is_kept_comes_back_as_it_was(model):
    row = asking.measurement_of(model, "cloze")
    assert row is not None
    asked: dict[ScoreRequest, Result] = {Cloze("It was ____.", ("wet", "dry")): CLOZE, Sentence("Wet."): SENTENCE}
    asking.keep(row, asked)
    asking.keep(row, asked)
    assert asking.recall(row, [*asked, Sentence("Dry.")]) == asked


def test_g7_another_text_candidate_or_region_is_another_question(model):
    row = asking.measurement_of(model, "verb")
    assert row is not None
    asking.keep(row, {Sentence("Wet snow.", (Region("verb", 0, 3),)): SENTENCE, Cloze("____", ("a", "b")): CLOZE})
    others: list[ScoreRequest] = [
        Sentence("Wet snow."),
        Sentence("Wet snow.", (Region("verb", 4, 8),)),
        Cloze("____", ("b", "a")),
    ]
    assert asking.recall(row, others) == {}


@pytest.mark.parametrize(
    "change", [{"file_hash": "b" * 64}, {"dtype": "bfloat16"}, {"settings": {"start_token": "x"}}, {"revision": "r"}]
)
def test_g7_another_model_is_another_memory(model, change):
    before = asking.measurement_of(model, "pll")
    for name, value in change.items():
        setattr(model, name, value)
    assert asking.measurement_of(model, "pll") != before


def test_g7_another_measure_or_rule_is_another_memory(model, monkeypatch):
    before = asking.measurement_of(model, "pll")
    assert asking.measurement_of(model, "verb") != before
    monkeypatch.setitem(METRICS, "pll", METRICS["pll"].__class__("pll", "99", "sentence", ("masked",), ""))
    assert asking.measurement_of(model, "pll") != before


def test_g7_views_of_a_measure_share_its_memory(model):
    assert asking.measurement_of(model, "causal_per_word") == asking.measurement_of(model, "causal")


def test_g7_reasons_for_having_no_number_are_asked_again(model):
    row = asking.measurement_of(model, "pll")
    assert row is not None
    asking.keep(row, {Sentence("☃"): Unscored("'☃' is not in the model's vocabulary")})
    assert not Remembered.objects.exists()


def test_g7_a_model_that_may_change_and_a_baseline_are_not_remembered(model):
    model.file_hash = ""
    assert asking.measurement_of(model, "pll") is None
    install_baselines()
    assert asking.measurement_of(find_model("random"), "label") is None


@pytest.mark.parametrize(("metric", "read"), [("verb", ["verb"]), ("continuation", ["continuation"]), ("pll", [])])
def test_g7_a_question_has_the_regions_that_its_metric_reads(metric, read):
    regions = (Region("verb", 4, 8), Region("continuation", 4, 9))
    asked = METRICS[metric].question(Sentence("Wet snow.", regions))
    assert isinstance(asked, Sentence)
    assert [region.name for region in asked.regions] == read
    assert METRICS[metric].question(Cloze("____", ("a",))) == Cloze("____", ("a",))


@pytest.fixture
def little(tmp_path, monkeypatch):
    """A masked model that knows a dozen words."""
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    torch.manual_seed(5)
    folder = write_model(tmp_path / "little", transformers.BertForMaskedLM(transformers.BertConfig(**SIZE)))
    return LanguageModel.objects.create(
        key="little",
        name="Little",
        family="masked",
        method="masked",
        location="path",
        source=str(folder),
        file_hash="c" * 64,
    )


def choices(folder: Path, *contents: dict[str, Any]) -> Study:
    task = {"type": "forced_choice", "question": "Which?", "options": ["one", "other"]}
    rows = [ItemRow(str(number), content) for number, content in enumerate(contents)]
    return open_small_study(folder, rows, slug=folder.name, task=task, quality={"gold_distance": 1})


def pair(one: str, other: str) -> dict[str, Any]:
    return {"options": {"one": one, "other": other}}


@pytest.mark.slow
def test_g7_a_sentence_in_several_pairs_is_put_to_the_model_once(little, tmp_path, monkeypatch):
    """Each partner differs from it elsewhere, so that its continuation, which `pll` does not read, begins elsewhere."""
    passes, read = list[int](), masked.MaskedScorer._read

    def counted(self, batch, wanted):
        passes.append(len(batch))
        return read(self, batch, wanted)

    monkeypatch.setattr(masked.MaskedScorer, "_read", counted)
    same = "The old dog slept ."
    first = choices(tmp_path / "first", pair(same, "The old door slept ."), pair(same, "The dog slept ."))
    run = run_through(start_run(first, little, "pll"))
    assert (run.state, run.error, run.scored) == ("finished", "", 2)
    # One masked copy a token: of five, five and four.
    assert sum(passes) == 14
    second = choices(tmp_path / "second", pair(same, "The old dog slept on top ."))
    run = run_through(start_run(second, little, "pll"))
    assert (run.state, run.scored, sum(passes)) == ("finished", 1, 14 + 7)


@pytest.mark.slow
def test_c7_unknown_words_around_the_slot_are_told_and_remembered(little, tmp_path):
    options = {"one": "dog", "other": "door"}
    contents = [
        {"sentence": "The snowy ____ slept on a glacier .", "options": options},
        {"sentence": "The old ____ slept .", "options": options},
    ]
    details = [
        list(run_through(start_run(study, little, "cloze")).scores.order_by("item__position"))
        for study in (choices(tmp_path / "first", *contents), choices(tmp_path / "second", *contents))
    ]
    for snowy, plain in details:
        assert snowy.detail["unknown_tokens"] == 3
        assert "unknown_tokens" not in plain.detail
        assert None not in (snowy.decision, plain.decision)


@pytest.mark.slow
@needs_weights
def test_g7_a_thousand_sentences_twice_and_the_second_run_does_no_model_work(tmp_path, monkeypatch, settings):
    settings.MODELS_DIR = MODELS_DIR
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    files = in_place(packaged(MASKED), MODELS_DIR)
    assert files is not None
    model = install_packaged(packaged(MASKED), files)
    first, second = (pairs_study(tmp_path / slug, slug) for slug in ("one", "two"))
    before = run_through(start_run(first, model, "pll"))
    assert (before.state, before.done) == ("finished", 500)
    assert before.scored > 400

    passes: list[object] = []

    def counted(*args, **options):
        passes.append(args)
        return norm(*args, **options)

    # Whatever computes its products, a pass through the model goes through its norms.
    norm = torch.nn.LayerNorm.forward
    monkeypatch.setattr(torch.nn.LayerNorm, "forward", counted)
    after = run_through(start_run(second, model, "pll"))
    assert not passes
    assert (after.state, after.scored, after.unscored) == ("finished", before.scored, before.unscored)
    strengths = [
        list(run.scores.order_by("item__position").values_list("strength", "unscored")) for run in (before, after)
    ]
    assert strengths[0] == strengths[1]
    assert after.provenance["files_sha256"] == before.provenance["files_sha256"] == deciding(files)
    # The counter counts: a text that is new is asked about.
    open_scorer(model.spec, metric="pll", settings={}).score([Sentence("Nobody has asked this before.")])
    assert passes


def pairs_study(folder: Path, slug: str) -> Study:
    """500 minimal pairs, 1,000 sentences."""
    rows = [row for row in generate(CONSTRUCTIONS, per_cell=11, seed=5) if row.kind == "target"][:500]
    assert len({text for row in rows for text in row.content["options"].values()}) > 900
    task = settings_of_pairs(slug=slug, title=slug, whole_sentences=True)["task"]
    return open_small_study(folder, rows, slug=slug, task=task, quality={"gold_distance": 1})
