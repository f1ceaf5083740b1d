"""Causal language models, rule by rule (docs/metrics.md). The tokenizer is real."""

from typing import Any

import pytest
import torch
import transformers

from annotation.tasktypes import task_type
from annotation.tasktypes.contract import Cloze, Region, Sentence, SentenceNumbers, Unscored
from scoring.metrics import METRICS
from scoring.scorers import left_to_right, open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.left_to_right import Family, TokenRow
from tests.scoring.scorers.weights import MASKED, SENTENCES, THIN, folder, needs_weights, scorer, spec_of

pytestmark = [pytest.mark.slow, needs_weights]


def sentence(text):
    [result] = scorer(THIN, "causal").score([Sentence(text)])
    return result


def opened(spec: ModelSpec) -> Any:
    return open_scorer(spec, metric="causal", settings={})


def reason(result):
    assert isinstance(result, Unscored), result
    return result.reason


def one_at_a_time(text, start):
    """The definition: for every token, ask the model for the next one after all that went before."""
    opened = scorer(THIN, "causal")
    model, tokenizer = opened.loaded.model, opened.tokenizer
    before = [tokenizer.get_vocab()[start]]
    total = 0.0
    for token in tokenizer(text, add_special_tokens=False)["input_ids"]:
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([before])).logits[0, -1].double()
        total += (logits[token] - logits.logsumexp(0)).item()
        before.append(token)
    return total


@pytest.mark.parametrize("text", SENTENCES[:6])
def test_l1_the_sum_of_every_token_after_the_start_token(text):
    # The forward passes have other shapes, and float32 kernels differ by about 1e-5 a token between shapes.
    assert sentence(text).logprob == pytest.approx(one_at_a_time(text, "<|endoftext|>"), abs=3e-4)


def test_l1_the_first_token_is_scored_and_the_start_token_is_not():
    numbers = sentence("Wet snow fell.")
    assert [token for token, _ in numbers.tokens] == ["Wet", "Ġsnow", "Ġfell", "."]
    assert numbers.logprob == pytest.approx(sum(logprob for _, logprob in numbers.tokens))


def test_l1_the_start_token_is_the_declared_one():
    other = opened(spec_of(THIN, settings={"start_token": "<|im_start|>"}))
    [changed] = other.score([Sentence("Wet snow fell.")])
    assert abs(changed.logprob - sentence("Wet snow fell.").logprob) > 0.1
    assert other.provenance()["start_token"] == "<|im_start|>"


def test_l2_the_text_is_read_as_written():
    """No space is put before the first word, and one that is there counts."""
    assert [token for token, _ in sentence(" snow").tokens] == ["Ġsnow"]
    assert [token for token, _ in sentence("snow").tokens] == ["snow"]


def test_l2_figures_are_read_digit_by_digit_as_the_model_was_trained():
    assert [token for token, _ in sentence("In 1871").tokens] == ["In", "Ġ", "1", "8", "7", "1"]


@pytest.mark.parametrize("settings", [{}, {"start_token": ""}, {"start_token": "<nonesuch>"}])
def test_l3_a_model_without_a_start_token_is_an_error_of_the_model(settings):
    with pytest.raises(ModelError, match="start token"):
        open_scorer(spec_of(THIN, settings=settings), metric="causal", settings={})


def test_g4_an_empty_text_is_left_unscored():
    assert "no tokens" in reason(sentence(""))


def test_g5_a_text_longer_than_the_models_positions_is_left_unscored_with_both_lengths():
    text = " snow" * 8192
    assert reason(sentence(text)) == "the text has 8193 tokens with start; the model reads at most 8192"


def test_g3_a_special_token_written_out_leaves_the_text_unscored():
    assert "<|im_end|>" in reason(sentence("He wrote <|im_end|> on the wall."))


