"""What people read is worded as the table of words has it: phrases that it replaced do not come back."""

import ast
import re
from collections.abc import Iterator

from annotation.studyfile.tables import SETTINGS
from tests.house.sources import ROOT, parsed, python_files, short

# Of each: what stands in its place.
BANNED = {
    r"told apart|told from": "separated; shown to beat",
    r"held against": "compared with",
    r"cut points?, and dealt": "shuffled",
    r"[Ww]hoever|[Ww]homever|[Ww]hosoever": "people who; the person who",
    r"[Ss]omebody|[Nn]obody|[Aa]nybody": "someone; no one; anyone",
    r"\b[Ss]ittings?\b": "batch, or submission",
    r"[Qq]uality policy|[Tt]he policy\b": "exclusion rules",
    r"\bso that\b": "two sentences",
    r"\bfar off\b": "wrong",
    r"is being (computed|made|aggregated)|are being (computed|made|aggregated)": "Computing…",
    r"[Ll]oad this page again|[Ll]oad the page (again|anew)": "Reload this page",
    r"[Uu]nder way": "in progress",
    r"goes on when|[Gg]o on to the": "You can close this page; Continue",
    r"by itself\b": "automatically",
    r"ways? back\b": "return URL",
    r"as usual": "default",
    r"marked below": "Fix the marked fields",
    r"is found so": "No … match",
    r"[Ll]eave (it|everything) as it is": "Cancel",
    r"taken? out|[Tt]ake out": "remove",
    r"has run out|have run out": "has expired",
    r"once more\b": "again",
    r"\bbegun\b": "started",
    r"[Ee]-mail": "email",
    r"\bwould be here\b": "will appear here, or what is missing",
    r"stands? otherwise": "status would change",
    r"\bknown are\b": "is not recognized; use one of",
    r"[Tt]here are: ": "Available:",
    r"arguments do not fit": "wrong arguments",
    r"queue does not answer": "the task queue cannot be reached",
    r"no worker answers|No worker answers": "No worker is running.",
    r"asked in words": "prompted",
    r"\bone a line\b|\ba label an item\b": "one per line",
    r"where you were": "where you left off",
    r"per cent\b": "percent",
    r"there already, nothing": "already there",
    r"\bis taken over\b|\bare taken over\b": "is copied",
    r"\bmeaned\b": "averaged",
    r"a model’s help|heeded": "prediction-powered; weight",
    r"undefined, because": "undefined:",
    r"names? (no )?labels?\b": "gives labels",
    r"drawn studies": "simulated studies",
    r"[Ww]ho is right where": "Which run is right?",
    r"[Tt]rust it (where|on)\b": "Use it when",
    r"at any look": "anytime-valid",
    r"stands? beside": "is compared with",
    r"What it takes to": "To reproduce",
    r"(go|goes|hang) together": "correlate",
    r"\bdeals? of": "random splits",
    r"chosen by (whether|how|what)": "filtered by",
    r"a reader chose": "chosen here",
    r"[Dd]egrees (by|of) cut points": "labels by cut points",
    r"the bar for": "benchmark",
    r"as many items each": "with equal numbers",
    r"[Tt]he (queue|cache) does not answer": "cannot be reached",
    r"\b(says|said) most\b": "helps most",
    r"drawn by chance": "drawn at random",
    r"by chance alone": "by chance",
    r"not understood in": "unknown",
    r"every two\b|[Ee]ach two\b": "each pair",
    r"is no (probability|finding|number)": "is not a",
}
# The database has them so.
STORED = {
    "items taken out",
    "sittings released",
    "each text by itself",
    "each text by itself, rows of exactly one length together",
}
# A type in quotes is no sentence.
TYPE = re.compile(r"\w+\[\w+\](?: \| \w+\[\w+\])*")
# What models say of their columns stands in released migrations, and on no page of ours.
COLUMNS = "models"
# Words of a setting's help: one line beside a field.
MOST_WORDS = 12
# Rooms whose strings pages show, and commands print.
SPEAK = ("accounts", "annotation", "api", "comparison", "corpus", "researcher", "scoring", "work")
QUOTED = re.compile(r'"([^"]*)"')
SPOKEN = re.compile(r'(?:aria-label|placeholder|title|alt|data-[a-z]+)="([^"]*)"')
VALUE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
# A mark of HTML or of Django's templates, or what is no text.
MARK = re.compile(
    r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}|\{%.*?%\}|\{\{.*?\}\}|<script.*?</script>|<[^>]*>", re.DOTALL
)
# Also over the end of a line.
PLACE = re.compile(r"\b(?:" + "|".join(BANNED).replace(" ", r"\s+") + ")")


