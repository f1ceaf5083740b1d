"""How fast a corpus is searched, beside a plain nlp(text) loop with the same hits, and how fast it is counted.

    make bench-corpus             (or: python -m bench.corpus FILE…)

Both look for intensifiers in the same lines, a sample of the files. The plain loop gives every line to spaCy and
then applies the rule for hits; ours looks at characters and tags first. They take turns; the ratio is the median.
Then the sample is counted into a store of associations, from an empty folder: speed, memory, sizes.
"""

import argparse
import io
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import spacy
import spacy.about

from bench import TEXT, migrate, set_up
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
        count(Path(folder), sample, cores)
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


def count(folder: Path, sample: Path, cores: int) -> None:
    """The pass of count_corpus, with its figures."""
    set_up(folder)
    migrate()
    from django.core.management import call_command

    from scoring.baselines.associations.places import current, state_folder

    started = time.perf_counter()
    call_command("count_corpus", "bench", str(sample), processes=cores, stdout=io.StringIO(), stderr=io.StringIO())
    seconds = time.perf_counter() - started
    store = folder / "var" / "associations" / "bench"
    manifest = current(store)
    assert manifest is not None, "the count has just finished"
    words = manifest.totals["words"]
    # ru_maxrss is in KiB on Linux; of the children it is that of the largest.
    peaks = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    sizes = {path.name: path.stat().st_size / 2**20 for path in sorted(state_folder(store, manifest.content).iterdir())}
    print(f"counted {words:,} words in {seconds:.1f} s, {words / seconds:,.0f} words/s")
    print(f"  memory: at most {peaks[0]:,.0f} MiB, and {peaks[1]:,.0f} MiB of a process that parses")
    print(f"  files: {', '.join(f'{name} {size:,.1f} MiB' for name, size in sizes.items())}")


if __name__ == "__main__":
    main()
