"""The pinned requirements, as the house rules see them."""

import re

from tests.house.sources import ROOT

PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(\[[a-z,]+\])?==(?P<version>[0-9][0-9A-Za-z.]*)")


def requirement_lines(file: str) -> list[str]:
    lines = (line.strip() for line in (ROOT / file).read_text().splitlines())
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


def pins(file: str) -> dict[str, str]:
    found = (PIN.fullmatch(line) for line in requirement_lines(file))
    return {match["name"].lower().replace("_", "-"): match["version"] for match in found if match}
