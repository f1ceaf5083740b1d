"""Every researcher's page of the made study: what a worker takes for its figures, the page's time, its weight."""

import gzip
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import peak
from bench.analysis.made_study import SLUG

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
EVERY, LABEL = "every page", "one label"
# The task, and what it is given beside the study.
WORK: dict[str, tuple[str, ...]] = {
    "compute": ("comparison.tasks.compute", "overview", ""),
    "break down": ("comparison.tasks.compute", "breakdown", QUERY),
    "sum up": ("researcher.tasks.sum_up",),
    "plan": ("researcher.tasks.plan", ""),
}
STEPS = (*PAGES, EVERY, LABEL, *WORK)
HEAD = (
    "| page | cold, ms (CPU) | warm, ms (CPU) | after one label, ms (CPU) | kB, with its files | peak MB |\n"
    "|---|---|---|---|---|---|"
)
FILES = re.compile(r'(?:href|src)="/static/([^"?]+\.(?:css|js|svg))"')
IMPORTS = re.compile(r'@import url\("([^"]+)"\)')
# A page of the results, compressed, with all that it loads.
MOST_KB = 80


def report(folder: Path, run: Callable[[str], dict[str, Any]]) -> bool:
    """Print a line a page; whether all are light enough."""
    with remembering(folder):
        for step in WORK:
            result = run(step)
            spent = f"{result['seconds']:.1f} s, {result['cpu']:.1f} CPU s, {result['peak']:,} MB"
            print(f"A worker: {step} in {spent}", flush=True)
        before, every, recorded = {name: run(name) for name in PAGES}, run(EVERY), run(LABEL)
        print(f"One label is recorded in {1000 * recorded['seconds']:.0f} ms\n\n{HEAD}", flush=True)
        for name, page in before.items():
            after = run(name)
            most = max(page["peak"], after["peak"])
            times = " | ".join("{:.0f} ({:.0f})".format(*one) for one in (page["cold"], page["warm"], after["cold"]))
            print(f"| {name} | {times} | {page['kB']:.0f} | {most} |", flush=True)
        print(f"| one process after every page | | | | | {every['peak']} |", flush=True)
    return all(page["kB"] < MOST_KB for name, page in before.items() if name.startswith("results"))


@contextmanager
def remembering(folder: Path) -> Iterator[None]:
    """The Valkey server that `make run` starts, for this folder: it holds what is remembered."""
    from config.broker import broker_socket
    from config.local.valkey import answers, valkey_program

    var = folder / "var"
    program = valkey_program(var, log=folder / "valkey.log", say=print)
    with (folder / "valkey.log").open("wb") as log:
        server = subprocess.Popen(program.command, cwd=program.folder, stdout=log)  # noqa: S603 our own line
    try:
        while not answers(broker_socket(var)):
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()


def measured(step: str) -> dict[str, Any]:
    # As in a web process of `make run`, which has imported its pages before the first request (config/local/web.py).
    import_module("config.local.web")
    from django.utils.module_loading import import_string

    from annotation.models import Study

    study = Study.objects.get(slug=SLUG)
    if step in PAGES:
        return show(study, PAGES[step])
    if step == EVERY:
        return [show(study, address) for address in PAGES.values()][-1]
    started, cpu = time.monotonic(), time.process_time()
    if step == LABEL:
        label(study)
    else:
        name, *rest = WORK[step]
        import_string(name)(study.pk, *rest)
    return {"seconds": time.monotonic() - started, "cpu": time.process_time() - cpu, "peak": peak()}


def label(study: Any) -> None:
    """By somebody new, as from the browser."""
    from annotation.assignment import start
    from annotation.models import Annotator
    from annotation.recording import record

    somebody = Annotator.objects.create(external_id=f"bench-{time.time_ns()}")
    record(start(study, somebody), 1, study.task.scale.values[0])


def show(study: Any, address: str) -> dict[str, Any]:
    """Cold is the first request of this process, with the reading of templates that it takes; in ms, and of a CPU."""
    from django.test import Client

    from accounts.models import User

    researcher, _ = User.objects.get_or_create(username="bench", defaults={"is_superuser": True})
    client = Client(HTTP_HOST="localhost")
    client.force_login(researcher)
    item = study.items.filter(kind="target").order_by("position").values_list("external_id", flat=True).first()
    path = address.format(slug=study.slug, item=item)
    times = []
    for _ in range(2):
        started, cpu = time.perf_counter(), time.process_time()
        answer = client.get(path)
        times.append((1000 * (time.perf_counter() - started), 1000 * (time.process_time() - cpu)))
        if answer.status_code != 200:
            raise SystemExit(f"{path} answers {answer.status_code} ({answer.reason_phrase}) and not 200.")
    return {"cold": times[0], "warm": times[1], "kB": weight(answer.content) / 1000, "peak": peak()}


def weight(html: bytes) -> int:
    """Bytes of a page and of the files that it names (with what stylesheets import), compressed as a server does."""
    paths = [path for name in dict.fromkeys(FILES.findall(html.decode())) for path in with_imports(static(name))]
    return sum(len(gzip.compress(content, 6)) for content in (html, *(path.read_bytes() for path in paths)))


def static(name: str) -> Path:
    """Where it lies: names may carry the hash of their content."""
    from django.contrib.staticfiles import finders

    path = finders.find(re.sub(r"\.[0-9a-f]{12}(\.\w+)$", r"\1", name))
    if path is None:
        raise LookupError(f"The page names {name}, which is not there.")
    return Path(str(path))


def with_imports(path: Path) -> list[Path]:
    inside = IMPORTS.findall(path.read_text(encoding="utf-8")) if path.suffix == ".css" else []
    return [path, *(path.parent / name for name in inside)]
