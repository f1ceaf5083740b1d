"""Every environment variable that the program reads stands in docs/settings.md, and no other."""

import ast
import re
from functools import cache

from tests.house.sources import ROOMS, ROOT, parsed, python_files

READERS = {"text", "secret", "flag", "amount", "words", "places", "one_of", "some_of"}
# Documented, and read by the Makefile, the shell or the tests.
ELSEWHERE = {"CHROMIUM", "SHARED_DATA", "TEST_DATABASE_URL", "PIP_FIND_LINKS"}


@cache
def read_by_the_program() -> frozenset[str]:
    names: set[str] = set()
    # Nothing is read where no name has "env" in it: parsing every file would take seconds.
    for path in (path for path in python_files(rooms=ROOMS) if "env" in path.read_text()):
        for node in ast.walk(parsed(path)):
            names |= variable_names(node)
    return frozenset(names)


def variable_names(node: ast.AST) -> set[str]:
    """The constant names in env.xyz("NAME"), os.environ["NAME"], os.environ.get("NAME"), "NAME" in os.environ."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="env"), attr=reader), args=[ast.Constant(value=name), *_]):
            return {str(name)} if reader in READERS else set()
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="environ")), args=[ast.Constant(value=name), *_]):
            return {str(name)}
        case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=name)):
            return {str(name)}
        case ast.Compare(left=ast.Constant(value=name), comparators=[ast.Attribute(attr="environ")]):
            return {str(name)}
    return set()


def documented() -> set[str]:
    return set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/settings.md").read_text(), re.MULTILINE))


def test_every_setting_is_documented():
    # Django's own variable, which nobody should have to set.
    assert read_by_the_program() - {"DJANGO_SETTINGS_MODULE"} - documented() == set()


def test_no_documented_setting_is_gone():
    assert documented() - read_by_the_program() - ELSEWHERE == set()


def test_the_search_finds_settings():
    assert {"DATABASE_URL", "REDIS_URL", "PORT"} <= read_by_the_program()


def test_the_variables_of_deploy_are_documented():
    files = (ROOT / "deploy/parallax.env.example", ROOT / "deploy/compose.yaml")
    used = {
        name for file in files for name in re.findall(r"^(?:    )?([A-Z_]+)(?:=|: )", file.read_text(), re.MULTILINE)
    }
    assert len(used) > 8
    assert used - documented() == set()
