"""From an address to a selection: what is asked is checked, first by itself and then against what the study has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from comparison.frame.filters.ranges import JENSEN_SHANNON, OF_A_RUN, WORDS
from comparison.frame.filters.selection import (
    ADJUDICATED,
    ANONYMOUS,
    EXACTLY,
    NOTHING,
    PEOPLE,
    PLAIN,
    RIGHTS,
    SHARED,
    SORTS,
    TARGETS,
    WHOLE,
    Selection,
)
from comparison.frame.outline import MOST_VALUES, Offer, Outline
from comparison.statistics.aggregation import KINDS
from comparison.statistics.by_attribute.bins import read_bins
from comparison.statistics.counts import WITHOUT
from comparison.statistics.verdict.measure import KEYS

# Which attribute is taken in these bins, or with these values as one: a form sends those of the attribute that it
# showed, also where its reader has chosen another.
TAKEN_OF = "taken_of"
# What an address of results may name besides a selection: what is unfolded, and whose tokens are drawn.
ELSE = ("attribute", "value", TAKEN_OF, "open", "tokens")
# Of names that nothing knows, and of their letters, as many as a line holds.
MOST_UNKNOWN, LONGEST_NAME = 4, 30
# No study has so many pages that their number were longer.
LONGEST_PAGE = 9
# Names that may be there several times.
LISTS = ("runs", "assessors", "merged", "predictors")
# As many columns of squares as fit a laptop beside the sentence.
SHOWN_RUNS = 8


class SelectionError(ValueError):
    """The address asks for something that does not exist. The message says what there is."""


def read_selection(query: Mapping[str, Sequence[str]]) -> Selection:
    """The selection of a query string, each name with all its values; SelectionError for what is not known."""
    known: dict[str, Any] = {name: _only(name, query[name]) for name in PLAIN if query.get(name) and name not in LISTS}
    page = known.pop("page", "") or "1"
    if not (page.isascii() and page.isdigit() and len(page) <= LONGEST_PAGE and int(page) >= 1):
        raise SelectionError("page must be a number, 1 or more.")
    where = _where(query.get("attribute", ()), query.get("value", ()))
    known |= {name: tuple(dict.fromkeys(one for one in query.get(name, ()) if one)) for name in LISTS}
    if _only(TAKEN_OF, query.get(TAKEN_OF, ())) not in ("", known.get("by", "")):
        known |= {"merged": (), "merged_as": "", "bins": "", "within": ""}
    found = Selection(**known, where=where, page=int(page))
    for one in found.ranges:
        if fault := one.fault():
            raise SelectionError(fault)
    _one_of("people", found.people, ("", *PEOPLE))
    _one_of("classes", found.classes, ("", "coarse"))
    _one_of("agreement", found.agreement, ("", *KINDS))
    _one_of("against", found.against, ("", *TARGETS))
    _one_of("ties", found.ties, ("", ADJUDICATED))
    _one_of("measure", found.measure, ("", *KEYS))
    _one_of("right", found.right, ("", *RIGHTS))
    _one_of("beside_right", found.beside_right, ("", *RIGHTS))
    _one_of("models", found.models, ("", *RIGHTS))
    _one_of("sort", found.sort, SORTS)
    _one_of("cells", found.cells, ("", WHOLE))
    _one_of("anonymous", found.anonymous, ("", ANONYMOUS))
    _check_bins(found.bins)
    return found


def _check_bins(bins: str) -> None:
    try:
        read_bins(bins, np.zeros(0))
    except ValueError as error:
        raise SelectionError(f"bins must be {error}, not {bins[:40]!r}.") from None


def not_understood(query: Mapping[str, Sequence[str]]) -> str:
    """In words, the names of a query string that nothing here reads; empty where there are none.

    >>> not_understood({"majorty": ["x"], "page": ["1"], "open": ["all"]})
    'Not understood in the address, and left out: majorty.'
    """
    names = [name for name in query if name not in (*PLAIN, *ELSE)]
    if not names:
        return ""
    shown = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…" for name in names[:MOST_UNKNOWN]]
    more = f" and {len(names) - MOST_UNKNOWN:,} more" if len(names) > MOST_UNKNOWN else ""
    return f"Unknown filters were ignored: {', '.join(shown)}{more}."


def _where(names: Sequence[str], values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The attributes that are asked to have a value, by name."""
    if len(names) != len(values):
        raise SelectionError(
            f"Each attribute needs one value: got {len(names)} of attribute and {len(values)} of value."
        )
    asked: dict[str, list[str]] = {}
    for name, value in zip(names, values, strict=True):
        asked.setdefault(name, []).append(value)
    found = {name: _only(name, every) for name, every in asked.items()}
    return tuple(sorted((name, value.removeprefix(EXACTLY)) for name, value in found.items() if value))


