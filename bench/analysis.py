"""Results of a million labels: how long every researcher's page takes, and what a worker takes to compute its figures.

    make bench-analysis ARGS=FOLDER    (or: python -m bench.analysis FOLDER [--database URL])

FOLDER is one that bench.million has filled. A Valkey server of its own holds what is remembered. A worker's task
computes the figures once; then each page is asked for by a process that has just started (cold), again by the same
(warm), and in another fresh process after one more label. A line a page: milliseconds, bytes as sent, peak memory; the
last is of one process that has shown them all. FOLDER/analysis.json has the same.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.million import ROOT, installation, peak

# Every section of the breakdown, by another attribute than its first. A regression takes no attribute of 50 values.
QUERY = "by=source&across=noun&predictors=source"
PAGES = {
    "studies": "/studies/",
    "study": "/studies/{slug}/",
    **{
        f"results, {part or 'overview'}": f"/studies/{{slug}}/results/{part}{'/' if part else ''}"
        for part in ("", "people", "models", "items", "breakdown", "export")
    },
    "results, items, page 2": "/studies/{slug}/results/items/?page=2",
    "results, breakdown with a heatmap": f"/studies/{{slug}}/results/breakdown/?{QUERY}",
    "one item": "/studies/{slug}/items/{item}/",
    "planning": "/studies/{slug}/planning/",
}
EVERY = "every page"
HEAD = "| page | cold, ms | warm, ms | after one label, ms | kB, compressed | peak MB |\n|---|---|---|---|---|---|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where bench.million has put the database")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    parser.add_argument("--one-process", action="store_true", help="start none: no page is cold then")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = options.folder.absolute()
    installation(folder, options.database)
    if options.step:
        print(json.dumps(measured(options.step)))
        return
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    server = start_server(folder)
    try:
        report(folder, measured if options.one_process else partial(in_child, folder, options.database))
    finally:
        server.terminate()
        server.wait()


def in_child(folder: Path, database: str, step: str) -> dict[str, Any]:
    """What `measured` says in a process of its own."""
    command = [sys.executable, "-m", "bench.analysis", str(folder), "--step", step, "--database", database]
    said = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)  # noqa: S603 our own line
    if said.returncode:
        raise SystemExit(f"{step}: it failed, as said above.")
    found: dict[str, Any] = json.loads(said.stdout.strip().splitlines()[-1])
    return found


def report(folder: Path, ask: Callable[[str], dict[str, Any]]) -> None:
    steps = {}
    for step in ("compute", "break down", "sum up", "plan"):
        found = steps[step] = ask(step)
        spent = f"{found['seconds']:.1f} s, {found['cpu']:.1f} CPU s, {found['peak']:,} MB"
        print(f"A worker: {step} in {spent}", flush=True)
    before = {name: ask(name) for name in PAGES}
    every = ask(EVERY)
    given = ask("label")
    print(f"One label is recorded in {1000 * given['seconds']:.0f} ms\n\n{HEAD}", flush=True)
    pages = {}
    for name, found in before.items():
        after = ask(name)
        pages[name] = found | {"after": after["cold"], "peak": max(found["peak"], after["peak"])}
        print(
            f"| {name} | {found['cold']:.0f} | {found['warm']:.0f} | {after['cold']:.0f} | {found['sent']:.0f} "
            f"| {pages[name]['peak']} |",
            flush=True,
        )
    print(f"| one process after every page | | | | | {every['peak']} |", flush=True)
    found = {"steps": steps, "pages": pages, "every": every["peak"], "label": given["seconds"]}
    (folder / "analysis.json").write_text(json.dumps(found, indent=1))


def start_server(folder: Path) -> "subprocess.Popen[bytes]":
    """The server that `make run` starts, for this folder."""
    from config.broker_socket import broker_socket
    from config.local.valkey import answers, valkey_program

    var = folder / "var"
    program = valkey_program(var, log=folder / "valkey.log", say=print)
    with (folder / "valkey.log").open("wb") as log:
        started = subprocess.Popen(program.command, cwd=program.folder, stdout=log)  # noqa: S603 our own line
    while not answers(broker_socket(var)):
        time.sleep(0.05)
    return started


def measured(step: str) -> dict[str, Any]:
    import django

    django.setup()
    # As in a web process of `make run`, which has imported its pages before the first request (config/local/web.py).
    import_module("config.local.web")
    from annotation.models import Study
    from bench.made_study import SLUG

    study = Study.objects.get(slug=SLUG)
    if step in PAGES:
        return page(study, PAGES[step])
    if step == EVERY:
        return [page(study, address) for address in PAGES.values()][-1]
    started, cpu = time.monotonic(), time.process_time()
    {"compute": compute, "break down": break_down, "sum up": sum_up, "plan": plan, "label": label}[step](study)
    return {"seconds": time.monotonic() - started, "cpu": time.process_time() - cpu, "peak": peak()}


def compute(study: Any) -> None:
    from comparison import tasks

    tasks.compute(study.pk, "overview", "")


def break_down(study: Any) -> None:
    from comparison import tasks

    tasks.compute(study.pk, "breakdown", QUERY)


def sum_up(study: Any) -> None:
    from researcher import tasks

    tasks.sum_up(study.pk)


def plan(study: Any) -> None:
    from researcher import tasks

    tasks.plan(study.pk, "")


def label(study: Any) -> None:
    """By somebody new, as from the browser."""
    from annotation.assignment import start
    from annotation.models import Annotator
    from annotation.recording import record

    somebody = Annotator.objects.create(external_id=f"bench-{time.time_ns()}")
    sitting = start(study, somebody)
    record(sitting, 1, study.task.scale.values[0])


def page(study: Any, address: str) -> dict[str, Any]:
    """Cold is the first request of this process, with the reading of templates that it takes."""
    from django.test import Client

    from accounts.models import User

    researcher, _ = User.objects.get_or_create(username="bench", defaults={"is_superuser": True})
    client = Client(HTTP_HOST="localhost")
    client.force_login(researcher)
    item = study.items.filter(kind="target").order_by("position").values_list("external_id", flat=True).first()
    path = address.format(slug=study.slug, item=item)
    times = []
    for _ in range(2):
        started = time.perf_counter()
        answer = client.get(path)
        times.append(1000 * (time.perf_counter() - started))
        if answer.status_code != 200:
            raise SystemExit(f"{path} answers {answer.status_code} ({answer.reason_phrase}) and not 200.")
    return {"cold": times[0], "warm": times[1], "sent": len(gzip.compress(answer.content)) / 1000, "peak": peak()}


if __name__ == "__main__":
    os.umask(0o077)
    main()
