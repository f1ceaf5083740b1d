"""The rail: the five parts of a study and the pages of each. One list; a page that stands nowhere else stands here.

A page is named by the address that shows it, and holds the pages that are reached from it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from django.urls import ResolverMatch, reverse

from annotation.access.matrix import Right
from annotation.models import Study
from researcher.setup.checklist import State, Steps
from researcher.setup.overview import OTHERS
from researcher.setup.parts import GROUPS, PARTS
from researcher.setup.steps import steps
from researcher.studies.waiting import Waiting
from researcher.views.comparison import PARTS as RESULTS

PREVIEW = ("setup_preview", "setup_preview_at", "setup_preview_beside")
OF_SETUP = {address: key for key, address in OTHERS.items()}
ROWS = ("setup_row", "setup_row_new")
ITEM_LIST = ("item_new", "item_edit", "items_file_add", "items_columns")


class Part(StrEnum):
    """What a study has, in the order of the rail; each value is the word that the rail shows."""

    SETUP = "Setup"
    COLLECT = "Collect"
    RUNS = "Runs"
    RESULTS = "Results"
    TEAM = "Team"


@dataclass(frozen=True, slots=True, kw_only=True)
class RailPage:
    """`args`: what its address has besides the study's slug. `holds`: the addresses that are reached from it.

    `group` is a heading above the pages of a long part. `count` says how many things there are, `waits` how many of
    them wait for somebody.
    """

    part: Part
    name: str
    at: str
    args: Mapping[str, str] = field(default_factory=dict)
    right: Right = Right.SEE
    holds: tuple[str, ...] = ()
    heading: str = ""
    # Its name once the study has opened, where that is another.
    opened: str = ""
    group: str = ""
    count: Callable[[Waiting], int | str] | None = None
    waits: bool = False
    # Stands in the rail only where there is something to count, or where one is at it.
    if_any: bool = False
    # It holds all addresses like its own that no other page has.
    holds_rest: bool = False

    @property
    def of_setup(self) -> str:
        """By what the steps of Setup name it; empty of any other page."""
        return self.args.get("part", "") if self.at == "setup_part" else OF_SETUP.get(self.at, "")

    def name_in(self, study: Study) -> str:
        return self.opened if self.opened and study.has_opened else self.name

    def title_in(self, study: Study) -> str:
        """Its h1."""
        return self.part.value if self.name_in(study) != self.name else self.heading or self.name

    def address(self, study: Study) -> str:
        return reverse(self.at, kwargs={"slug": study.slug, **self.args})

    def shows(self, match: ResolverMatch) -> bool:
        """Whether the address is this page's own, or that of a page reached from it."""
        if match.url_name == self.at:
            own = {name: value for name, value in match.kwargs.items() if name != "slug"}
            return own == self.args or (self.holds_rest and own.get("part", "") not in RESULTS and bool(own))
        # An address that has none of these is of the page all the same.
        is_of = all(match.kwargs.get(name, value) == value for name, value in self.args.items())
        return match.url_name in self.holds and is_of


def _setup(name: str, at: str, *, args: Mapping[str, str] | None = None, **rest: object) -> RailPage:
    return RailPage(part=Part.SETUP, name=name, at=at, args=args or {}, right=Right.EDIT, **rest)  # type: ignore[arg-type]


def _settings(group: str) -> list[RailPage]:
    """The pages of a group of settings."""
    return [
        _setup(form.heading, "setup_part", args={"part": key}, group=group, holds=ROWS)
        for key, form in PARTS.items()
        if form.group == group
    ]


def _results() -> list[RailPage]:
    holds = {
        "models": ("two_runs",),
        "items": ("comparison_item", "variants"),
        "export": ("report",),
        "people": ("planning",),
    }
    return [
        RailPage(
            part=Part.RESULTS,
            name=title,
            at="results",
            args={} if key == "overview" else {"part": key},
            heading="Results" if key == "overview" else "",
            holds=holds.get(key, ()),
            holds_rest=key == "models",
        )
        for key, title in RESULTS.items()
    ]


