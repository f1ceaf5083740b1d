"""Sixty random kills of every kind of process while people label and workers work: what was lost, doubled, left.

    make bench-kills ARGS=FOLDER    (or: python -m bench.kills FOLDER [--kills N] [--postgres | --database URL])

Starts in FOLDER what a server runs (gunicorn, a Celery worker of each queue, the clock, Valkey and, with --postgres, a
PostgreSQL of its own), each restarted as systemd would. Twelve people at once label studies of bench.crowd over HTTP,
one study after another, while a run, an import, a training, a report and a corpus pass are always running; every few
seconds a process of a random kind gets SIGKILL (with --fill, the disk is full for some seconds instead). Afterwards no
acknowledged label is lost or doubled, each item has exactly as many labels as wanted, all work has finished or failed
in words, nothing waits, and check_integrity names no row; else it ends with 1. /metrics, read meanwhile, is in
FOLDER/metrics.jsonl, and drawn by `python -m bench.kills.picture FOLDER/metrics.jsonl FILE.svg`.
"""

import argparse
import logging
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench import ROOT, migrate, set_up

if TYPE_CHECKING:
    from bench.crowd.schedule import Came, Crowd
    from bench.kills.processes import Server
    from bench.kills.work import Work

AT_ONCE = 12
# How long the work that still runs after the last kill may take.
QUIET_SECONDS = 900


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where all of it lies; it must be new or empty")
    parser.add_argument("--kills", type=int, default=60, help="how many (60)")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two, on average (5)")
    parser.add_argument("--people", type=int, default=60, help="who come to a study before others fill up (60)")
    parser.add_argument("--seed", type=int, default=1, help="whom and what it hits (1)")
    parser.add_argument("--model", default="minilm-l6-masked", help="which scores by pll (minilm-l6-masked)")
    parser.add_argument("--fill", action="store_true", help="fill the disk of FOLDER, a small one, and kill nothing")
    parser.add_argument("--small", action="store_true", help="pieces of work that end within seconds")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--postgres", action="store_true", help="a PostgreSQL of its own, which is hit too")
    where.add_argument("--database", default="", metavar="URL", help="an empty database, which is not hit")
    options = parser.parse_args()
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    sys.exit(bool(kept_going(folder, options)))


def kept_going(folder: Path, options: argparse.Namespace) -> list[str]:
    """What does not hold at the end, all of it printed."""
    from bench.kills.processes import (
        DATABASE,
        Server,
        database_answers,
        own_database,
        programs,
        queue_answers,
        wait_until,
    )
    from bench.kills.watching import TOKEN
    from tests.parallax_client.serving import answers, free_port

    own, url = own_database(folder) if options.postgres else (None, options.database)
    os.environ |= {"METRICS_TOKEN": TOKEN, "OMP_NUM_THREADS": "1", "CELERY_SKIP_CHECKS": "1"}
    port = free_port()
    set_up(folder, url)
    from config.broker import broker_socket

    os.environ["REDIS_URL"] = f"redis+socket://{broker_socket(folder / 'var')}"
    filling = folder / "filling" if options.fill else None
    server = Server(({DATABASE: own} if own else {}) | programs(folder, port), filling)
    with server.running():
        if own:
            wait_until(lambda: database_answers(url), "the database")
        migrate()
        refuse_studies()
        models(folder)
        wait_until(lambda: queue_answers(folder), "the queue’s server")
        wait_until(lambda: answers(f"http://127.0.0.1:{port}"), "the web server")
        return labeled(folder, port, server, options)


def refuse_studies() -> None:
    """Of studies that are there already no work would be asked, and all would seem to hold."""
    from annotation.models import Study

    if Study.with_deleted.exists():
        raise SystemExit("The database has studies. Name an empty one, or a new FOLDER.")


def models(folder: Path) -> None:
    """Those of the checkout, by links, so that what is trained stays here."""
    from django.core.management import call_command

    place = folder / "var" / "models"
    place.mkdir(exist_ok=True)
    for packaged in (ROOT / "var" / "models").glob("*/"):
        link = place / packaged.name
        if not link.exists():
            link.symlink_to(packaged.resolve())
    call_command("fetch_models", verbosity=0)


def labeled(folder: Path, port: int, server: "Server", options: argparse.Namespace) -> list[str]:
    """Studies are labeled, one after another, until the last blow has fallen; then what came of all of it."""
    from bench.crowd.__main__ import prepared
    from bench.crowd.schedule import collect, wait_for_leases
    from bench.crowd.table import tell
    from bench.kills.processes import struck_at_random
    from bench.kills.watching import watched
    from bench.kills.work import Size, Work

    logging.getLogger("bench.crowd.walk").setLevel(logging.ERROR)
    small = Size(items=20, labels=80, lines=20, epochs=2)
    work = Work(folder, small if options.small else Size(), model=options.model)
    (folder / "metrics.jsonl").unlink(missing_ok=True)
    started = time.monotonic()
    came: list[tuple[Crowd, Came]] = []
    with watched(port, folder / "metrics.jsonl"):
        hit = struck_at_random(server, kills=options.kills, every=options.every, seed=options.seed, say=say)
        with work.under_way(), hit as done:
            while not done.is_set():
                crowd = prepared(folder, port, people=options.people, at_once=AT_ONCE, seed=options.seed + len(came))
                came.append((crowd, collect(crowd, people=options.people, seed=options.seed, lapse=wait_for_leases)))
        waited = quiet(work)
    faults = [fault for crowd, one in came for fault in tell(crowd.study, one)]
    faults += told(server, work, waited, seconds=time.monotonic() - started)
    print("\n".join([f"What must hold: {f'{len(faults)} faults' if faults else 'all of it holds'}.", *faults]))
    return faults


def say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def quiet(work: "Work") -> float:
    """Wait until no work is running; how many seconds it took."""
    from bench.kills.work import left

    began = time.monotonic()
    while (work.look(again=False) or left()) and time.monotonic() - began < QUIET_SECONDS:
        time.sleep(1)
    return time.monotonic() - began


def told(server: "Server", work: "Work", waited: float, *, seconds: float) -> list[str]:
    """The tables of blows and of work; what does not hold of it, and what check_integrity says."""
    from bench.crowd.walk import HttpBrowser
    from bench.kills.work import left
    from researcher.integrity.faults import read_faults

    print(f"{server.struck.total()} kills within {seconds:.0f} s, {server.started_again} programs started again\n")
    print("| hit | times |\n|---|---:|")
    print("\n".join(f"| {words} | {count} |" for words, count in sorted(server.struck.items())))
    refused = ", ".join(f"{count} times “{words}”" for words, count in HttpBrowser.refused.most_common())
    print(f"\nRefused for a moment, and sent again by those who label: {refused or 'nothing'}")
    print("\n| work | asked for | finished | failed, in words |\n|---|---:|---:|---|")
    faults = []
    for piece in work.pieces:
        words = "; ".join(sorted(set(piece.failed))) or "none"
        if not piece.asked:
            faults.append(f"{piece.name}: nothing was asked for")
        print(f"| {piece.name} | {piece.asked} | {piece.finished} | {len(piece.failed)}: {words} |")
        if piece.finished + len(piece.failed) != piece.asked:
            faults.append(f"{piece.name}: {piece.asked} were asked for, and one has no end")
    found = list(read_faults())
    print(f"\nAll was quiet {waited:.0f} s after the last kill. check_integrity: {len(found)} faults.")
    return faults + [f"{count} rows of {label} wait or are held" for label, count in left().items()] + found


if __name__ == "__main__":
    main()