def test_no_phrase_that_was_replaced_is_back():
    found = [f"{place}: {said!r}, say: {better(said)}" for place, said in every_phrase()]
    assert not found, "\n".join(found)


def test_no_key_of_the_study_file_stands_in_a_sentence_beside_a_field():
    keys = {path.rpartition(".")[2] for path in SETTINGS if "_" in path}
    named = re.compile(r"\b(?:" + "|".join(sorted(keys)) + r")\b")
    found = [f"{path}: {said}" for path, one in SETTINGS.items() if named.search(said := f"{one.label} {one.hint}")]
    assert not found, "\n".join(found)


def test_help_beside_a_field_is_one_line():
    long = [f"{path}: {one.help}" for path, one in SETTINGS.items() if len(one.help.split()) > MOST_WORDS]
    assert not long, "\n".join(long)


# A number before a plural, with nothing between them that could make it one: `{{ n|intcomma }} items`.
COUNTED = re.compile(
    r"\{\{ [\w.]+(?:\|(?:intcomma|length))* \}\} (?:labeled |synthetic )?"
    r"(?:items|labels|annotators|runs|models|rows|steps|scores|answers|groups|studies|options)\b"
)
# Always two or more.
MANY = {
    "{{ board.models }} models", "{{ shared.total|intcomma }} items", "{{ board.ranks.studies|length }} studies",
    "{{ page.yields.annotators|intcomma }} annotators",
}  # fmt: skip


def test_what_is_counted_on_a_researchers_page_has_a_singular():
    templates = [*ROOT.glob("templates/comparison/**/*.html"), *ROOT.glob("templates/researcher/**/*.html")]
    found = {(path.name, one) for path in templates for one in COUNTED.findall(path.read_text())}
    assert {one for one in found if one[1] not in MANY} == set()


def better(said: str) -> str:
    return next(words for pattern, words in BANNED.items() if re.search(pattern, said))


def every_phrase() -> Iterator[tuple[str, str]]:
    """Where one of the phrases stands, and as what."""
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in (".html", ".txt"):
            text = read_template(path.read_text())
            for met in PLACE.finditer(text):
                number = text.count("\n", 0, met.start()) + 1
                yield f"{short(path)}:{number}", " ".join(met[0].split())
    for path in python_files(rooms=SPEAK):
        if COLUMNS not in {*path.parts, path.stem}:
            for number, said in shown(parsed(path)):
                yield from ((f"{short(path)}:{number}", met[0]) for met in PLACE.finditer(said))


def read_template(text: str) -> str:
    """Its words alone, each on its line: the text, and what stands in quotes in a tag of Django's or an attribute."""

    def words(mark: re.Match[str]) -> str:
        said = mark[0] if mark[0].startswith("{") else VALUE.sub(" ", mark[0])
        if said.startswith("{%"):
            kept = " ".join(QUOTED.findall(said)) if not said.startswith(("{% comment", "{% load", "{% url")) else ""
        else:
            kept = " ".join(SPOKEN.findall(said)) if said.startswith("<") else ""
        return f" {kept} " + "\n" * mark[0].count("\n")

    return MARK.sub(words, text)


def shown(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings of several words that are neither docstrings nor said to us: in a log, or by an assertion."""
    hidden = {id(one) for node in ast.walk(tree) if is_ours(node) for one in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in hidden:
            said = node.value
            if isinstance(said, str) and " " in said and said not in STORED and not TYPE.fullmatch(said):
                yield node.lineno, said


def is_ours(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
            return True
    return False