@pytest.mark.parametrize("token", ["<filename>", "<repo_name>", "<|endoftext|>"])
def test_g3_a_special_token_without_a_role_is_one_too(token):
    assert token in reason(sentence(f"Open the {token} now."))


def test_a_slot_is_no_question_for_a_causal_model():
    [result] = scorer(THIN, "causal").score([Cloze("The soup was ____ cold.", ("very",))])
    assert isinstance(result, Unscored)


def test_numbers_come_out_in_the_order_of_the_requests():
    results = scorer(THIN, "causal").score([Sentence(text) for text in reversed(SENTENCES)])
    assert [isinstance(result, SentenceNumbers) for result in results] == [True] * len(SENTENCES)
    for text, result in zip(reversed(SENTENCES), results, strict=True):
        assert result.logprob == pytest.approx(sentence(text).logprob, abs=3e-4)


# --- Shared beginnings ------------------------------------------------------------------------------

OPTIONS = (
    "The lamp on the half-built pier was very bright.",
    "The lamp on the half-built pier was not bright, or so they said.",
    "The lamp on the half-built pier was Sinatra.",
    "Snow fell.",
    "The lamp on the half-built pier was",
    "The lamp on the half-built pier was very",
)


def test_options_that_share_their_beginning_have_the_numbers_they_have_alone():
    together = scorer(THIN, "causal").score([Sentence(text) for text in OPTIONS])
    for text, result in zip(OPTIONS, together, strict=True):
        alone = sentence(text)
        assert [token for token, _ in result.tokens] == [token for token, _ in alone.tokens]
        # The start token's state is so large that float32 rounds its product by up to 2e-4, as the shape has it.
        assert [value for _, value in result.tokens] == pytest.approx([value for _, value in alone.tokens], abs=3e-4)


SMALL: dict[str, Any] = {"vocab_size": 90, "n_positions": 40, "n_embd": 24, "n_layer": 3, "n_head": 4}
LLAMA: dict[str, Any] = {
    "vocab_size": 90,
    "hidden_size": 24,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
}
GROUPED = LLAMA | {"num_key_value_heads": 2}
STATE: dict[str, Any] = {"vocab_size": 90, "hidden_size": 24, "num_hidden_layers": 2}
# How far back Mistral here sees: farther than some of the texts below, and less far than others.
WINDOW = 30
BODIES = {
    "gpt2": transformers.GPT2Config(**SMALL),
    "gptj": transformers.GPTJConfig(**SMALL, rotary_dim=2),
    "gpt_neox": transformers.GPTNeoXConfig(**LLAMA),
    "llama": transformers.LlamaConfig(**GROUPED),
    "mistral": transformers.MistralConfig(**GROUPED, sliding_window=WINDOW),
    "qwen2": transformers.Qwen2Config(**GROUPED),
    "qwen3": transformers.Qwen3Config(**GROUPED, head_dim=6),
    "smollm3": transformers.SmolLM3Config(**GROUPED, pad_token_id=0),
    "opt": transformers.OPTConfig(
        vocab_size=90, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, ffn_dim=48, word_embed_proj_dim=24
    ),
    "mamba": transformers.MambaConfig(**STATE, state_size=4),
    "rwkv": transformers.RwkvConfig(**STATE, attention_hidden_size=24, context_length=40),
    # Keys and values in some of its layers, and a state in the others.
    "lfm2": transformers.Lfm2Config(**GROUPED | {"layer_types": ["conv", "full_attention", "conv"]}),
}
# Their own forward pass, and, of the last three, no beginning that could be kept and given again.
OTHERS, STATEFUL = ("opt", "mamba", "rwkv", "lfm2"), ("mamba", "rwkv", "lfm2")
LONG = tuple(range(30, 50))
LONGER = tuple(range(30, 65))
TOGETHER = [
    (3, 8, 9, 10, 11, 20, 21),
    (3, 8, 9, 10, 11, 22),
    (3, 8, 9, 10, 11, 23, 24, 25),
    (3, 60, 61),
    (3, *LONG, 70, 71),
    (3, *LONG, 72),
    (3, 60),
    (3, *LONGER, 70, 71),
    (3, *LONGER, 72),
]


