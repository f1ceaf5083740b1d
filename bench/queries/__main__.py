"""What each page asks of PostgreSQL in a study of ten million labels, and how the database answers it.

    make bench-queries ARGS=FOLDER    (or: python -m bench.queries FOLDER [--items N])

Starts the PostgreSQL of the wheel in FOLDER, writes there a study of N items (two million) with five labels each and
as many scores (12 GB; kept for the next time), walks a participant's path and every page and list of a researcher, and
asks the database for the plan of each query. A visit that reads more than 5,000 rows of items, labels or scores, or
reads them without an index, is named, and ends this with 1, but for three that are asked to read so much.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import migrate, set_up
from tests.servers import postgres, postgres_wheel, valkey

WORTH_KEEPING = 100_000

HEAD = "| visit | queries | ms | the query that reads most | plan | rows | its ms |\n|---|---:|---:|---|---|---:|---:|"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the server and its rows are")
    parser.add_argument("--items", type=int, default=2_000_000, help="of five labels each (2000000)")
    parser.add_argument("--only", default="", metavar="WORD", help="visits with this word in their name")
    options = parser.parse_args()
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with server(folder, options.items) as url, valkey(folder / "valkey") as queue:
        set_up(folder, url, redis=queue)
        migrate()
        as_docs_say()
        return walked(folder, options.items, options.only)


@contextmanager
def server(folder: Path, items: int) -> Iterator[str]:
    """In the folder where it is worth keeping."""
    if items < WORTH_KEEPING:
        with postgres() as url:
            yield url
        return
    kept = postgres_wheel()(folder / "postgres", cleanup_mode="stop")
    try:
        yield kept.get_uri()
    finally:
        kept.cleanup()


def as_docs_say() -> None:
    """As docs/running.md sets up the database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f'ALTER DATABASE "{connection.settings_dict["NAME"]}" SET random_page_cost = 1.1')
    connection.close()


def walked(folder: Path, items: int, only: str) -> int:
    from django.db import connection

    from bench.queries.made import make
    from bench.queries.pages import MAY_READ, visits
    from bench.queries.plans import captured, explained

    started = time.monotonic()
    study = make(folder, items)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database()) / 1e9")
        size = cursor.fetchone()[0]
    print(f"{items:,} items, {5 * items:,} labels, {size:.1f} GB, made in {time.monotonic() - started:.0f} s\n\n{HEAD}")
    faults = []
    for name, visit in visits(study):
        if only not in name:
            continue
        if not name.startswith("participant"):
            # What is remembered is remembered then.
            for _ in range(2):
                visit()
        with captured() as found:
            visit()
        if not (asked := explained(found)):
            continue
        most = max(asked, key=lambda one: (one.is_fault, one.rows, one.ms))
        print(
            f"| {name} | {len(found.sent)} | {sum(one.ms for one in asked):.0f} | {most.short} | {most.node} | "
            f"{most.rows:,.0f} | {most.ms:.1f} |",
            flush=True,
        )
        faults += [(name, one) for one in asked if one.is_fault and name not in MAY_READ]
    print(f"\n{len(faults)} queries read more of a large table than a visit may.")
    for name, one in faults:
        print(f"{name}: {one.node}, {one.rows:,.0f} rows, {one.ms:.0f} ms: {one.sql[:1500]}\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
