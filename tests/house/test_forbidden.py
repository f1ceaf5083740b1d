"""What must not stand in the sources at all."""

import ast
import re
import unicodedata

import pytest

from tests.house.sources import parsed, python_files, short, templates

CALLS = {"eval", "exec", "__import__"}
# Each can run code that came with a file.
IMPORTS = {"pickle", "shelve", "marshal", "dill", "joblib"}
# No fault stands in a text without one of these: parsing every file would take seconds.
WORDS = re.compile(rf"\b(?:{'|'.join(sorted(CALLS | IMPORTS))}|trust_remote_code)\b|\bexcept[\s\\]*:")


def faults(tree: ast.AST) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            found.append(f"line {node.lineno}: {node.func.id}()")
        if isinstance(node, ast.keyword) and node.arg == "trust_remote_code" and not says_false(node.value):
            found.append(f"line {node.value.lineno}: trust_remote_code")
        if isinstance(node, ast.Import):
            found += [f"line {node.lineno}: {name.name}" for name in node.names if root(name.name) in IMPORTS]
        if isinstance(node, ast.ImportFrom) and root(node.module or "") in IMPORTS:
            found.append(f"line {node.lineno}: {node.module}")
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            found.append(f"line {node.lineno}: bare except")
    return found


def suspect(text: str) -> bool:
    """Whether it is worth parsing; names are compared as Python compares them."""
    return WORDS.search(unicodedata.normalize("NFKC", text)) is not None


def says_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def root(module: str) -> str:
    return module.partition(".")[0]


def test_nothing_runs_code_from_data_and_nothing_swallows_errors():
    suspects = [path for path in python_files() if suspect(path.read_text())]
    found = [f"{short(path)}: {fault}" for path in suspects for fault in faults(parsed(path))]
    assert not found, "\n".join(found)


def test_the_rule_sees_what_it_forbids():
    source = "import pickle\neval('1')\nload(trust_remote_code=True)\ntry: pass\nexcept: pass"
    assert len(faults(ast.parse(source))) == 4


@pytest.mark.parametrize(
    "source",
    ["import joblib.pool", "from dill import x", "eval ('1')", "x(trust_remote_code=y)", "try: a\nexcept  \\\n: b"],
)
def test_every_fault_is_suspected(source):
    assert len(faults(ast.parse(source))) == 1
    assert suspect(source)


def test_templates_hold_to_the_content_security_policy():
    found = [f"{short(path)}: {what}" for path in templates() for what in inline(path.read_text())]
    assert not found, "\n".join(found)


def inline(text: str) -> list[str]:
    found: list[str] = re.findall(r"<style|\sstyle\s*=|\son\w+\s*=\s*[\"']|javascript:", text, re.IGNORECASE)
    # A script element either has a src or holds data (JSON), which browsers do not run.
    return found + [tag for tag in re.findall(r"<script[^>]*>", text) if "src=" not in tag and "json" not in tag]
