"""What a newcomer is pointed to is there: hooks that check what `make check` checks, and one version everywhere."""

import re
import subprocess
import tomllib

from tests.house.sources import ROOT


def checked_by(target: str) -> set[str]:
    """The targets that a target of the Makefile is made of, down to those that run something."""
    [parts] = re.findall(rf"^{target}:(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    inner = set(parts.split()) - {"install-dev"}
    return set().union(*map(checked_by, inner)) if inner else {target}


def hooks() -> set[str]:
    return set(re.findall(r"^ +entry: make ([a-z-]+)$", (ROOT / ".pre-commit-config.yaml").read_text(), re.MULTILINE))


def test_the_hooks_check_what_make_check_checks():
    assert hooks() == checked_by("check")


def test_make_knows_every_hook():
    subprocess.run(["make", "--dry-run", *sorted(hooks())], cwd=ROOT, check=True, capture_output=True)


def test_no_hook_is_fetched():
    assert set(re.findall(r"repo: (\S+)", (ROOT / ".pre-commit-config.yaml").read_text())) == {"local"}


def test_the_citation_and_the_changelog_have_the_version_of_the_project():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    cited = dict(re.findall(r"^([a-z-]+): *\"?([^\"\n>]+)", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    assert (cited["cff-version"], cited["version"], cited["license"]) == ("1.2.0", version, "Apache-2.0")
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_readme_leads_to_it():
    readme = (ROOT / "README.md").read_text()
    assert not [name for name in ("CONTRIBUTING.md", "CITATION.cff", "CHANGELOG.md") if f"]({name})" not in readme]
