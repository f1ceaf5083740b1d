"""What a token may be made for, and which rights of its user that lets through."""

from enum import StrEnum

from annotation.access.matrix import Right


class Scope(StrEnum):
    READ = "read"
    WRITE = "write"
    SCORE = "score"
    COLLECT = "collect"
    IDENTIFY = "identify"


# `words` of each: what somebody reads who ticks it.
SCOPES: dict[Scope, tuple[frozenset[Right], str]] = {
    Scope.READ: (frozenset({Right.SEE, Right.EXPORT}), "read studies, results and files"),
    Scope.WRITE: (frozenset({Right.EDIT}), "create studies, add items, change setup, archive"),
    Scope.SCORE: (frozenset({Right.SCORE}), "start and stop runs, import scores"),
    Scope.COLLECT: (frozenset({Right.COLLECT}), "open and close, create links, import labels, exclude"),
    Scope.IDENTIFY: (frozenset({Right.IDENTIFY}), "read platform IDs, names and comments of annotators"),
}


def rights_through(scopes: list[str]) -> frozenset[Right]:
    """The rights that these let through: those of the user that are not among them, a token does not have."""
    return frozenset(right for scope in scopes for right in SCOPES[Scope(scope)][0])


def scope_for(right: Right) -> Scope | None:
    """The scope that a right needs; None for one that no token has."""
    return next((scope for scope, (rights, _) in SCOPES.items() if right in rights), None)
