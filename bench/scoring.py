"""How fast sentences are scored: ours, minicons, one mask a forward pass, and what the machine could do at most.

    make bench-scoring            (or: python -m bench.scoring [--shape base|small] [--slices N])

The sentences are cut into slices of mixed length. Every contender scores every slice, in turn, in one process, with
the same weights and threads; a ratio is the median over the slices. Weights are random: speed does not depend on them.
"""

import argparse
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers

from annotation.tasktypes.contract import Sentence
from bench.sentences import real_sentences
from scoring.scorers import ModelSpec, Scorer, open_scorer
from scoring.scorers.masking import Tokens, copies

ROOT = Path(__file__).resolve().parent.parent
TOKENIZER = ROOT / "var" / "models" / "minilm-l6"
SHAPES: dict[str, dict[str, Any]] = {
    "base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "small": {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536},
}
BATCHES = [2, 4, 8, 16]
Contender = Callable[[list[str]], object]


@dataclass(frozen=True)
class Timed:
    """Seconds of every contender on every slice, and the machine's rate measured between them."""

    seconds: dict[str, list[float]]
    rates: list[float]

    def ratio(self, other: str) -> float:
        """How many times as long `other` takes as we do, median over the slices."""
        pairs = zip(self.seconds[other], self.seconds["ours"], strict=False)
        return statistics.median(theirs / ours for theirs, ours in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=SHAPES, action="append", help="default: both")
    parser.add_argument("--slices", type=int, default=10, help="how many slices of the sentences to run (10)")
    parser.add_argument("--sentences", type=int, default=500, help="how many sentences there are in all (500)")
    parser.add_argument("--batches", type=int, nargs="+", default=BATCHES, help="minicons' batch sizes to try")
    options = parser.parse_args()
    texts = real_sentences(options.sentences)
    random.Random(7).shuffle(texts)
    slices = [texts[number :: options.slices] for number in range(options.slices)]
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(f"{platform.processor() or platform.machine()}, {torch.get_num_threads()} threads, torch {torch.__version__}")
    print(f"{len(texts)} sentences, {words:.1f} words each, in {len(slices)} slices")
    for shape in options.shape or SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            report(shape, run(shape, Path(folder), slices, options.batches), slices)


def run(shape: str, folder: Path, slices: list[list[str]], batches: list[int]) -> Timed:
    """Every contender on every slice, in turn."""
    make_model(shape, folder)
    ours = open_scorer(ModelSpec("masked", str(folder)), metric="pll", settings={})
    contenders: dict[str, Contender] = {"ours": lambda texts: ours.score([Sentence(text) for text in texts])}
    contenders |= minicons_contenders(folder, slices[0], batches)
    one_by_one = OneByOne(ours)
    timed = Timed({name: [] for name in [*contenders, "one mask a pass"]}, [])
    for number, texts in enumerate(slices):
        names = sorted(contenders) if number % 2 else sorted(contenders, reverse=True)
        for name in names:
            timed.seconds[name].append(seconds(lambda name=name, texts=texts: contenders[name](texts)))  # type: ignore[misc]
        timed.rates.append(matrix_rate())
        if number < 2:
            timed.seconds["one mask a pass"].append(seconds(lambda texts=texts: one_by_one(texts)))  # type: ignore[misc]
    return timed


def make_model(shape: str, folder: Path) -> None:
    torch.manual_seed(1)
    config = transformers.BertConfig(**SHAPES[shape])
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(TOKENIZER).save_pretrained(folder)


def minicons_contenders(folder: Path, trial: list[str], batches: list[int]) -> dict[str, Contender]:
    """minicons at 16 texts a batch and at its best batch for these texts, found by trying."""
    setattr(transformers.PreTrainedTokenizerBase, "batch_encode_plus", transformers.PreTrainedTokenizerBase.__call__)  # noqa: B010
    from minicons.scorer import MaskedLMScorer

    scorer = MaskedLMScorer(str(folder), "cpu")

    def at(size: int) -> Contender:
        def score(texts: list[str]) -> object:
            return [
                scorer.sequence_score(texts[start : start + size], reduction=lambda x: x.sum(0).item())
                for start in range(0, len(texts), size)
            ]

        return score

    few = trial[:16]
    times = {size: seconds(lambda size=size: at(size)(few)) for size in batches}  # type: ignore[misc]
    best = min(times, key=lambda size: times[size])
    tried = ", ".join(f"{size}: {taken:.2f} s" for size, taken in times.items())
    print(f"minicons by batch on {len(few)} sentences: {tried}; best {best}")
    return (
        {"minicons, batch 16": at(16), f"minicons, batch {best} (best)": at(best)}
        if best != 16
        else {"minicons, batch 16 (best)": at(16)}
    )


class OneByOne:
    """The definition: one masked copy, one forward pass of the model as transformers has it."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer: Any = scorer

    def __call__(self, texts: list[str]) -> None:
        model, tokenizer = self.scorer.loaded.model, self.scorer.tokenizer
        for copy in masked_copies(tokenizer, texts):
            with torch.inference_mode():
                model(input_ids=torch.tensor([copy])).logits[0].log_softmax(-1)


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


def matrix_rate() -> float:
    """fp32 multiply-adds of large matrices, in operations a second: the best of several tries."""
    one, other = torch.randn(2048, 768), torch.randn(3072, 768)
    best = min(seconds(lambda: torch.nn.functional.linear(one, other)) for _ in range(20))
    return 2 * 2048 * 768 * 3072 / best


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def report(shape: str, timed: Timed, slices: list[list[str]]) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(TOKENIZER)
    print(f"\n{shape}: {SHAPES[shape]}")
    print(f"  {'contender':32} {'sentences/s':>12} {'ours is':>10}")
    for name, taken in timed.seconds.items():
        done = sum(len(part) for part in slices[: len(taken)])
        times = "" if name == "ours" else f"{timed.ratio(name):8.2f} ×"
        print(f"  {name:32} {done / sum(taken):12.1f} {times:>10}")
    rates = [
        needed_operations(shape, tokenizer, part) / taken
        for part, taken in zip(slices, timed.seconds["ours"], strict=True)
    ]
    reached, most = statistics.median(rates), max(timed.rates)
    rate = f"{reached / 1e9:.0f} GFLOP/s; matrix products: {most / 1e9:.0f}; share {reached / most:.0%}"
    print(f"  needed operations: {rate}")


if __name__ == "__main__":
    main()