def _only(name: str, values: Sequence[str]) -> str:
    """The one value of a name; what is empty asks for nothing. Of two that differ, neither is what was meant."""
    given = list(dict.fromkeys(value for value in values if value))
    if len(given) > 1:
        raise SelectionError(f"{name} takes one value, not {' and '.join(map(repr, given[:2]))}.")
    return given[0] if given else ""


def refuse(selection: Selection, found: Offer) -> None:
    """SelectionError if the selection names what the study lacks."""
    _one_of("measure", selection.measure, ("", *found.measures))
    for name, value in selection.where:
        _one_of("attribute", name, found.names)
        _one_of(f"The value of {name}", value, found.choices(name) or (value,))
    for name, value in (
        ("by", selection.by),
        ("across", selection.across),
        ("unit", selection.unit),
        ("condition", selection.condition),
    ):
        _one_of(name, value, ("", *found.names))
    for name in selection.predictors:
        _one_of("predictors", name, found.predicting)
    _check_taken(selection, found)
    if selection.within and not (selection.by or _own_attribute(selection, found)):
        raise SelectionError("within needs an attribute with two or more values.")
    _one_of("shares_of", selection.shares_of, ("", *SHARED, *found.keys))
    for name, keys in (("run", [selection.run]), ("beside", [selection.beside]), ("runs", selection.runs)):
        _check_runs(name, keys, found)
    _one_of("true", selection.true, ("", *found.values))
    _one_of("given", selection.given, ("", NOTHING, *found.values))
    _one_of("ranked", selection.ranked, ("", *found.ranking))
    if selection.looks_at_run and not found.keys:
        raise SelectionError("This study has no run to filter by.")
    if selection.beside_right and not selection.beside and len(found.keys) < 2:
        raise SelectionError("This study has no second run to filter by.")
    _check_numbers(selection, found)


def fitted(selection: Selection, found: Outline) -> Selection:
    """A selection that nothing refuses, with the page's own choices filled in.

    A run that is not named is the nearest that has what items are chosen by, set beside the best baseline or else the
    next nearest.
    """
    run = selection.run or next((key for key in found.nearest if _gives(selection, found, key)), "")
    sort, options = selection.sort, found.numbers[run].options if run else ()
    beside = selection.beside or _another(found, run, any_run=bool(selection.beside_right))
    return replace(
        selection,
        against=selection.against or found.against,
        run=run,
        beside=beside,
        by=selection.by or _own_attribute(selection, found),
        runs=selection.runs or found.nearest[:SHOWN_RUNS],
        # Another run may have been chosen since: what it has not, it cannot be sorted by.
        sort=SORTS[0] if sort in OF_A_RUN and not (run and found.giving(sort, run)) else sort,
        surprisal_of=selection.surprisal_of if selection.surprisal_of in options else next(reversed(options), ""),
    )


def _own_attribute(selection: Selection, found: Offer) -> str:
    """That of the page: the one that is read fastest, but of bins a number."""
    return found.numeric[0] if selection.bins else found.telling


