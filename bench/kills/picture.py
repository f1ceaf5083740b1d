"""One page of charts from the metrics of a load test.

    python -m bench.kills.picture FOLDER/metrics.jsonl FILE.svg    (or FILE.png)

Answers a second and how long they took, what waits and for how long by kind of work, items scored a second, and what
was counted: leases that ran out, work given up or failed, requests without a database. Where nobody answered, there is
a gap.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import vl_convert

from bench.kills.watching import Key, Reading, read_readings
from comparison.pictures.vega_lite import Spec, field

WIDTH, HEIGHT = 380, 150
REQUESTS = "parallax_request_seconds"
COUNTED = {
    "parallax_leases_expired_total": "leases expired",
    "parallax_failures_total": "failed",
    "parallax_worn_out_total": "given up after three kills",
    "parallax_database_errors_total": "requests without a database",
}
# Of ten seconds, so that a server that has just started is no peak.
SMOOTH = 5
Rows = list[dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("metrics", type=Path, help="what bench.kills has read")
    parser.add_argument("picture", type=Path, help="where it goes: .svg or .png")
    options = parser.parse_args()
    spec = drawn(read_readings(options.metrics))
    if options.picture.suffix == ".svg":
        options.picture.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    else:
        options.picture.write_bytes(vl_convert.vegalite_to_png(spec, scale=1.5))


def drawn(readings: Sequence[Reading]) -> Spec:
    readings = readings[::SMOOTH]
    scored = rates(readings, "parallax_items_scored_total", by=lambda key: "items")
    rows = (
        (
            chart(rates(readings, f"{REQUESTS}_count", by=status), "Answers a second, by status", "area"),
            chart(latencies(readings), "Time of an answer, ms", "line"),
        ),
        (
            chart(levels(readings, "parallax_waiting"), "Rows of work that wait", "line"),
            chart(levels(readings, "parallax_oldest_seconds"), "How long the oldest waits, s", "line"),
        ),
        (chart(scored, "Items scored a second", "line"), chart(counts(readings), "Counted since the start", "line")),
    )
    # Each its own colors and legend.
    apart = {"resolve": {"scale": {"color": "independent"}}}
    legend = {"orient": "bottom", "title": None, "columns": 2, "labelFontSize": 9}
    return {"vconcat": [{"hconcat": row, **apart} for row in rows], **apart, "config": {"legend": legend}}


def chart(rows: Rows, title: str, mark: str) -> Spec:
    return {
        "data": {"values": rows},
        "title": title,
        "width": WIDTH,
        "height": HEIGHT,
        "mark": mark if mark == "area" else {"type": mark, "strokeWidth": 1.2},
        "encoding": {
            "x": field("minutes:Q", title="minutes", axis={"grid": False}),
            "y": field("value:Q", title=None),
            "color": field("of:N"),
        },
    }


def status(key: Key) -> str:
    return dict(key[1])["status"]


def kind(key: Key) -> str:
    return dict(key[1])["kind"].rpartition(".")[2].lower()


def steps(readings: Sequence[Reading]) -> Iterator[tuple[float, float, dict[Key, float], dict[Key, float]]]:
    """Two readings after one another that were answered: minutes, seconds between them, and both."""
    for before, after in pairwise(readings):
        if before.values is not None and after.values is not None:
            yield after.at / 60, after.at - before.at, before.values, after.values


def grown(before: dict[Key, float], after: dict[Key, float], key: Key) -> float:
    """By how much; a counter that is smaller began anew."""
    was, now = before.get(key, 0.0), after[key]
    return now - was if now >= was else now


def rates(readings: Sequence[Reading], name: str, *, by: Callable[[Key], str]) -> Rows:
    rows = []
    for minutes, seconds, before, after in steps(readings):
        sums: dict[str, float] = {}
        for key in after:
            if key[0] == name:
                sums[by(key)] = sums.get(by(key), 0.0) + grown(before, after, key)
        rows += [{"minutes": minutes, "value": value / seconds, "of": of} for of, value in sums.items()]
    return rows


def latencies(readings: Sequence[Reading]) -> Rows:
    """By the buckets of all addresses together."""
    rows = []
    for minutes, _, before, after in steps(readings):
        buckets: dict[float, float] = {}
        for key in after:
            if key[0] == f"{REQUESTS}_bucket":
                edge = float(dict(key[1])["le"])
                buckets[edge] = buckets.get(edge, 0.0) + grown(before, after, key)
        for share, of in ((0.5, "median"), (0.95, "95 of 100")):
            if (found := quantile(buckets, share)) is not None:
                rows.append({"minutes": minutes, "value": 1000 * found, "of": of})
    return rows


def quantile(buckets: dict[float, float], share: float) -> float | None:
    """Within its bucket by a straight line, as Prometheus has it; None where nobody asked."""
    edges = sorted(buckets)
    if not edges or not buckets[edges[-1]]:
        return None
    wanted, low, below = share * buckets[edges[-1]], 0.0, 0.0
    for edge in edges:
        if buckets[edge] >= wanted:
            if edge == float("inf"):
                return low
            inside = buckets[edge] - below
            return low + (edge - low) * ((wanted - below) / inside if inside else 1.0)
        low, below = edge, buckets[edge]
    return low


def levels(readings: Sequence[Reading], name: str) -> Rows:
    """Of each kind that ever waited."""
    rows: Rows = []
    for one in readings:
        sums: dict[str, float] = {}
        for key, value in (one.values or {}).items():
            if key[0] == name:
                sums[kind(key)] = max(sums.get(kind(key), 0.0), value)
        rows += [{"minutes": one.at / 60, "value": value, "of": of} for of, value in sums.items()]
    seen = {row["of"] for row in rows if row["value"]}
    return [row for row in rows if row["of"] in seen]


def counts(readings: Sequence[Reading]) -> Rows:
    """Added up over the emptied servers of the queue, which begin at 0 again."""
    rows, sums = [], dict.fromkeys(COUNTED, 0.0)
    for minutes, _, before, after in steps(readings):
        for name, words in COUNTED.items():
            if (name, ()) in after:
                sums[name] += grown(before, after, (name, ()))
            rows.append({"minutes": minutes, "value": sums[name], "of": words})
    return rows


if __name__ == "__main__":
    main()