def made(config: Any) -> Any:
    torch.manual_seed(5)
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    # Freshly made weights are so small that what stands far back would hardly count.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def own_pass(model: Any, ids: tuple[int, ...]) -> Any:
    with torch.inference_mode():
        return model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("budget", [1024, 12])
def test_l7_what_is_shared_equals_the_models_own_forward_pass(name, budget, monkeypatch):
    monkeypatch.setattr(left_to_right, "BUDGET", budget)
    model = made(BODIES[name])
    reader = left_to_right.Reader(model, torch.device("cpu"))
    assert reader.separate == (name not in OTHERS)
    packs, values = list[Any](), reader._values

    def seen(batch):
        packs.extend(batch)
        return values(batch)

    monkeypatch.setattr(reader, "_values", seen)
    found = {row.request: values for row, values in reader.rows([TokenRow(n, ids) for n, ids in enumerate(TOGETHER)])}
    assert set(found) == set(range(len(TOGETHER)))
    for number, text in enumerate(TOGETHER):
        logprobs = own_pass(model, text)
        expected = [logprobs[place, token].item() for place, token in enumerate(text[1:])]
        assert found[number] == pytest.approx(expected, abs=1e-5)
    # Which families stood in one row: the short one, the long one, and the one that is longer than Mistral's window.
    shared = {pack.family.shared for pack in packs if not pack.is_plain}
    room = 1 + len(LONG) if name == "mistral" else 1 + len(LONGER)
    lengths = (5, 1 + len(LONG), 1 + len(LONGER)) if reader.separate else ()
    assert shared == {length for length in lengths if length <= min(room, budget)}


def test_l7_what_is_out_of_mistrals_window_counts_for_nothing():
    """Else the test above would hold for a window that nobody looks at."""
    model, text = made(BODIES["mistral"]), (3, *LONGER, 70)
    unlimited = made(transformers.MistralConfig(**GROUPED, sliding_window=None))
    assert not torch.allclose(own_pass(model, text)[-1], own_pass(unlimited, text)[-1], atol=1e-4)
    assert torch.allclose(own_pass(model, text)[:WINDOW], own_pass(unlimited, text)[:WINDOW], atol=1e-5)


@pytest.mark.parametrize("name", BODIES)
def test_q4_the_end_of_a_prompt_equals_the_models_own_forward_pass(name):
    """What is shared is longer than Mistral's window."""
    model = made(BODIES[name])
    reader = left_to_right.Reader(model, torch.device("cpu"))
    rests = [(70, 71), (72,), (73, 74, 75)]
    family = Family(33, tuple(TokenRow(number, (3, *LONGER[:32], *rest)) for number, rest in enumerate(rests)))
    for row, values in zip(family.rows, reader.ends(family, [5, 6]), strict=True):
        assert values == pytest.approx(own_pass(model, row.ids)[-1][[5, 6]].tolist(), abs=1e-5)
    where = "vocabulary where it is read" if reader.separate else "the model's own forward pass"
    assert reader.name_of_ends == (where if name in STATEFUL else f"shared beginnings once, {where}")


# --- Other measures of the same numbers -------------------------------------------------------------


def measured(metric, text, *regions):
    [result] = scorer(THIN, metric).score([Sentence(text, regions)])
    return result


def test_l4_means_over_tokens_words_and_characters():
    text = "Wet snow fell on Ljubljana."
    numbers = sentence(text)
    seen: dict[str, Any] = {
        key: METRICS[key].seen(Sentence(text), numbers) for key in METRICS if METRICS[key].measured == "causal"
    }
    assert seen["causal"] == numbers
    assert seen["causal_per_token"].logprob == pytest.approx(numbers.logprob / len(numbers.tokens))
    assert seen["causal_per_word"].logprob == pytest.approx(numbers.logprob / 5)
    assert seen["causal_per_character"].logprob == pytest.approx(numbers.logprob / 27)
    assert {one.tokens for one in seen.values()} == {numbers.tokens}


