"""How fast sentences are scored: ours, minicons, one mask a forward pass, and what the machine could do at most.

    make bench-scoring            (or: python -m bench.scoring [--only base|small|tiny|causal] [--slices N] …)

The texts are cut into slices of mixed length. Every contender scores every slice, in turn, in one process, with the
same weights and threads; a ratio is the median over the slices. One mask a forward pass is slow: it does the first
slices only.
"""

import argparse
import platform

import torch
import transformers

from bench.scoring import causal, masked

BATCHES = [1, 2, 4, 8, 16, 32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*masked.SHAPES, "causal"], action="append", help="may be repeated (all)")
    parser.add_argument("--sentences", type=int, default=500, help="how many sentences for pll (500)")
    parser.add_argument("--slices", type=int, default=5, help="how many slices to cut the texts into (5)")
    parser.add_argument("--few", type=int, default=1, help="how many slices one mask a pass does (1)")
    parser.add_argument("--batches", type=int, nargs="+", default=BATCHES, help="minicons' batch sizes to try")
    parser.add_argument("--tries", type=int, default=20, help="how often a product of matrices is timed a slice (20)")
    options = parser.parse_args()
    versions = f"torch {torch.__version__}, transformers {transformers.__version__}"
    print(f"{platform.processor() or platform.machine()}, {torch.get_num_threads()} threads, {versions}", flush=True)
    for part in options.only or [*masked.SHAPES, "causal"]:
        if part == "causal":
            causal.compare(options)
        else:
            masked.compare(part, options)


if __name__ == "__main__":
    main()
