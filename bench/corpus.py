"""How fast a corpus is searched: our pass on all cores against a plain nlp(text) loop, with the same hits.

    make bench-corpus             (or: python -m bench.corpus FILE…)

Both look for intensifiers in the same lines, a sample of the files. The plain loop gives every line to spaCy and
then applies the rule for hits; ours looks at characters and tags first. They take turns; the ratio is the median.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import spacy
import spacy.about

from bench.sentences import TEXT
from corpus.lines import CorpusFile
from corpus.parsing import PIPELINE
from corpus.sweep import sweep
from corpus.texts import corpus_files, texts
from corpus.workplace import Workplace
from stimuli.constructions.intensifiers import rule
from stimuli.constructions.intensifiers.finder import IntensifierFinder

Hit = tuple[str, str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="*", default=[TEXT], help="text files or folders of them")
    parser.add_argument("--lines", type=int, default=30_000, help="how many lines of them to search (30000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each has its turn (3)")
    options = parser.parse_args()
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "sample.txt"
        words = write_sample(options.corpus, sample, options.lines)
        print(f"{options.lines} lines, {words} words; {cores} cores; spaCy {spacy.about.__version__}")
        ours, plain = list[float](), list[float]()
        for number in range(options.rounds):
            started = time.perf_counter()
            found = searched(sample, Path(folder) / f"work-{number}", cores)
            ours.append(time.perf_counter() - started)
            started = time.perf_counter()
            expected = plain_loop(sample)
            plain.append(time.perf_counter() - started)
            same = "the same hits" if found == expected else f"DIFFERENT: {sorted(set(found) ^ set(expected))[:5]}"
            print(f"  ours {ours[-1]:.1f} s, plain {plain[-1]:.1f} s; {len(found)} and {len(expected)} hits, {same}")
    ratio = statistics.median(theirs / mine for theirs, mine in zip(plain, ours, strict=True))
    print(f"ours {words / statistics.median(ours):,.0f} words/s, plain {words / statistics.median(plain):,.0f} words/s")
    print(f"ours is {ratio:.1f} × as fast (loading the parser included in both)")


def write_sample(sources: list[Path], sample: Path, lines: int) -> int:
    """Evenly spread lines of all files, as plain text; how many words they have."""
    every = [
        text.text
        for path, form in corpus_files(sources, form=None)
        for text in texts(CorpusFile(path), form, field="")
        if text.gold is None
    ]
    chosen = every[:: max(1, len(every) // lines)][:lines]
    sample.write_text("\n".join(chosen) + "\n", encoding="utf-8")
    return sum(len(text.split()) for text in chosen)


def searched(sample: Path, folder: Path, cores: int) -> list[Hit]:
    blocks: list[dict[str, Any]] = list(sweep([sample], IntensifierFinder(), Workplace(folder, cores, 0)))
    return sorted((hit["place"], hit["adverb"], hit["adjective"]) for block in blocks for hit in block["hits"])


def plain_loop(sample: Path) -> list[Hit]:
    """Everything to the parser; then the rule for hits."""
    nlp = spacy.load(PIPELINE, exclude=["ner"])
    found: list[Hit] = []
    for text in texts(CorpusFile(sample), "plain", field=""):
        doc = nlp(text.text)
        hits = rule.hits(doc, rule.candidates(doc))
        found += [(text.place, adverb.lower_, adjective.lower_) for adverb, adjective, _ in hits]
    return sorted(found)


if __name__ == "__main__":
    main()
