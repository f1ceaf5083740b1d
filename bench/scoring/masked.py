"""`pll` beside minicons, beside one mask a forward pass, and beside what the machine could do at most."""

import statistics
import tempfile
from argparse import Namespace
from collections.abc import Iterable
from functools import partial
from typing import Any

import torch
import transformers

from annotation.tasktypes.contract import Sentence
from bench import ROOT, real_sentences
from bench.scoring.contest import OURS, Contender, Timed, contest, matrix_rate, minicons, minicons_scorer, sliced
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from scoring.scorers.masking import Tokens, copies

TOKENIZER = ROOT / "var" / "models" / "minilm-l6"
SHAPES: dict[str, dict[str, Any]] = {
    "large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
    "base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "small": {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536},
    "tiny": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512},
}


def compare(shape: str, options: Namespace) -> None:
    """Print the table of one shape. Weights are random: speed does not depend on them."""
    texts = real_sentences(options.sentences)
    words = sum(len(text.split()) for text in texts) / len(texts)
    with tempfile.TemporaryDirectory() as folder:
        make_model(shape, folder)
        parts = sliced(texts, options.slices)
        ours = open_scorer(ModelSpec("masked", folder), metric="pll", settings={})
        contenders: dict[str, Contender] = {OURS: lambda texts: ours.score([Sentence(text) for text in texts])}
        contenders |= minicons(minicons_scorer("MaskedLMScorer", folder), parts[0][:16], options.batches)
        slow = one_mask_a_pass(folder)
        timed = contest(contenders, parts, slow=slow, few=options.few, rate=partial(matrix_rate, options.tries))
        timed.print(f"pll, {shape}: {SHAPES[shape]}; {len(texts)} sentences of {words:.1f} words")
        print_share(shape, timed, transformers.AutoTokenizer.from_pretrained(folder))


def make_model(shape: str, folder: str) -> None:
    torch.manual_seed(1)
    config = transformers.BertConfig(**SHAPES[shape])
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(TOKENIZER).save_pretrained(folder)


def one_mask_a_pass(folder: str) -> dict[str, Contender]:
    """The definition: a plain loop over the model's own forward pass, and transformers' fill-mask pipeline."""
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    pipeline = transformers.FillMaskPipeline(model=model, tokenizer=tokenizer)

    def loop(texts: list[str]) -> None:
        for copy in masked_copies(tokenizer, texts):
            with torch.inference_mode():
                model(input_ids=torch.tensor([copy])).logits[0].log_softmax(-1)

    def fill_mask(texts: list[str]) -> None:
        for text in texts:
            for start, end in tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)["offset_mapping"]:
                pipeline(f"{text[:start]}{tokenizer.mask_token}{text[end:]}", targets=[text[start:end].lower()])

    return {"one mask a pass": loop, "fill-mask pipeline, one mask a call": fill_mask}


def masked_copies(tokenizer: Any, texts: Iterable[str]) -> Iterable[tuple[int, ...]]:
    for number, text in enumerate(texts):
        encoding = tokenizer(text)
        tokens = Tokens(tuple(encoding["input_ids"]), tuple(encoding.word_ids()))
        for copy in copies("pll", number, tokens, read=tokens.own, mask=tokenizer.mask_token_id):
            yield copy.ids


def needed_operations(shape: str, tokenizer: Any, texts: list[str]) -> float:
    """Floating-point operations of `pll`: the body at every place of every masked copy, the last layer's queries and
    products and the vocabulary only where they are read. A multiplication and an addition are two."""
    size = SHAPES[shape]
    width, inner, layers = size["hidden_size"], size["intermediate_size"], size["num_hidden_layers"]
    words = transformers.BertConfig().vocab_size
    total = 0.0
    for copy in masked_copies(tokenizer, texts):
        length = len(copy)
        attention = 2 * 2 * length * width
        each = 2 * (4 * width * width + 2 * width * inner) + attention
        total += (layers - 1) * length * each
        total += length * 2 * 2 * width * width  # keys and values of the last layer
        total += 2 * (2 * width * width + 2 * width * inner) + attention  # its one place
        total += 2 * (width * width + width * words)  # the head
    return total


def print_share(shape: str, timed: Timed, tokenizer: Any) -> None:
    rates = [
        needed_operations(shape, tokenizer, part) / taken
        for part, taken in zip(timed.slices, timed.seconds[OURS], strict=True)
    ]
    reached, most = statistics.median(rates), max(timed.rates)
    rate = f"{reached / 1e9:.0f} GFLOP/s; matrix products: {most / 1e9:.0f}; share {reached / most:.0%}"
    print(f"  needed operations: {rate}", flush=True)
