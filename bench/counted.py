"""Baselines from counted text, from an empty folder: the pass over a corpus, and the event sets scored with it.

    make bench-counted ARGS="FILE …"       (or: python -m bench.counted [--processes N] [--data DIR] [FILE …])

Counts the files (default: all of ../shared/data/text, in two goes, since one of its tables has the sentence in column
5), prints time, speed, memory and sizes, scores DTFit and EventsRev with every baseline that the store gives, and
prints coverage and accuracy beside the published files. Exit code 1: a run did not finish; 2: the data are not there.
Nothing is left running.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from bench.event_scores import score_files
from bench.events import DATA, WORKERS, installation, manage, servers
from bench.sentences import TEXT

# Adverb, word, flag, novel, sentence: the others have the text in column 1.
HITS, HITS_COLUMN = TEXT / "english_novels_hits", "5"
SETS = {"EventsRev": "eventsrev-pairs", "DTFit": "dtfit-pairs"}
BASELINES = ("scores_baseline1", "sdm-scores", "TF-prod", "tinylstm")
STORE = "bench"
MIB = 1 << 20
# Files, and the column or field that holds their text.
Go = tuple[list[Path], str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="what is counted")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="processes that parse")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with clean/, model_scores/ and SOURCE.txt")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=[*SETS], help="the sets that are scored (both)")
    options = parser.parse_args()
    goes = [(options.files, "")] if options.files else all_texts()
    needed = [*(path for files, _ in goes for path in files), options.data / "SOURCE.txt"]
    missing = [path for path in needed if not path.exists()]
    if missing:
        print(f"Not here: {', '.join(map(str, missing))}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="counted-") as folder:
        var = Path(folder)
        installation(var)
        manage("migrate", verbosity=0)
        count(var, goes, options.processes)
        return score(var, options.data, {name: SETS[name] for name in options.sets})


def all_texts() -> list[Go]:
    """All of TEXT."""
    folders = sorted(path for path in TEXT.glob("*") if path.is_dir() and path != HITS)
    return [(folders, ""), ([HITS], HITS_COLUMN)]


def count(var: Path, goes: list[Go], processes: int) -> None:
    """The pass, with its figures."""
    started = time.monotonic()
    for files, field in goes:
        print(manage("count_corpus", STORE, *map(str, files), processes=processes, field=field), flush=True)
    seconds = time.monotonic() - started
    from scoring.baselines.associations.places import current, state_folder

    manifest = current(var / "associations" / STORE)
    assert manifest is not None, "the count has just finished"
    folder = state_folder(var / "associations" / STORE, manifest.content)
    words = manifest.totals["words"]
    print(f"{words:,} words in {seconds / 60:.1f} min, {words / seconds:,.0f} words a second, {processes} processes")
    # ru_maxrss is in KiB on Linux; of the children it is that of the largest.
    peaks = {"this process": resource.RUSAGE_SELF, "a process that parses": resource.RUSAGE_CHILDREN}
    for name, who in peaks.items() if processes > 1 else [("the only process", resource.RUSAGE_SELF)]:
        print(f"most memory, {name}: {resource.getrusage(who).ru_maxrss / 1024:,.0f} MiB")
    for path in sorted(folder.iterdir()):
        print(f"{path.name}: {path.stat().st_size / MIB:,.1f} MiB")
    # One more time: nothing is new, so that nothing is done.
    started = time.monotonic()
    for files, field in goes:
        manage("count_corpus", STORE, *map(str, files), processes=processes, field=field)
    print(f"the same again: {time.monotonic() - started:.1f} s\n", flush=True)


def score(var: Path, data: Path, sets: dict[str, str]) -> int:
    """Every baseline on these sets, and the published ones beside them."""
    from annotation.models import Study
    from scoring.models import Run
    from scoring.runs.fitting import choices_for
    from scoring.runs.starting import start_run

    for name, slug in sets.items():
        manage("import_study", "events", str(data / "clean" / f"clean_{name}_SentenceSet.csv"), "--set", name.lower(),
               "--slug", slug)  # fmt: skip
    with servers(var, WORKERS[:1]):
        for study in Study.objects.all():
            for model, fitting in choices_for(study):
                for metric in fitting:
                    start_run(study, model, metric)
        while Run.objects.filter(state__in=["queued", "running"]).exists():
            time.sleep(0.5)
    failed = Run.objects.exclude(state="finished")
    for run in failed:
        print(f"FAULT: {run.study.slug}, {run}: {run.state}. {run.error}")
    for file in score_files(data / "model_scores"):
        if file.events in sets and any(part in file.path.name for part in BASELINES):
            manage("import_scores", sets[file.events], str(file.path), *file.arguments)
    print(coverage() + "\n")
    print(manage("accuracy_table", *sets.values(), format="markdown", ties="wrong"))
    return 1 if failed else 0


def coverage() -> str:
    """The share of pairs of which each run has both numbers, those of the published files beside the others."""
    from scoring.models import Run

    lines = ["| study | baseline | pairs | scored | coverage |", "|---|---|---|---|---|"]
    for run in Run.objects.select_related("study", "model").order_by("study__slug", "model__is_imported", "metric"):
        name = f"{run.model.name} (published)" if run.model.is_imported else run.metric
        share = f"{run.scored / run.total:.1%}" if run.total else "no pairs"
        lines.append(f"| {run.study.slug} | {name} | {run.total} | {run.scored} | {share} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
