"""How fast a GPU scores: ours and minicons in one process, and the share of what the GPU could do at most.

    make bench-scoring.gpu        (or: python -m bench.scoring.gpu [--only pll-base …] [--dtype bfloat16] …)

Weights are random: speed does not depend on them. Both have the same ones, in the same numbers. The sentences are
those of the other benchmark, cut into slices; a ratio is the median over them.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from typing import Any

import torch
import transformers

from annotation.tasktypes.contract import Sentence
from bench import ROOT, real_sentences
from bench.scoring.contest import OURS, Contender, Timed, contest, gpu_rate, minicons, minicons_scorer, sliced
from bench.scoring.masked import make_model, needed_operations
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec, Scorer

TOKENIZER = ROOT / "var" / "models" / "smollm2-135m"
START = "<|endoftext|>"
# As the models of these sizes by their makers: SmolLM2's and Llama's.
CAUSAL: dict[str, dict[str, Any]] = {
    "135m": {"hidden_size": 576, "num_hidden_layers": 30, "num_attention_heads": 9, "intermediate_size": 1536},
    "1.7b": {"hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32, "intermediate_size": 8192},
    "7b": {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008},
}
PARTS = ("pll-base", "pll-large", *(f"causal-{size}" for size in CAUSAL))
# More texts at once do not fit for masked models, which minicons gives the whole vocabulary at every place.
BATCHES = {"pll": [16, 64, 128], "causal": [16, 64, 256, 1024]}

_ready: Any = None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append", help="may be repeated (all but causal-7b)")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), action="append", help="may be repeated (both)")
    parser.add_argument("--sentences", type=int, default=8000, help="how many sentences (8000)")
    parser.add_argument("--slices", type=int, default=2, help="how many slices to cut them into (2)")
    parser.add_argument("--processes", type=int, default=1, help="how many of ours share the GPU (1)")
    parser.add_argument("--alone", action="store_true", help="leave minicons out")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("torch finds no GPU here")
    versions = f"torch {torch.__version__}, transformers {transformers.__version__}"
    print(f"{torch.cuda.get_device_name()}, {versions}", flush=True)
    for part in options.only or [one for one in PARTS if one != "causal-7b"]:
        kind, size = part.split("-")
        with tempfile.TemporaryDirectory() as folder:
            make_model(size, folder) if kind == "pll" else make_causal(size, folder)
            for dtype in options.dtype or ["float32", "bfloat16"]:
                if options.processes > 1:
                    together(kind, folder, dtype, options)
                else:
                    compare(kind, size, folder, dtype, options)


def compare(kind: str, size: str, folder: str, dtype: str, options: argparse.Namespace) -> None:
    texts = real_sentences(options.sentences)
    parts = sliced(texts, options.slices)
    ours = opened(kind, folder, dtype)

    def score(texts: Sequence[str]) -> object:
        return ours.score([Sentence(text) for text in texts])

    # The first passes find out how many tokens the memory holds, and choose the kernels.
    score(parts[0])
    torch.cuda.reset_peak_memory_stats()
    contenders: dict[str, Contender] = {OURS: score}
    if not options.alone:
        contenders |= _minicons(kind, folder, dtype, parts[0][:256])
    rate = partial(gpu_rate, getattr(torch, dtype), 10)
    timed = contest(contenders, parts, slow={}, few=0, rate=rate)
    words = sum(len(text.split()) for text in texts) / len(texts)
    timed.print(f"{kind}, {size}, {dtype}; {len(texts)} sentences of {words:.1f} words")
    _print_share(kind, size, timed, ours)


def together(kind: str, folder: str, dtype: str, options: argparse.Namespace) -> None:
    """Several workers on one GPU: while one reads texts, another computes."""
    context = get_context("spawn")
    ready = context.Barrier(options.processes)
    parts = sliced(real_sentences(options.sentences), options.processes)
    with context.Pool(options.processes, initializer=_share, initargs=(ready,)) as pool:
        times = pool.starmap(_work, [(kind, folder, dtype, part) for part in parts], chunksize=1)
    taken = max(end for _, end in times) - min(start for start, _ in times)
    print(f"{kind}, {dtype}, {options.processes} processes: {options.sentences / taken:.1f} texts/s", flush=True)


def _share(ready: Any) -> None:
    global _ready
    _ready = ready


def _work(kind: str, folder: str, dtype: str, texts: list[str]) -> tuple[float, float]:
    """When the process began and ended, after a first time that counts for nothing."""
    ours = opened(kind, folder, dtype)
    asked = [Sentence(text) for text in texts]
    ours.score(asked)
    _ready.wait()
    start = time.time()
    ours.score(asked)
    return start, time.time()


def opened(kind: str, folder: str, dtype: str) -> Scorer:
    method, settings = ("masked", {}) if kind == "pll" else ("causal", {"start_token": START})
    return open_scorer(ModelSpec(method, folder, dtype=dtype, settings=settings), metric=kind, settings={})


def make_causal(size: str, folder: str) -> None:
    torch.manual_seed(1)
    tokenizer = transformers.AutoTokenizer.from_pretrained(TOKENIZER)
    config = transformers.LlamaConfig(**CAUSAL[size], vocab_size=len(tokenizer), tie_word_embeddings=True)
    with torch.device("cuda"):
        model: Any = transformers.LlamaForCausalLM(config)
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _minicons(kind: str, folder: str, dtype: str, trial: list[str]) -> dict[str, Contender]:
    name = "MaskedLMScorer" if kind == "pll" else "IncrementalLMScorer"
    theirs = minicons_scorer(name, folder, device="cuda", dtype=getattr(torch, dtype))
    if kind == "pll":
        return minicons(theirs, trial, BATCHES[kind])
    theirs.tokenizer.bos_token = START
    return minicons(theirs, trial, BATCHES[kind], bos_token=True)


def _print_share(kind: str, size: str, timed: Timed, ours: Scorer) -> None:
    """The operations that the numbers need, against those of a large product at the same time."""
    scorer: Any = ours
    count = partial(needed_operations, size, scorer.tokenizer) if kind == "pll" else partial(_needed, size, scorer)
    rates = [count(part) / taken for part, taken in zip(timed.slices, timed.seconds[OURS], strict=True)]
    reached, most = statistics.median(rates), max(timed.rates)
    memory = torch.cuda.max_memory_allocated() / 2**30
    print(f"  {reached / 1e12:.0f} TFLOP/s needed; matrix products: {most / 1e12:.0f}; share {reached / most:.0%}")
    print(f"  {scorer.provenance()['tokens_per_pass']:,} tokens a pass, at most {memory:.1f} GiB", flush=True)


def _needed(size: str, scorer: Any, texts: list[str]) -> float:
    """Of a causal model: the body at every token but the last of each text, and the vocabulary there."""
    shape = CAUSAL[size]
    width, inner, layers = shape["hidden_size"], shape["intermediate_size"], shape["num_hidden_layers"]
    lengths = [len(scorer.tokenizer(text)["input_ids"]) for text in texts]
    each = 2 * (layers * (4 * width * width + 3 * width * inner) + width * len(scorer.tokenizer))
    # Every token attends to half of the text, on average.
    attention = sum(layers * 2 * length * length * width for length in lengths)
    return float(each * sum(lengths) + attention)


if __name__ == "__main__":
    main()
