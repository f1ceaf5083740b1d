"""Real sentences of mixed length for benchmarks."""

import gzip
import json
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXT = ROOT.parent / "shared" / "data" / "text"
CORPORA = (
    "masc/masc.txt.gz",
    "movie_snippets/movie_snippets.txt.gz",
    "product_reviews/product_reviews.txt.gz",
    "english_novels/novels_paragraphs.txt.gz",
)


def real_sentences(count: int, *, fewest: int = 4, most: int = 40) -> list[str]:
    """`count` lines of the text corpora beside the checkout, or, without them, of the sample studies, repeated."""
    found = _corpora(fewest, most) if TEXT.is_dir() else _samples(fewest, most)
    rng = random.Random(11)
    if len(found) >= count:
        return rng.sample(found, count)
    return [found[number % len(found)] for number in range(count)]


def _corpora(fewest: int, most: int) -> list[str]:
    lines: list[str] = []
    for name in CORPORA:
        with gzip.open(TEXT / name, "rt", encoding="utf-8") as corpus:
            own = [line.strip() for line in corpus if fewest <= len(line.split()) <= most]
        lines += random.Random(name).sample(own, min(5000, len(own)))
    return lines


def _samples(fewest: int, most: int) -> list[str]:
    found: list[str] = []
    for path in sorted((ROOT / "stimuli" / "samples").glob("*/items.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for value in json.loads(line)["content"].values():
                found += value.values() if isinstance(value, dict) else [value]
    return list(dict.fromkeys(text for text in found if fewest <= len(text.split()) <= most and "____" not in text))
