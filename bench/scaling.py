"""How pages grow with a study: the results of bench.analysis for made studies of several sizes, as a table and a curve.

    make bench-scaling ARGS=FOLDER    (or: python -m bench.scaling FOLDER [--sizes N …] [--server URL])

Each size has a folder of its own below FOLDER, which bench.million fills and bench.analysis asks; what is there already
is not done again. --server names a PostgreSQL server's maintenance database; each size gets a database on it. Prints
milliseconds by page and size, cold, warm and after one label, and writes FOLDER/scaling-….svg: the slowest page.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from bench.million import IMPORTS, ROOT

SIZES = (1_000, 10_000, 50_000, 200_000)
STEPS = ("compute", "sum up", "plan")
TIMES = {"cold": "cold", "warm": "warm", "after": "after one label"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the studies are")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="N", help="items of each study")
    parser.add_argument("--server", default="", metavar="URL", help="a PostgreSQL server instead of SQLite")
    options = parser.parse_args()
    kind = "postgresql" if options.server else "sqlite"
    top = options.folder.absolute()
    found = {size: of_size(top / f"{kind}-{size}", size, options.server) for size in options.sizes}
    for key, words in TIMES.items():
        pages = next(iter(found.values()))["pages"]
        table(f"{words}, ms", found, {page: [one["pages"][page][key] for one in found.values()] for page in pages})
    steps = {f"worker: {step}, s": [one["steps"][step]["seconds"] for one in found.values()] for step in STEPS}
    memory = {"one process after every page, MB": [one["every"] for one in found.values()]}
    table("", found, steps | memory)
    (top / f"scaling-{kind}.svg").write_text(curve(found))


def table(title: str, sizes: Iterable[int], rows: Mapping[str, list[float]]) -> None:
    """A column a size."""
    heads = [title, *(f"{size:,}" for size in sizes)]
    print(f"\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for name, numbers in rows.items():
        print(f"| {name} | {' | '.join(f'{number:,.0f}' for number in numbers)} |", flush=True)


def of_size(folder: Path, size: int, server: str) -> dict[str, Any]:
    database = own_database(server, f"parallax_bench_{size}") if server else ""
    if not (folder / "analysis.json").exists():
        given = ["--database", database]
        run("bench.million", str(folder), "--items", str(size), "--only", *IMPORTS, *given)
        run("bench.analysis", str(folder), *given)
    found: dict[str, Any] = json.loads((folder / "analysis.json").read_text())
    return found


def run(*command: str) -> None:
    subprocess.run([sys.executable, "-m", *command], check=True, cwd=ROOT)  # noqa: S603 our own line


def own_database(server: str, name: str) -> str:
    """Its URL; made if it is not there."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
    parts = urlsplit(server)
    return urlunsplit((parts.scheme, parts.netloc, f"/{name}", parts.query, ""))


def curve(found: dict[int, dict[str, Any]]) -> str:
    """The slowest page of each size."""
    import altair as alt
    import vl_convert

    rows = [
        {"items": size, "ms": max(page[key] for page in one["pages"].values()), "asked": words}
        for size, one in found.items()
        for key, words in TIMES.items()
    ]
    scale = alt.Scale(type="log")
    chart = alt.Chart({"values": rows}, width=480, height=280).mark_line(point=True)
    drawn = chart.encode(
        alt.X("items:Q", scale=scale, title="items"),
        alt.Y("ms:Q", scale=scale, title="slowest page, ms"),
        alt.Color("asked:N", title=None),
    )
    text: str = vl_convert.vegalite_to_svg(drawn.to_dict())
    return text


if __name__ == "__main__":
    main()
