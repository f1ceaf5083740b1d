"""Numbers of other kinds than float32: how near they come, and that no score depends on its neighbors."""

from functools import cache
from statistics import correlation
from typing import Any

import pytest
import torch
import transformers

from annotation.tasktypes.contract import Cloze, ClozeNumbers, Prompted, PromptNumbers, Sentence, SentenceNumbers
from scoring.models import LanguageModel
from scoring.runs import asking
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.networks import loaded
from scoring.scorers.networks.bodies import WhereRead, body_of
from scoring.scorers.networks.products import Int8Linear, quantize, rounded
from scoring.scorers.networks.weights import DTYPES
from tests.scoring.scorers.little.causal import chatting, written
from tests.scoring.scorers.sentences import SENTENCES as SAMPLES
from tests.scoring.scorers.shapes import OTHERS, SHAPES, made
from tests.scoring.scorers.weights import CAUSAL, MASKED, needs_weights, spec_of

# Nats a token, on average over the tokens of a sentence, that a dtype may lie from float32 (docs/metrics.md, G9).
NEAR = {"bfloat16": 0.5, "int8": 1.0}
# The shortest, because the machine that tests may be small; of them some for the model that is not.
SHORTEST = tuple(sorted(SAMPLES, key=len)[:200])
TEXTS = {MASKED: SHORTEST, CAUSAL: SHORTEST[::20]}


@cache
def numbers(key: str, dtype: str, texts: tuple[str, ...]) -> list[SentenceNumbers]:
    metric = "causal" if key == CAUSAL else "pll"
    results = open_scorer(spec_of(key, dtype=dtype), metric=metric, settings={}).score([Sentence(t) for t in texts])
    found = [result for result in results if isinstance(result, SentenceNumbers)]
    assert len(found) == len(texts)
    return found


def per_token(results: list[SentenceNumbers]) -> list[float]:
    return [result.logprob / len(result.tokens) for result in results]


def test_int8_is_refused_when_a_model_that_looks_into_its_layers_is_loaded(tmp_path):
    config = transformers.MambaConfig(vocab_size=12, hidden_size=24, num_hidden_layers=2, state_size=4)
    spec = ModelSpec("causal", str(written(tmp_path, config)), dtype="int8", settings={"start_token": "<s>"})
    with pytest.raises(ModelError, match="int8: the code of MambaForCausalLM looks into its linear layers"):
        open_scorer(spec, metric="causal", settings={})


# --- int8, layer by layer --------------------------------------------------------------------------------


def test_a_rounded_row_comes_back_within_half_a_step():
    rows = torch.randn(5, 16) * torch.tensor([[1e-4], [1.0], [30.0], [0.0], [1e4]])
    codes, scale = rounded(rows)
    assert codes.dtype == torch.int8
    assert codes.abs().max() == 127
    assert torch.all((codes * scale - rows).abs() <= scale / 2 * 1.001)
    assert torch.equal(codes[3], torch.zeros(16, dtype=torch.int8))


@pytest.mark.parametrize(("width", "out", "bias"), [(24, 48, True), (7, 5, False), (576, 192, True)])
def test_an_int8_layer_is_the_product_of_what_was_rounded(width, out, bias):
    torch.manual_seed(1)
    linear, states = torch.nn.Linear(width, out, bias=bias), torch.randn(3, 4, width)
    with torch.inference_mode():
        found = Int8Linear(linear.weight, linear.bias)(states)
        codes, scale = rounded(states.reshape(-1, width))
        weights, weight_scale = rounded(linear.weight)
        exact = (codes.double() * scale) @ (weights.double() * weight_scale).T
        exact += linear.bias if bias else 0.0
        assert found.shape == (3, 4, out)
        assert torch.allclose(found.reshape(-1, out).double(), exact, atol=1e-5)
        assert 0 < (found - linear(states)).abs().max() < 0.1


def test_the_neighbors_of_a_token_change_nothing():
    torch.manual_seed(2)
    layer = Int8Linear(torch.randn(32, 64), torch.randn(32))
    token, huge = torch.randn(1, 64), 1000 * torch.randn(9, 64)
    with torch.inference_mode():
        assert torch.equal(layer(torch.cat([huge, token]))[-1:], layer(token))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHAPES, *OTHERS])
def test_int8_reaches_every_linear_layer_but_the_vocabulary(name):
    model = made({**SHAPES, **OTHERS}[name])
    head = model.get_output_embeddings()
    linear = sum(type(layer) is torch.nn.Linear for layer in model.modules())
    said = quantize(model)
    assert (
        said == f"int8 products in {linear - 1} linear layers, activations scaled token by token; the rest in float32"
    )
    assert [layer for layer in model.modules() if type(layer) is torch.nn.Linear] == [head]
    ids, rows, places = torch.randint(5, 200, (4, 9)), torch.arange(4), torch.tensor([1, 8, 3, 3])
    with torch.inference_mode():
        own = model(input_ids=ids).logits[rows, places]
        assert torch.allclose(body_of(model).logits(ids, rows, places), own, atol=0.05)
    assert isinstance(body_of(model), WhereRead) is (name in SHAPES)