PAGES: tuple[RailPage, ...] = (
    _setup("Ready to open?", "setup", opened="Overview", holds=("study_delete", "made", "new_study_done")),
    _setup("Preview", "setup_preview", holds=PREVIEW),
    *_settings(GROUPS[0]),
    # The question, the items, and what is done with them.
    *(ASKED := _settings(GROUPS[1]))[:1],
    _setup("Item list", "items", group=GROUPS[1], holds=ITEM_LIST),
    *ASKED[1:],
    *(page for group in GROUPS[2:] for page in _settings(group)),
    RailPage(part=Part.COLLECT, name="Overview", at="study", heading="Collect"),
    RailPage(
        part=Part.COLLECT,
        name="Annotators",
        at="annotators",
        holds=("what_if", "annotator_exclude", "annotator_reinstate"),
        count=lambda waiting: waiting.annotators,
    ),
    RailPage(part=Part.COLLECT, name="Links", at="links", right=Right.COLLECT, count=lambda waiting: waiting.links),
    RailPage(
        part=Part.COLLECT,
        name="Payment",
        at="payment",
        right=Right.PAY,
        holds=("person",),
        count=lambda waiting: waiting.payments,
        waits=True,
    ),
    RailPage(
        part=Part.COLLECT,
        name="Adjudication",
        at="adjudication",
        right=Right.EDIT,
        count=lambda waiting: waiting.ties,
        waits=True,
    ),
    RailPage(
        part=Part.COLLECT,
        name="Revisions",
        at="revisions",
        right=Right.EDIT,
        holds=("revision",),
        count=lambda waiting: waiting.revisions,
        waits=True,
        if_any=True,
    ),
    RailPage(
        part=Part.COLLECT,
        name="Import",
        at="bring_in",
        right=Right.COLLECT,
        holds=("label_files", "label_columns", "synthetic_remove"),
    ),
    RailPage(
        part=Part.RUNS, name="All runs", at="runs", heading="Runs", holds=("run",), count=lambda waiting: waiting.runs
    ),
    RailPage(part=Part.RUNS, name="Start runs", at="runs_new", right=Right.SCORE),
    RailPage(
        part=Part.RUNS,
        name="Import scores",
        at="score_files",
        right=Right.SCORE,
        holds=("score_columns", "score_files_moved"),
    ),
    *_results(),
    RailPage(part=Part.TEAM, name="Members", at="members"),
    RailPage(part=Part.TEAM, name="Sharing", at="shares", right=Right.EDIT),
    RailPage(part=Part.TEAM, name="Webhooks", at="webhooks", right=Right.OWN),
    RailPage(part=Part.TEAM, name="History", at="history"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A page in the rail of one study: `begins` says the group that starts with it, `state` how its steps stand.

    `inner` are the pages below it, shown while one is at it or at one of them.
    """

    name: str
    address: str
    is_here: bool
    begins: str = ""
    count: int | str = ""
    waits: bool = False
    state: State | None = None
    inner: tuple["Line", ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part in the rail: only the one that a reader is in unfolds its `lines`."""

    name: str
    address: str
    is_here: bool
    lines: tuple[Line, ...] = ()
    count: int | str = ""


@dataclass(frozen=True, slots=True)
class Rail:
    """`heading`: the h1 of the page that a reader is at."""

    sections: tuple[Section, ...]
    heading: str


# Key, title and address of a page.
Named = tuple[str, str, str]


def rail(
    study: Study,
    match: ResolverMatch,
    rights: frozenset[Right],
    waiting: Waiting,
    *,
    checks: Sequence[Named] = (),
    part: str = "",
) -> Rail:
    """What the reader may open, with the page that they are at; `checks` stand below it, `part` is one of them."""
    pages = [page for page in PAGES if page.right in rights]
    here = next((page for page in pages if page.shows(match)), None)
    sections = []
    for section in Part:
        own = [page for page in pages if page.part is section]
        if own:
            is_here = here is not None and here.part is section
            lines = _with(checks, part, _lines(own, here, study, waiting)) if is_here else ()
            count = waiting.progress if section is Part.COLLECT else waiting.runs or "" if section is Part.RUNS else ""
            sections.append(Section(section.value, own[0].address(study), is_here, lines, count))
    return Rail(tuple(sections), here.title_in(study) if here else study.title)


def _lines(pages: list[RailPage], here: RailPage | None, study: Study, waiting: Waiting) -> tuple[Line, ...]:
    checked = steps(study) if any(page.of_setup for page in pages) else Steps(())
    lines, before = [], ""
    for page in pages:
        count = (page.count(waiting) or "") if page.count else ""
        if page.if_any and not count and page is not here:
            continue
        line = Line(page.name_in(study), page.address(study), page is here, count=count, waits=page.waits)
        begins = page.group if page.group != before else ""
        lines.append(replace(line, begins=begins, state=checked.at(page.of_setup)))
        before = page.group
    return tuple(lines)


def _with(checks: Sequence[Named], part: str, lines: Iterable[Line]) -> tuple[Line, ...]:
    """With the checks below the page that one is at, one of which may be the page itself."""
    inner = tuple(Line(title, address, key == part) for key, title, address in checks)
    is_inside = any(line.is_here for line in inner)
    return tuple(
        replace(line, inner=inner, is_here=not is_inside) if line.is_here and inner else line for line in lines
    )


def shared_rail(pages: list[Named], part: str, *, checks: Sequence[Named] = ()) -> Rail:
    """What a reader by a shared link may open: the results alone."""
    at = "models" if any(key == part for key, _, _ in checks) else part
    lines = _with(checks, part, (Line(title, address, key == at) for key, title, address in pages))
    heading = next((title for key, title, _ in (*pages, *checks) if key == part), "Results")
    return Rail((Section("Results", lines[0].address, True, lines),), "Results" if heading == "Overview" else heading)
