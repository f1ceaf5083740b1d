"""Every figure of six made studies, written to a folder: what a change of the code must leave as it was.

    GOLDEN=/tmp/before .venv/bin/python -m pytest -q tests/comparison/golden.py
    (change the code)
    GOLDEN=/tmp/after .venv/bin/python -m pytest -q tests/comparison/golden.py
    diff -r /tmp/before /tmp/after

No hash is kept in the repository: a figure that is meant to change is seen in the difference, and named in the commit.
"""

import json
import os
import re
from pathlib import Path

import pytest

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Study
from comparison.bundle.making import make
from comparison.exports.cells import lines
from comparison.exports.registry import FILES, export
from comparison.figures.file import Export
from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.filters.selection import Selection
from researcher.views.comparison import PARTS
from tests.api.asking import Api
from tests.comparison.learned import learn_at_once
from tests.comparison.page.visiting import page, plain

STUDIES = ["study", "grouped_study", "asked_study", "synthetic_study", "single_study", "cut_study"]
FILTERS = {
    "all": {},
    "value": {"attribute": "class", "value": "odd"},
    "merged": {"classes": "coarse"},
    "reference": {"against": "reference"},
    "unanimous": {"agreement": "unanimous"},
    "by-class": {"by": "class"},
    "open": {"open": "all"},
    "anonymous": {"anonymous": "yes"},
}
TEXT = {".bib", ".csv", ".html", ".json", ".md", ".tex", ".toml", ".txt"}
API = ["statistics", "verdict"]
# What differs from one run of a test to the next.
FLEETING = re.compile(r"csrfmiddlewaretoken.*|\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?\S*|[0-9a-f]{40,}")

pytestmark = pytest.mark.skipif("GOLDEN" not in os.environ, reason="GOLDEN names no folder to write to")


@pytest.fixture
def folder(name: str) -> Path:
    made = Path(os.environ["GOLDEN"]) / name
    made.mkdir(parents=True, exist_ok=True)
    return made


@pytest.fixture(params=STUDIES)
def name(request) -> str:
    return str(request.param)


@pytest.fixture
def chosen(request, monkeypatch, researcher, name):
    learn_at_once(monkeypatch)
    return request.getfixturevalue(name)


def write(path: Path, text: str) -> None:
    path.write_text(FLEETING.sub("…", text), encoding="utf-8")


@pytest.mark.parametrize("filtered", FILTERS)
def test_pages(chosen, logged_in, folder, filtered):
    for part in PARTS:
        answer = page(logged_in, chosen, part, **FILTERS[filtered])
        write(folder / f"page-{part}-{filtered}.txt", f"{answer.status_code}\n{plain(answer.content.decode())}")


@pytest.mark.parametrize("filtered", [name for name in FILTERS if name != "open"])
def test_files(chosen, folder, filtered):
    selection = read_selection({name: [value] for name, value in FILTERS[filtered].items()})
    for what in FILES:
        write(folder / f"file-{what}-{filtered}.csv", written(export(what), chosen, selection))


def written(rows: Export, study: Study, selection: Selection) -> str:
    try:
        return "".join(lines(rows(study, selection)))
    except SelectionError as refused:
        return f"refused: {refused}"


def test_report(chosen, folder, tmp_path):
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    make(chosen, bundle)
    for path in sorted(path for path in bundle.rglob("*") if path.suffix in TEXT):
        name = "-".join(path.relative_to(bundle).parts)
        write(folder / f"report-{name}", path.read_text(encoding="utf-8"))


def test_api(chosen, researcher, folder):
    give(chosen, researcher, Role.OWNER)
    for what in API:
        answer = Api(researcher).get(f"studies/{chosen.slug}/{what}")
        write(folder / f"api-{what}.json", json.dumps(answer.json(), indent=1, ensure_ascii=False))
