"""What the README and the docs show can be copied and works."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from django.core.management import get_commands

from annotation.studyfile import read_study
from tests.house.sources import ROOT

# Of a command's line. The site shows 110 on a desk; some options of 100 are one word, and cannot be broken.
WIDEST = 105
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("**/*.md")])


def test_the_study_in_the_readme_is_valid(tmp_path):
    [toml] = re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "study.toml").write_text(toml)
    sample = ROOT / "stimuli" / "samples" / "intensifiers" / "items.jsonl"
    (tmp_path / "items.jsonl").write_text(sample.read_text())
    assert read_study(tmp_path).slug == "intensifiers"


def of_every_page(faults: Callable[[Path], Iterable[str]]) -> list[str]:
    return [f"{page.name}: {fault}" for page in PAGES for fault in faults(page)]


def test_links_between_pages_lead_somewhere():
    def astray(page: Path) -> list[str]:
        targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text())
        return [target for target in targets if not (page.parent / target).exists()]

    assert of_every_page(astray) == []


def test_the_readme_leads_to_every_page():
    readme = (ROOT / "README.md").read_text()
    pages = [str(page.relative_to(ROOT)) for page in PAGES if page.name != "README.md"]
    assert not [page for page in pages if f"]({page})" not in readme]


def test_commands_that_are_named_exist():
    def unknown(page: Path) -> set[str]:
        named = set(re.findall(r"manage(?:\.py)? ([a-z][a-z_]+)(?![a-z.]*/)", page.read_text()))
        return named - set(get_commands()) - {"help"}

    assert of_every_page(unknown) == []


def test_no_line_of_a_command_is_longer_than_is_shown():
    def long(page: Path) -> list[str]:
        commands = "".join(re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL))
        return [line for line in commands.splitlines() if len(line) > WIDEST]

    assert of_every_page(long) == []


def test_every_test_that_security_names_is_there():
    named = re.findall(r"`([a-z_/]+\.py)::(test_\w+)`", (ROOT / "SECURITY.md").read_text())
    assert len(named) > 40
    assert [name for file, name in named if f"def {name}(" not in (ROOT / "tests" / file).read_text()] == []
