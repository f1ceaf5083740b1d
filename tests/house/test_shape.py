"""Small files, small functions, and names that say what is inside."""

import ast

from tests.house.sources import functions, python_files, short, templates

LINES_IN_A_FILE = 400
LINES_IN_A_FUNCTION = 40
LONGEST_TEMPLATE_LINE = 160
# A file with such a name is where things go that nobody has thought about.
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "services", "service", "manager", "managers", "common", "misc"}


def test_a_file_is_one_idea():
    long = [
        f"{short(path)} has {lines} lines: two ideas."
        for path in python_files()
        if (lines := len(path.read_text().splitlines())) > LINES_IN_A_FILE
    ]
    assert not long, "\n".join(long)


def test_a_template_can_be_read_without_scrolling_sideways():
    long = [
        f"{short(path)}:{number}: {len(line)} characters"
        for path in templates()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST_TEMPLATE_LINE
    ]
    assert not long, "Break the line, or decide in Python what it decides:\n" + "\n".join(long)


def test_a_function_fits_on_a_screen():
    long = [
        f"{short(path)}:{node.lineno} {node.name}: {lines} lines"
        for path in python_files()
        for node in functions(path)
        if (lines := body_lines(node)) >= LINES_IN_A_FUNCTION
    ]
    assert not long, "\n".join(long)


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, without the docstring: explaining more must not count against anyone."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def test_names_say_what_is_inside():
    vague = [short(path) for path in python_files() if {path.stem, path.parent.name} & SAYS_NOTHING]
    assert not vague, f"Name these after what they do: {', '.join(vague)}"
