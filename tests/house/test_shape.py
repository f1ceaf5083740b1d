"""Small files, small functions, and names that say what is inside."""

import ast
from collections import Counter
from pathlib import Path

import pytest
from wordfreq import zipf_frequency

from tests.house.sources import functions, python_files, short, templates

LINES_IN_A_FILE = 400
LINES_IN_A_FUNCTION = 40
LONGEST_TEMPLATE_LINE = 160
MODULES_IN_A_FOLDER = 20
# Where Django looks for commands it looks into no folder below.
FLAT = {"management/commands"}
# In English text as often as once in ten million words (Zipf's scale: 2 is a word in ten million, 6 one in a thousand).
A_WORD, A_PLAIN_WORD = 2.0, 3.5
SHORTEST_WORD = 3
# Names that are one word, though two words can be read in them.
ONE_WORD = {
    "bigrams": "a term of the field",
    "linzen": "a person",
    "outbox": "a term of the field",
    "webhook": "a term of the field",
    "webhooks": "a term of the field",
    "minicons": "a package",
    "valkey": "a server",
    "templatetags": "where Django looks for tags",
    # The formats that researchers and builders of stimuli write, and what a task is: they stand in the contracts.
    "itemfile": "a format of ours",
    "labelfile": "a format of ours",
    "studyfile": "a format of ours",
    "tasktypes": "a part of the contract between rooms",
}
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


@pytest.mark.slow
def test_a_function_fits_on_a_screen():
    long = [
        f"{short(path)}:{node.lineno} {node.name}: {lines} lines"
        for path in python_files()
        if len(path.read_text().splitlines()) >= LINES_IN_A_FUNCTION
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


def names_by_folder() -> dict[Path, list[str]]:
    """The modules of each folder of ours; of tests what they test."""
    found: dict[Path, list[str]] = {folder: [] for folder in folders()}
    for path in python_files():
        if path.stem != "__init__":
            found[path.parent].append(path.stem.removeprefix("test_"))
    return found


def folders() -> list[Path]:
    return sorted({path.parent for path in python_files()})


def test_a_folder_can_be_taken_in_at_a_glance():
    full = [short(folder) for folder, names in names_by_folder().items() if len(names) > MODULES_IN_A_FOLDER]
    assert not full, "Parts of each are a folder of their own; name it by the field:\n" + "\n".join(full)


def test_what_shares_a_first_word_is_a_folder():
    shared = {
        folder: Counter(name.partition("_")[0] for name in names if "_" in name)
        for folder, names in names_by_folder().items()
    }
    alike = [
        f"{short(folder)}: {word}"
        for folder, words in shared.items()
        if not short(folder).endswith(tuple(FLAT))
        for word, modules in words.items()
        if modules > 2
    ]
    assert not alike, "\n".join(alike)


def two_words(name: str) -> str:
    """The two plain words that a name without underscore is made of, `item_file`; empty if it is one word."""
    if name in ONE_WORD or zipf_frequency(name, "en") >= A_WORD:
        return ""
    places = range(SHORTEST_WORD, len(name) - SHORTEST_WORD + 1)
    parts = ((name[:place], name[place:]) for place in places)
    plain = (pair for pair in parts if all(zipf_frequency(word, "en") >= A_PLAIN_WORD for word in pair))
    return next(("_".join(pair) for pair in plain), "")


def test_two_words_take_an_underscore():
    names = {path: path.stem.removeprefix("test_") for path in python_files() if path.stem != "__init__"}
    names |= {folder: folder.name for folder in folders()}
    glued = [
        f"{short(path)}: {apart}"
        for path, name in names.items()
        for word in name.split("_")
        if (apart := two_words(word))
    ]
    assert not glued, "\n".join(sorted(glued))


@pytest.mark.parametrize(
    ("name", "apart"),
    [
        ("eventscores", "event_scores"), ("itemtable", "item_table"), ("cutpoints", "cut_points"),
        ("baselines", ""), ("bootstrap", ""), ("studies", ""), ("krippendorff", ""), ("itemfile", ""),
    ],
)  # fmt: skip
def test_the_rule_knows_one_word_from_two(name, apart):
    assert two_words(name) == apart
