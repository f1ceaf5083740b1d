"""A million labels: what it takes to load them, to export them, to compute their figures and to show every page.

    make bench-analysis ARGS=FOLDER    (or: python -m bench.analysis FOLDER [--items N] [--only STEP …])

Writes the files of a made study of 200,000 items × 5 labels × 10 runs into FOLDER (those that are there stay), loads
them by the functions that the commands call (what is loaded already is not loaded again), and exports everything row by
row: seconds, CPU seconds, rows a second, peak memory, and how long others have waited to write at most. Then a worker's
task computes the figures, and each page is asked for by a process that has just started (cold), again by the same
(warm), and in another process after one more label. Each step and each page is a process of its own. Ends with 1 where
a page of the results weighs 80 kB or more. The database is FOLDER/million.sqlite3 unless --database names another.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import ROOT, migrate, set_up
from bench.analysis import loading, pages
from bench.analysis.made_study import Size, make_study

Run = Callable[[str], dict[str, Any]]
STEPS = (*loading.IMPORTS, *loading.EXPORTS, "pages")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files and the database are")
    parser.add_argument("--items", type=int, default=200_000, help="how many targets (200000)")
    parser.add_argument("--annotators", type=int, default=1_000, help="how many people (1000)")
    parser.add_argument("--scores", type=int, default=10, help="how many of the ten score files are imported (10)")
    parser.add_argument("--only", nargs="+", default=STEPS, choices=STEPS, metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    parser.add_argument("--one-process", action="store_true", help="start none: no page is cold, a peak is of all")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = options.folder.absolute()
    set_up(folder, options.database)
    if options.step:
        print(json.dumps(measured(folder, options.step)))
        return 0
    migrate()
    make_files(folder, Size(items=options.items, annotators=options.annotators))

    def run(step: str) -> dict[str, Any]:
        return measured(folder, step) if options.one_process else in_child(folder, options.database, step)

    loading.report([step for step in options.only if step != "pages"], run, scores=options.scores)
    return int("pages" in options.only and not pages.report(folder, run))


def make_files(folder: Path, size: Size) -> None:
    if not (folder / "labels.csv").exists():
        started = time.monotonic()
        make_study(folder, size)
        print(f"The files are made in {time.monotonic() - started:.0f} s\n", flush=True)


def measured(folder: Path, step: str) -> dict[str, Any]:
    return pages.measured(step) if step in pages.STEPS else loading.measured(step, folder)


def in_child(folder: Path, database: str, step: str) -> dict[str, Any]:
    """What `measured` says in a process of its own."""
    command = [sys.executable, "-m", "bench.analysis", str(folder), "--step", step, "--database", database]
    child = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)  # noqa: S603 our own line
    if child.returncode:
        raise SystemExit(f"{step}: it failed, as said above.")
    result: dict[str, Any] = json.loads(child.stdout.strip().splitlines()[-1])
    return result


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
