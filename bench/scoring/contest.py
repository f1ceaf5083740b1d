"""Several ways to do the same work, in turn, in one process: a ratio is the median over slices of the work."""

import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
import transformers

from scoring.scorers.networks.products import PackedLinear

Contender = Callable[[list[str]], object]
OURS = "ours"
# Matrices of a size that the cores are at their best with: the products of a BERT-base layer on 2,048 places.
PLACES, WIDTH, INNER = 2048, 768, 3072
# A GPU is at its best with larger ones.
GPU_SIDE = 8192


@dataclass(frozen=True)
class Timed:
    """Seconds of every contender on the slices that it did, in order, and the machine's rates between them."""

    slices: list[list[str]]
    seconds: dict[str, list[float]]
    rates: list[float] = field(default_factory=list)

    def ratio(self, other: str) -> float:
        """How many times as long `other` takes as we do, median over the slices that both did."""
        pairs = zip(self.seconds[other], self.seconds[OURS], strict=False)
        return statistics.median(theirs / ours for theirs, ours in pairs)

    def print(self, title: str) -> None:
        print(f"\n{title}\n  {'contender':40} {'slices':>6} {'texts/s':>9} {'ours is':>10}")
        for name, taken in self.seconds.items():
            done = sum(len(part) for part in self.slices[: len(taken)])
            times = "" if name == OURS else f"{self.ratio(name):8.2f} ×"
            print(f"  {name:40} {len(taken):6} {done / sum(taken):9.1f} {times:>10}", flush=True)


def contest(
    contenders: Mapping[str, Contender],
    slices: Sequence[list[str]],
    *,
    slow: Mapping[str, Contender],
    few: int,
    rate: Callable[[], float],
) -> Timed:
    """Every contender on every slice, forwards and backwards in turn; the `slow` ones on the first `few` slices."""
    timed = Timed(list(slices), {name: [] for name in [*contenders, *(slow if few else ())]})
    for number, texts in enumerate(slices):
        now = {**contenders, **(slow if number < few else {})}
        for name in list(now)[:: 1 if number % 2 else -1]:
            timed.seconds[name].append(seconds(partial(now[name], texts)))
        timed.rates.append(rate())
        last = ", ".join(f"{name} {timed.seconds[name][-1]:.1f} s" for name in now)
        print(f"slice {number + 1} of {len(slices)}: {last}", flush=True)
    return timed


def sliced(texts: Sequence[str], count: int) -> list[list[str]]:
    """The texts in `count` slices of mixed length, the same for the same texts."""
    mixed = list(texts)
    random.Random(7).shuffle(mixed)
    return [mixed[number::count] for number in range(count)]


def minicons(scorer: Any, trial: list[str], batches: Sequence[int], **options: Any) -> dict[str, Contender]:
    """minicons at 16 texts a batch and at its best batch for such texts, found by trying each once, warm."""

    def at(size: int) -> Contender:
        def score(texts: list[str]) -> object:
            return [
                scorer.sequence_score(texts[start : start + size], reduction=lambda x: x.sum(0).item(), **options)
                for start in range(0, len(texts), size)
            ]

        return score

    at(1)(trial[:1])
    times = {}
    for size in batches:
        try:
            times[size] = seconds(partial(at(size), trial))
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
            break
    best = min(times, key=lambda size: times[size])
    tried = ", ".join(f"{size}: {taken:.2f} s" for size, taken in times.items())
    print(f"minicons by batch on {len(trial)} texts: {tried}; best {best}", flush=True)
    return {"minicons, batch 16": at(16), f"minicons, batch {best} (its best)": at(best)}


def minicons_scorer(kind: str, folder: str, *, device: str = "cpu", dtype: torch.dtype = torch.float32) -> Any:
    """A scorer of minicons, with the one method that transformers 5 has dropped put back for it."""
    setattr(transformers.PreTrainedTokenizerBase, "batch_encode_plus", transformers.PreTrainedTokenizerBase.__call__)  # noqa: B010
    from minicons import scorer

    return getattr(scorer, kind)(folder, device, dtype=dtype)


def matrix_rate(tries: int) -> float:
    """fp32 multiply-adds of large matrices, in operations a second: the best of the tries, by MKL and by oneDNN."""
    states, weight = torch.randn(PLACES, WIDTH), torch.randn(INNER, WIDTH)
    packed = PackedLinear(weight, None)
    with torch.inference_mode():
        ways = (partial(torch.nn.functional.linear, states, weight), partial(packed, states))
        best = min(seconds(way) for way in ways for _ in range(tries))
    return 2 * PLACES * WIDTH * INNER / best


def gpu_rate(dtype: torch.dtype, tries: int) -> float:
    """Multiply-adds of a large product on the GPU, in operations a second: the best of the tries, after a warm one."""
    one, other = (torch.randn(GPU_SIDE, GPU_SIDE, device="cuda", dtype=dtype) for _ in range(2))

    def product() -> None:
        one @ other
        torch.cuda.synchronize()

    product()
    return 2 * GPU_SIDE**3 / min(seconds(product) for _ in range(tries))


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
