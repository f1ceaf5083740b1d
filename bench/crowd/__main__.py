"""Sixty made participants through the real pages, eight at once: what became of each beside what ought to have.

    make bench-crowd ARGS=FOLDER    (or: python -m bench.crowd FOLDER [--people N] [--seed N] [--database URL])

Makes a study with every stage (Prolific's preset) in FOLDER, loads and opens it, starts the web server as
docs/running.md does, and lets people of known ways walk from the link to the code: careful and noisy ones, speeders,
straight-liners, repeaters of patterns, leavers, decliners, some who do not understand, some whose id is tried in
another browser, some who come twice. Others come until no label is missing, and one when it is full. Prints what
became of them; ends with 1 where a label is lost, doubled or missing, or a code or a payment is wrong. The database is
FOLDER/million.sqlite3 unless --database names another; each call adds a study to it. Leases run for a minute, twice or
more.
"""

import argparse
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench import migrate, served, set_up

if TYPE_CHECKING:
    from bench.crowd.schedule import Crowd

# Targets for a person of the cast: about as many as give their labels three times over.
PER_PERSON = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the study and its database are")
    parser.add_argument("--people", type=int, default=60, help="how many come before others fill up (60)")
    parser.add_argument("--at-once", type=int, default=8, help="how many at once (8)")
    parser.add_argument("--seed", type=int, default=1, help="what they do; who gets which item is drawn anew (1)")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    options = parser.parse_args()
    folder = options.folder.absolute()
    set_up(folder, options.database)
    migrate()
    with served(workers=3) as (port, _):
        crowd = prepared(folder, port, people=options.people, at_once=options.at_once, seed=options.seed)
        faults = walked(crowd, people=options.people, seed=options.seed)
    sys.exit(bool(faults))


def prepared(folder: Path, port: int, *, people: int, at_once: int, seed: int) -> "Crowd":
    """A new study, open, and how they come to it."""
    from annotation.loading import load_study
    from annotation.models import Study
    from bench.crowd.schedule import Crowd
    from bench.crowd.study import Size, make_world, write_study
    from bench.crowd.walk import HttpBrowser
    from bench.patience import patiently

    slug = f"crowd-{patiently(Study.objects.count) + 1}"
    size = Size(targets=PER_PERSON * people)
    world = make_world(size.targets, seed=seed)
    place = write_study(folder / slug, world, size, slug=slug)
    study = patiently(lambda: load_study(place, open_study=True)).study
    return Crowd(study=study, world=world, new_browser=partial(HttpBrowser, port), at_once=at_once)


def walked(crowd: "Crowd", *, people: int, seed: int) -> list[str]:
    """Print what became of them; what does not hold."""
    from django.db import connection

    from bench.crowd.schedule import collect, wait_for_leases
    from bench.crowd.table import tell

    started = time.monotonic()
    came = collect(crowd, people=people, seed=seed, lapse=wait_for_leases)
    spent = time.monotonic() - started
    print(
        f"{connection.vendor}, seed {seed}: {came.planned} people, {crowd.at_once} at once, then "
        f"{len(came.visits) - came.planned} more; {spent:.0f} s, with the leases that were waited for.\n"
    )
    return tell(crowd.study, came)


if __name__ == "__main__":
    main()