def _check_taken(selection: Selection, found: Offer) -> None:
    """Refuse bins of what is no number, and values to be taken as one that are not there, as far as they are listed."""
    if selection.bins and not ({selection.by} if selection.by else set(found.names)) & set(found.numeric):
        of = f"for {selection.by!r}, which is not numeric" if selection.by else "in a study without numeric attributes"
        numeric = ", ".join(found.numeric) or "none"
        raise SelectionError(f"bins cannot be {selection.bins[:40]!r} {of}; numeric attributes: {numeric}.")
    if selection.merged and selection.by in found.numeric:
        raise SelectionError(f"Values of {selection.by!r} are numbers: use bins, not merged.")
    every = [found.choices(name) for name in merging(selection, found)]
    if all(every):
        refuse_unmerged(selection, every)


def merging(selection: Selection, found: Offer) -> list[str]:
    """The attributes whose values may be taken as one: that which is named, or all that are no numbers."""
    return [name for name in found.names if name not in found.numeric and selection.by in ("", name)]


def refuse_unmerged(selection: Selection, known: Iterable[Iterable[str]]) -> None:
    """SelectionError for a value to be taken as one that no item has, and for one alone: `known` are those that items
    have, of each attribute."""
    every = [dict.fromkeys(value or WITHOUT for value in values) for values in known]
    there = dict.fromkeys(value for values in every for value in values)
    more = f" and {len(there) - MOST_VALUES:,} more" if len(there) > MOST_VALUES else ""
    listed = (", ".join(islice(there, MOST_VALUES)) or "none") + more
    for value in selection.merged:
        if value not in there:
            raise SelectionError(f"merged cannot be {value!r}; values: {listed}.")
    if selection.merged and not any(len(values.keys() & set(selection.merged)) > 1 for values in every):
        given = " and ".join(map(repr, selection.merged[:2]))
        raise SelectionError(f"merged needs two or more values of one attribute, not {given} alone; values: {listed}.")


def _check_runs(name: str, keys: Sequence[str], found: Offer) -> None:
    """Refuse a run that is not of this study. A number alone tells a reader nothing: those there are have names."""
    for key in keys:
        if key not in ("", *found.keys):
            there = ", ".join(f"{one} ({title})" for one, title in found.run_names.items()) or "none"
            raise SelectionError(f"{name} cannot be {key!r}, which is not a run of this study; runs: {there}.")


def _check_numbers(selection: Selection, found: Offer) -> None:
    """Refuse to choose items by what the run that is named does not give; by what no run gives, if none is named."""
    runs = [selection.run] if selection.run else found.keys
    for name in selection.ranged_by_run:
        runs = [key for key in runs if found.giving(name, key)]
        if runs:
            continue
        if not selection.run:
            raise SelectionError(f"Items cannot be filtered by {' and '.join(selection.ranged_by_run)}: no run has it.")
        lacks = "does not give every label a probability" if name == JENSEN_SHANNON else "gives no log-probabilities"
        others = ", ".join(title for key, title in found.run_names.items() if found.giving(name, key)) or "none"
        title = found.run_names[selection.run]
        raise SelectionError(f"{title} {lacks}, so {WORDS[name]} is undefined. Runs that have it: {others}.")
    if selection.asks_surprisal:
        options = dict.fromkeys(option for key in runs for option in found.numbers[key].options)
        _one_of("surprisal_of", selection.surprisal_of, ("", *options))


def _gives(selection: Selection, found: Offer, run: str) -> bool:
    """Whether the run has every number of a run that items are chosen by."""
    of = selection.surprisal_of if selection.asks_surprisal else ""
    gives = all(found.giving(name, run) for name in selection.ranged_by_run)
    return gives and of in ("", *found.numbers[run].options)


def _another(found: Outline, run: str, *, any_run: bool) -> str:
    """What to set beside a run: the best baseline, or else the nearest other run, of those that give labels.

    `any_run`: where none of them does, the nearest other.
    """
    others = [key for key in found.nearest if key != run]
    deciding = [key for key in others if key in found.deciding]
    baselines = {one.key for one in found.runs if one.is_baseline}
    best = [key for key in deciding if key in baselines]
    return next(iter([*best, *deciding, *(others if any_run else [])]), "")


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        choices = ", ".join(choice for choice in known if choice) or "none"
        raise SelectionError(f"{name} cannot be {value!r}; choices: {choices}.")