def test_l5_a_continuation_is_what_follows_given_what_precedes():
    text = "The soup was very cold."
    whole = sentence(text)
    assert [token for token, _ in whole.tokens] == ["The", "Ġsoup", "Ġwas", "Ġvery", "Ġcold", "."]
    numbers = measured("continuation", text, Region("continuation", text.index("very"), len(text)))
    assert numbers.tokens == tuple(whole.tokens[3:])
    assert numbers.logprob == pytest.approx(sum(value for _, value in whole.tokens[3:]))


def test_g4_a_continuation_without_tokens_is_left_unscored_and_not_0():
    numbers = measured("continuation", "The cat sat", Region("continuation", 11, 11))
    assert reason(numbers) == "the continuation has no tokens for this model"


def test_l5_an_option_that_is_the_beginning_of_the_other_has_no_continuation():
    options = {"one": "He ate", "other": "He ate it."}
    kind = task_type("forced_choice")
    task = kind.configured(kind.example_settings | {"options": [*options]})
    short, long = scorer(THIN, "continuation").score(task.requests({"options": options}, "sentence"))
    assert reason(short) == "the continuation has no tokens for this model"
    assert [token for token, _ in long.tokens] == ["Ġit", "."]


def test_l5_the_space_before_the_continuation_belongs_to_it():
    """It is a token of its own before a figure, and a part of the token before a word."""
    figure, word = (
        measured("continuation", text, Region("continuation", 11, len(text)))
        for text in ("It cost us 1871 coins.", "It cost us many coins.")
    )
    assert [token for token, _ in figure.tokens][:3] == ["Ġ", "1", "8"]
    assert [token for token, _ in word.tokens][:2] == ["Ġmany", "Ġcoins"]


def test_l5_a_continuation_begins_with_a_whole_letter():
    text = "He drank cafe\u0301."
    numbers = measured("continuation", text, Region("continuation", text.index("\u0301"), len(text)))
    assert numbers.tokens[0][0].endswith("e")


def test_l5_without_a_place_to_begin_there_is_no_continuation():
    assert reason(measured("continuation", "The soup.")) == "the item does not mark where its continuation begins"


def test_l6_the_published_arithmetic():
    """Mean loss of <end>text<end> as transformers computes it, times the number of tokens, both ends included."""
    opened = scorer(THIN, "causal_published")
    text = "The cop is arresting the criminal."
    tokens = opened.tokenizer(f"<|endoftext|>{text}<|endoftext|>", return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        loss = opened.loaded.model(input_ids=tokens, labels=tokens).loss.item()
    assert measured("causal_published", text).logprob == pytest.approx(-loss * tokens.shape[1], abs=3e-4)


# --- Loading ----------------------------------------------------------------------------------------


def test_a_model_is_loaded_once_a_process():
    assert scorer(THIN, "causal").loaded is opened(spec_of(THIN)).loaded


def test_changed_files_are_refused():
    with pytest.raises(ModelError, match="differ from those registered"):
        open_scorer(spec_of(MASKED, files={"config.json": "0" * 64}), metric="pll", settings={})


def test_an_unknown_dtype_is_refused_with_those_there_are():
    with pytest.raises(ModelError, match="'int3' is not one of float32"):
        open_scorer(spec_of(MASKED, dtype="int3"), metric="pll", settings={})


def test_a_model_without_the_weights_of_its_family_is_refused():
    """A causal head on a masked model's folder would be drawn at random."""
    with pytest.raises(ModelError):
        open_scorer(
            spec_of(MASKED, method="causal", source=folder(MASKED), settings={"start_token": "[NONE]"}),
            metric="causal",
            settings={},
        )
