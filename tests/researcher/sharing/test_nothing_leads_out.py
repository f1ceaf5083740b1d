"""Templates of pages that are shared by a link: in no branch that such a page takes is a form or a way out of it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.template import Node, NodeList
from django.template.base import TextNode, VariableNode
from django.template.defaulttags import IfNode, URLNode
from django.template.engine import Engine
from django.template.library import InclusionNode, SimpleNode
from django.template.loader_tags import ExtendsNode, IncludeNode

from researcher.views.comparison import PARTS
from researcher.views.sharing.shared import CHOSEN

ENTRIES = {*(f"comparison/{name}.html" for name in (*PARTS, "check", "computing"))}
FOLDER = Path(settings.BASE_DIR) / "templates/comparison"
# What asks for something to be sent, and what a reader would choose with. A button that opens a popover sends nothing.
SENDS = re.compile(
    r"<(form|input|select|textarea)\b|<button\b(?![^>]*\bpopovertarget=)|\s(form|formaction|action|onclick|hx-[\w-]+)="
)
LEADS = re.compile(r"""\b(?:href|src|data|xlink:href)=(["'])(.*?)\1""", re.DOTALL)
# Within the page, to another page of the share (of which alone the rail is made), to a file that its link gives, and to
# what all pages are made of.
WITHIN = re.compile(
    r"#(?:[\w{}.-]|«[\w.]+»)*|«static»|«address»«chosen»|«(part|line|one)\.address»(«chosen»)?|«chosen»(#.*)?"
    r"|«url shared_file»|«request.(path|get_full_path)»"
)


def known(condition) -> bool | None:
    """Whether it holds on a shared page, whose reader has no account; None where that depends on the study."""
    match condition.id:
        case "not":
            held = known(condition.first)
            return None if held is None else not held
        case "and" | "or":
            sides = [known(condition.first), known(condition.second)]
            ends = condition.id == "or"
            return ends if ends in sides else None if None in sides else not ends
        case "in" if getattr(condition.second, "text", "") == "request.rights":
            return bool(condition.first.text == '"see"')
    return {"shared": True, "user.is_authenticated": False, "user.is_superuser": False}.get(
        getattr(condition, "text", "")
    )


def texts(nodes: Iterable[Node], others: set[str]) -> Iterator[str]:
    """The page's text with a word for each tag that writes an address; `others` are the templates that it takes in."""
    for node in nodes:
        match node:
            case TextNode():
                yield node.s
            case IfNode():
                yield from _branches(node, others)
            case ExtendsNode():
                others.add(getattr(node.parent_name, "var", ""))
                yield from texts(node.nodelist, others)
            case IncludeNode():
                name = getattr(node.template, "var", None)
                others.add(name if isinstance(name, str) else "")
            case InclusionNode():
                others.add(str(node.filename))
            case _:
                yield written(node)
                for name in node.child_nodelists:
                    yield from texts(getattr(node, name, NodeList()), others)


def _branches(node: IfNode, others: set[str]) -> Iterator[str]:
    for condition, nodes in node.conditions_nodelists:
        held = True if condition is None else known(condition)
        if held is not False:
            yield from texts(nodes, others)
        if held:
            return


def written(node: Node) -> str:
    match node:
        case VariableNode():
            return f"«{node.filter_expression.token}»"
        case URLNode():
            return f"«url {node.view_name.var}»"
        case SimpleNode() if node.func.__name__ == "querystring":
            return "«chosen»" if not node.args and set(node.kwargs) <= CHOSEN else "«another choice»"
        case _ if type(node).__name__ == "StaticNode":
            return "«static»"
    return "" if node.child_nodelists else "«tag»"


def reached() -> dict[str, str]:
    """Every template that a shared page may take in, with the text of the branches that it may take."""
    named = {name for path in FOLDER.glob("*.html") for name in re.findall(r"comparison/_\w+\.html", path.read_text())}
    folds = {f"comparison/{path.name}" for path in FOLDER.glob("_*.html")} - named
    found: dict[str, str] = {}
    waiting = set(ENTRIES)
    while waiting:
        name = waiting.pop()
        others: set[str] = set()
        found[name] = "".join(texts(Engine.get_default().get_template(name).nodelist, others))
        # An include by a variable is of a section of Models, whose templates nobody names.
        waiting |= ((others - {""}) | (folds if "" in others else set())) - found.keys()
    return found


def test_no_branch_of_a_shared_page_has_a_form_or_leads_out():
    pages = reached()
    assert len(pages) > 40, "it goes through the includes"
    faults = []
    for name, text in sorted(pages.items()):
        faults += [f"{name}: {text[max(0, one.start() - 30) : one.end() + 30]!r}" for one in SENDS.finditer(text)]
        faults += [f"{name}: leads to {one[2]}" for one in LEADS.finditer(text) if not WITHIN.fullmatch(one[2])]
    assert not faults, "\n".join(faults)
