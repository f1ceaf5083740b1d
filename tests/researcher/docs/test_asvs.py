"""docs/asvs.md has each point of ASVS 4.0.3, level 2, once, and counts them rightly."""

import re
from collections import Counter
from collections.abc import Iterator

from tests.house.sources import ROOT

# Each section, and how many points it has from 1; a point that is of level 3 or was deleted after a minus.
SECTIONS = """
1.1:7 1.2:4 1.4:5-2-3 1.5:4 1.6:4 1.7:2 1.8:2 1.9:2 1.10:1 1.11:2 1.12:2-1 1.14:6
2.1:12 2.2:3 2.3:3 2.4:6 2.5:7 2.6:3 2.7:6 2.8:7 2.9:3 2.10:4
3.1:1 3.2:4 3.3:4 3.4:5 3.5:3 3.7:1
4.1:5-4 4.2:2 4.3:3
5.1:5 5.2:8 5.3:10 5.4:3 5.5:4
6.1:3 6.2:6 6.3:2 6.4:2
7.1:4 7.2:2 7.3:4-2 7.4:3
8.1:4 8.2:3 8.3:8
9.1:3 9.2:4
10.2:2 10.3:3
11.1:8
12.1:3 12.2:1 12.3:6 12.4:2 12.5:2 12.6:1
13.1:5-2 13.2:6-4 13.3:2 13.4:2
14.1:4 14.2:6 14.3:3-1 14.4:7 14.5:4
"""


def points() -> list[str]:
    found = []
    for section, most, *without in (re.split("[:-]", one) for one in SECTIONS.split()):
        found += [f"{section}.{number}" for number in range(1, int(most) + 1) if str(number) not in without]
    return found


def states(text: str) -> Iterator[tuple[str, str]]:
    every = points()
    for cell, state in re.findall(r"^\| (\d[^|]*) \| ([^|]+) \|", text, re.MULTILINE):
        for part in cell.split(", "):
            first, _, last = part.partition("–")
            yield from ((one, state) for one in every[every.index(first) : every.index(last or first) + 1])


def test_each_point_is_there_once_and_counted():
    text = (ROOT / "docs" / "asvs.md").read_text()
    found = list(states(text))
    assert [point for point, _ in found if point not in points()] == []
    assert sorted(point for point, _ in found) == sorted(points())
    counts = Counter(state for _, state in found)
    met = counts["met"] + counts["met, if set"]
    assert (
        f"{len(found)} points: {met} met ({counts['met, if set']} of them if set), {counts['not met']} not met, "
        f"{counts['does not apply']} do not apply."
    ) in text
