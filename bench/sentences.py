"""Real sentences of mixed length for benchmarks."""

import gzip
import json
import random

from bench import ROOT, SHARED

TEXT = SHARED / "text"
FEWEST, MOST = 4, 40
CORPORA = (
    "masc/masc.txt.gz",
    "movie_snippets/movie_snippets.txt.gz",
    "product_reviews/product_reviews.txt.gz",
    "english_novels/novels_paragraphs.txt.gz",
)


def real_sentences(count: int) -> list[str]:
    """`count` lines of the text corpora beside the checkout, or, without them, of the sample studies, repeated."""
    found = _corpora() if TEXT.is_dir() else _samples()
    rng = random.Random(11)
    if len(found) >= count:
        return rng.sample(found, count)
    return [found[number % len(found)] for number in range(count)]


def _corpora() -> list[str]:
    lines: list[str] = []
    for name in CORPORA:
        with gzip.open(TEXT / name, "rt", encoding="utf-8") as corpus:
            own = [line.strip() for line in corpus if FEWEST <= len(line.split()) <= MOST]
        lines += random.Random(name).sample(own, min(5000, len(own)))
    return lines


def _samples() -> list[str]:
    found: list[str] = []
    for path in sorted((ROOT / "stimuli" / "samples").glob("*/items.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for value in json.loads(line)["content"].values():
                found += value.values() if isinstance(value, dict) else [value]
    return list(dict.fromkeys(text for text in found if FEWEST <= len(text.split()) <= MOST and "____" not in text))
