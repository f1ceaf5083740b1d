"""The words of participants' pages, and what catalogs make of them; read here, without the programs of gettext."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from django.template.loader import get_template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from tests.house.sources import ROOT, parsed, python_files

MARKERS = {"gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
FOLDERS = (ROOT / "templates", ROOT / "annotation")
LINE = re.compile(r'(msgid_plural|msgid|msgstr(?:\[\d\])?)? *(".*")')

READ_ALOUD = ("aria-label", "data-announce", "data-unsent", "data-moving", "data-enter", "data-undone", "data-saving")
# Common, and no German word is written so.
ENGLISH = re.compile(
    r"\b(the|is|are|of|and|you|your|please|this|that|with|not|has|have|for|it|answers?|items?)\b", re.I
)

# A message is known by its singular; each of its forms is what stands for one count.
Forms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a catalog: its English forms, those of the language, and whether a program only guessed them."""

    english: Forms
    said: Forms
    is_fuzzy: bool


def participants_templates() -> list[tuple[Path, str]]:
    """Each with the name by which Django finds it."""
    found = [*(FOLDERS[0] / "annotation").rglob("*.html"), *FOLDERS[1].rglob("*.html")]
    return [(path, str(path.relative_to(FOLDERS[path.is_relative_to(FOLDERS[1])]))) for path in sorted(found)]


def asked_for() -> set[Forms]:
    """All that templates and modules of participants' pages have translated."""
    return {*_of_templates(), *_of_modules()}


def _of_templates() -> Iterator[Forms]:
    for _, name in participants_templates():
        template: Any = get_template(name)
        nodes: Any = template.template.nodelist
        for node in nodes.get_nodes_by_type(TranslateNode):
            yield (node.filter_expression.var.literal,)
        for node in nodes.get_nodes_by_type(BlockTranslateNode):
            parts = [node.singular, *([node.plural] if node.plural else [])]
            yield tuple(node.render_token_list(part)[0] for part in parts)


def _of_modules() -> Iterator[Forms]:
    for path in python_files(rooms=("annotation",)):
        for node in ast.walk(parsed(path)):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str()), *_] as given) if name in MARKERS:
                    forms = given[:2] if name.startswith("n") else given[:1]
                    yield tuple(str(form.value) for form in forms if isinstance(form, ast.Constant))


def read_catalog(path: Path) -> list[Entry]:
    """The entries of a .po file, without its head and without those that nobody asks for any more."""
    found = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if match := LINE.fullmatch(line):
                name = match[1] or name
                fields[name] = fields.get(name, "") + ast.literal_eval(match[2])
        if fields.get("msgid"):
            english = tuple(fields[name] for name in ("msgid", "msgid_plural") if name in fields)
            said = tuple(text for name, text in sorted(fields.items()) if name.startswith("msgstr"))
            found.append(Entry(english, said, any(line.startswith("#, fuzzy") for line in block.splitlines())))
    return found


class _Heard(HTMLParser):
    """All that people read or hear of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value or "" for name, value in attrs if name in READ_ALOUD]


def english_in(html: str) -> set[str]:
    heard = _Heard()
    heard.feed(html)
    text = " ".join(" ".join(heard.texts).split())
    left = {match[0] for match in ENGLISH.finditer(text)}
    for forms in asked_for():
        for form in forms:
            pieces = [piece.strip() for piece in re.split(r"%\(\w+\)s|<[^>]+>", form)]
            words = [piece for piece in pieces if re.search(r"[^\W\d_]", piece)]
            if all(re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", text) for piece in words) and words:
                left.add(form)
    return left
