"""How fast a corpus is searched, beside a plain nlp(text) loop with the same hits, and how fast it is counted.

    make bench-corpus             (or: python -m bench.corpus FILE…)

Both look for intensifiers in the same lines, a sample of the files. The plain loop gives every line to spaCy and
then applies the rule for hits; ours looks at characters and tags first. They take turns; the ratio is the median.
Then the sample is counted into a store of associations, from an empty folder: speed, memory, sizes. And again by
several workers with a core each, which share a database, a queue and a store: the counting process is one of them, the
others are Celery's. More workers than cores can show no more than that they cost nothing.
"""

import argparse
import io
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import spacy
import spacy.about

from bench import READY_SECONDS, ROOT, TEXT, migrate, set_up
from corpus.lines import CorpusFile
from corpus.parsing import PIPELINE
from corpus.sweep import sweep
from corpus.texts import corpus_files, texts
from corpus.workplace import Workplace
from stimuli.constructions.intensifiers import rule
from stimuli.constructions.intensifiers.finder import IntensifierFinder
from tests.servers import valkey

Hit = tuple[str, str, str]
COUNT = """
import sys, django
django.setup()
from django.core.management import call_command
from corpus import parts
parts.BLOCKS = int(sys.argv[1])
call_command("count_corpus", *sys.argv[2:], processes=1)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="*", default=[TEXT], help="text files or folders of them")
    parser.add_argument("--lines", type=int, default=30_000, help="how many lines of them to search (30000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each has its turn (3; 0: only count)")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4], help="that count together (1 2 4)")
    parser.add_argument("--blocks", type=int, default=16, help="to a part of theirs (16; 128 where nobody measures)")
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
        content = count(Path(folder), sample, cores)
        # At last by nobody: all is found, and what is left is what one process does alone, however many others help.
        for workers in [*options.workers, *([0] if options.workers else [])]:
            kept = Path(folder) / f"store-{workers or options.workers[0]}"
            count_together(Path(folder), sample, workers, options.blocks, kept, content)
    if not ours:
        return
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


def count(folder: Path, sample: Path, cores: int) -> str:
    """The pass of count_corpus, with its figures; the hash of what it counted."""
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
    return manifest.content


def count_together(folder: Path, sample: Path, workers: int, blocks: int, kept: Path, content: str) -> None:
    """The same by so many workers, with the processor's seconds of them all."""
    from scoring.baselines.associations.places import current

    key = f"by-{workers}"
    before = processor_seconds()
    with valkey(folder / f"valkey-{workers}") as url, ExitStack() as others:
        env = os.environ | {"CORPUS_STORE": str(kept), "REDIS_URL": url, "OMP_NUM_THREADS": "1"}
        for number in range(1, workers):
            others.enter_context(worker(folder / f"{key}-{number}", number, env))
        started = time.perf_counter()
        asked = [*pinned(0), sys.executable, "-c", COUNT, str(blocks), key, str(sample)]
        subprocess.run(asked, cwd=ROOT, env=env, check=True, capture_output=True)  # noqa: S603 our own line
        seconds = time.perf_counter() - started
    manifest = current(folder / "var" / "associations" / key)
    assert manifest is not None, "the count has just finished"
    same = "the same bytes" if manifest.content == content else "DIFFERENT"
    found = list(kept.glob("*/*.gz"))
    words, spent, size = (
        manifest.totals["words"],
        processor_seconds() - before,
        sum(one.stat().st_size for one in found),
    )
    print(
        f"{workers} workers: {seconds:.0f} s, {words / seconds:,.0f} words/s; {spent:.0f} s of a processor, "
        f"{words / spent:,.0f} words/s; {len(found)} parts, {size / sample.stat().st_size:.2f} of the text; {same}"
    )


@contextmanager
def worker(var: Path, number: int, env: dict[str, str]) -> Iterator[None]:
    """One of Celery's, as on a machine of its own, once it is ready."""
    var.mkdir()
    options = ["--queues", "jobs", "--concurrency", "1", "--loglevel", "INFO", "--hostname", f"jobs{number}@%h"]
    with (var / "log").open("w") as log:
        process = subprocess.Popen(  # noqa: S603 our own line
            [*pinned(number), sys.executable, "-m", "celery", "--app", "config", "worker", *options],
            cwd=ROOT,
            env=env | {"PARALLAX_VAR": str(var)},
            stdout=log,
            stderr=log,
        )
        try:
            until = time.monotonic() + READY_SECONDS
            while "ready." not in (var / "log").read_text():
                assert time.monotonic() < until and process.poll() is None, (var / "log").read_text()
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            process.wait()


def pinned(number: int) -> list[str]:
    return ["taskset", "--cpu-list", str(number % (os.cpu_count() or 1))]


def processor_seconds() -> float:
    """Of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
