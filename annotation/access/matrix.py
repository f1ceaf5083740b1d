"""The permission matrix: which role has which right in a study."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a user is in a study. The order is that of tables: who may most comes first."""

    OWNER = "owner"
    EDITOR = "editor"
    ANALYST = "analyst"


class Right(StrEnum):
    SEE = "see"
    EXPORT = "export"
    EDIT = "edit"
    SCORE = "score"
    COLLECT = "collect"
    IDENTIFY = "identify"
    PAY = "pay"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Granted:
    """`words` go on after *may*."""

    words: str
    roles: frozenset[Role]


EVERYBODY = frozenset(Role)
CHANGING = frozenset({Role.OWNER, Role.EDITOR})

# What belongs to each stands in docs/rights.md.
RIGHTS: dict[Right, Granted] = {
    Right.SEE: Granted("see results", EVERYBODY),
    Right.EXPORT: Granted("export", EVERYBODY),
    Right.EDIT: Granted("edit", CHANGING),
    Right.SCORE: Granted("score", CHANGING),
    Right.COLLECT: Granted("collect labels", CHANGING),
    Right.IDENTIFY: Granted("see platform IDs", CHANGING),
    Right.PAY: Granted("pay", CHANGING),
    Right.OWN: Granted("change members", frozenset({Role.OWNER})),
}
# Whoever takes part by a link that was made for them. No account, and so no role.
INVITED = "annotator by invitation"


def roles_with(right: Right) -> frozenset[Role]:
    return RIGHTS[right].roles


def rights_of(role: Role) -> frozenset[Right]:
    return frozenset(right for right, granted in RIGHTS.items() if role in granted.roles)


def as_markdown() -> str:
    """The table of the docs, a row a role.

    >>> print(as_markdown().splitlines()[2])
    | owner | yes | yes | yes | yes | yes | yes | yes | yes |
    """
    lines = [["role", *(granted.words for granted in RIGHTS.values())], ["---"] * (len(RIGHTS) + 1)]
    lines += [[role, *("yes" if role in granted.roles else "no" for granted in RIGHTS.values())] for role in Role]
    lines.append([INVITED, *["no"] * len(RIGHTS)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