def test_gpt2s_own_kind_of_linear_layer_is_known():
    torch.manual_seed(3)
    config = transformers.GPT2Config(vocab_size=100, n_positions=16, n_embd=24, n_layer=2, n_head=2)
    model = transformers.GPT2LMHeadModel(config).eval()
    ids = torch.randint(0, 100, (2, 9))
    with torch.inference_mode():
        before = model(input_ids=ids).logits
        assert quantize(model).startswith("int8 products in 8 linear layers")
        after = model(input_ids=ids).logits
    assert 0 < (after - before).abs().max() < 0.1


def test_what_has_no_linear_layer_is_refused():
    class Bare(torch.nn.Module):
        def get_output_embeddings(self) -> Any:
            return None

    with pytest.raises(ModelError, match="no linear layers to round"):
        quantize(Bare())


def test_a_gpu_refuses_int8_and_nobody_knows_int4():
    with pytest.raises(ModelError, match="int8 is for CPUs only"):
        loaded._require_dtype("int8", torch.device("cuda"))
    with pytest.raises(ModelError, match="'int4' is not one of float32, bfloat16, float16, int8"):
        loaded._require_dtype("int4", torch.device("cpu"))


# --- Whole models ---------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_weights
@pytest.mark.parametrize("key", [MASKED, CAUSAL])
@pytest.mark.parametrize("dtype", ["int8", "bfloat16"])
def test_g9_sentences_are_near_float32_and_not_the_same(key, dtype):
    exact, other = numbers(key, "float32", TEXTS[key]), numbers(key, dtype, TEXTS[key])
    assert correlation(per_token(exact), per_token(other)) > 0.98
    assert correlation([one.logprob for one in exact], [one.logprob for one in other]) > 0.98
    far = [abs(one - two) for one, two in zip(per_token(exact), per_token(other), strict=True)]
    assert 0 < max(far) < NEAR[dtype]


@pytest.mark.slow
@needs_weights
@pytest.mark.parametrize("key", [MASKED, CAUSAL])
def test_g9_int8_gives_a_text_the_same_score_alone_and_among_others(key):
    texts = TEXTS[key]
    few = max(3, len(texts) // 10)
    together = numbers(key, "int8", texts)
    for text, among in zip(texts[::few], together[::few], strict=True):
        [alone] = numbers(key, "int8", (text,))
        assert among.logprob == pytest.approx(alone.logprob, abs=1e-4 * len(alone.tokens))


@pytest.mark.slow
def test_g9_int8_answers_a_question_in_words_the_same_alone_and_among_others(tmp_path):
    """Of a little model: its layers are those of a large one, which takes half a minute here."""
    options = (("yes", "old"), ("no", "dog"))
    asked = [Prompted(f"{text} slept.", "The door?", options, instructions="near") for text in ("dog", "The old dog")]
    settings = {"start_token": "<s>"}
    spec = ModelSpec("causal", str(chatting(tmp_path)), dtype="int8", settings=settings)
    scorer = open_scorer(spec, metric="prompted", settings={})
    together = scorer.score(asked)
    assert len(together) == len(asked)
    for request, among in zip(asked, together, strict=True):
        [alone] = scorer.score([request])
        assert isinstance(alone, PromptNumbers)
        assert isinstance(among, PromptNumbers)
        for one, two in zip(alone.logprobs, among.logprobs, strict=True):
            assert one == pytest.approx(two, abs=1e-4)


@pytest.mark.slow
@needs_weights
def test_int8_reads_slots_too_and_says_what_it_is():
    scorer = open_scorer(spec_of(MASKED, dtype="int8"), metric="cloze", settings={})
    exact = open_scorer(spec_of(MASKED), metric="cloze", settings={})
    asked = [Cloze("The soup was ____ cold.", ("very", "not"))]
    [one], [two] = scorer.score(asked), exact.score(asked)
    assert isinstance(one, ClozeNumbers)
    assert isinstance(two, ClozeNumbers)
    assert one != two
    assert one.logprobs == pytest.approx(two.logprobs, abs=NEAR["int8"])
    told = scorer.provenance()
    assert told["dtype"] == "int8"
    assert told["arithmetic"].startswith("int8 products in 13 linear layers")
    assert "int8" not in exact.provenance().get("arithmetic", "")


@pytest.mark.slow
@needs_weights
def test_float16_runs_on_a_cpu():
    texts = SHORTEST[:5]
    far = zip(per_token(numbers(MASKED, "float32", texts)), per_token(numbers(MASKED, "float16", texts)), strict=True)
    assert 0 < max(abs(one - two) for one, two in far) < 0.01


@pytest.mark.django_db
def test_g7_every_dtype_has_a_memory_of_its_own():
    rows = [
        LanguageModel(
            key=dtype,
            name=dtype,
            family="masked",
            method="masked",
            location="models",
            source="m",
            file_hash="a" * 64,
            dtype=dtype,
        )
        for dtype in DTYPES
    ]
    prints = {getattr(asking.measurement_of(row, "pll"), "fingerprint", None) for row in rows}
    assert len(prints) == len(DTYPES)
    assert None not in prints
