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
    fields: dict[str, Any] = {name: _only(name, query[name]) for name in PLAIN if query.get(name) and name not in LISTS}
    page = fields.pop("page", "") or "1"
    if not (page.isascii() and page.isdigit() and len(page) <= LONGEST_PAGE and int(page) >= 1):
        raise SelectionError("page must be a number, 1 or more.")
    where = _where(query.get("attribute", ()), query.get("value", ()))
    fields |= {name: tuple(dict.fromkeys(one for one in query.get(name, ()) if one)) for name in LISTS}
    if _only(TAKEN_OF, query.get(TAKEN_OF, ())) not in ("", fields.get("by", "")):
        fields |= {"merged": (), "merged_as": "", "bins": "", "within": ""}
    selection = Selection(**fields, where=where, page=int(page))
    for one in selection.ranges:
        if fault := one.fault():
            raise SelectionError(fault)
    _one_of("people", selection.people, ("", *PEOPLE))
    _one_of("classes", selection.classes, ("", "coarse"))
    _one_of("agreement", selection.agreement, ("", *KINDS))
    _one_of("against", selection.against, ("", *TARGETS))
    _one_of("ties", selection.ties, ("", ADJUDICATED))
    _one_of("measure", selection.measure, ("", *KEYS))
    _one_of("right", selection.right, ("", *RIGHTS))
    _one_of("beside_right", selection.beside_right, ("", *RIGHTS))
    _one_of("models", selection.models, ("", *RIGHTS))
    _one_of("sort", selection.sort, SORTS)
    _one_of("cells", selection.cells, ("", WHOLE))
    _one_of("anonymous", selection.anonymous, ("", ANONYMOUS))
    _check_bins(selection.bins)
    return selection


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
    listed = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…" for name in names[:MOST_UNKNOWN]]
    more = f" and {len(names) - MOST_UNKNOWN:,} more" if len(names) > MOST_UNKNOWN else ""
    return f"Unknown filters were ignored: {', '.join(listed)}{more}."


def _where(names: Sequence[str], values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The attributes that are asked to have a value, by name."""
    if len(names) != len(values):
        raise SelectionError(
            f"Each attribute needs one value: got {len(names)} of attribute and {len(values)} of value."
        )
    by_name: dict[str, list[str]] = {}
    for name, value in zip(names, values, strict=True):
        by_name.setdefault(name, []).append(value)
    chosen = {name: _only(name, every) for name, every in by_name.items()}
    return tuple(sorted((name, value.removeprefix(EXACTLY)) for name, value in chosen.items() if value))


def _only(name: str, values: Sequence[str]) -> str:
    """The one value of a name; what is empty asks for nothing. Of two that differ, neither is what was meant."""
    distinct = list(dict.fromkeys(value for value in values if value))
    if len(distinct) > 1:
        raise SelectionError(f"{name} takes one value, not {' and '.join(map(repr, distinct[:2]))}.")
    return distinct[0] if distinct else ""


def refuse(selection: Selection, offer: Offer) -> None:
    """SelectionError if the selection names what the study lacks."""
    _one_of("measure", selection.measure, ("", *offer.measures))
    for name, value in selection.where:
        _one_of("attribute", name, offer.names)
        _one_of(f"The value of {name}", value, offer.choices(name) or (value,))
    for name, value in (
        ("by", selection.by),
        ("across", selection.across),
        ("unit", selection.unit),
        ("condition", selection.condition),
    ):
        _one_of(name, value, ("", *offer.names))
    for name in selection.predictors:
        _one_of("predictors", name, offer.predicting)
    _check_taken(selection, offer)
    if selection.within and not (selection.by or _own_attribute(selection, offer)):
        raise SelectionError("within needs an attribute with two or more values.")
    _one_of("shares_of", selection.shares_of, ("", *SHARED, *offer.keys))
    for name, keys in (("run", [selection.run]), ("beside", [selection.beside]), ("runs", selection.runs)):
        _check_runs(name, keys, offer)
    _one_of("true", selection.true, ("", *offer.values))
    _one_of("given", selection.given, ("", NOTHING, *offer.values))
    _one_of("ranked", selection.ranked, ("", *offer.ranking))
    if selection.looks_at_run and not offer.keys:
        raise SelectionError("This study has no run to filter by.")
    if selection.beside_right and not selection.beside and len(offer.keys) < 2:
        raise SelectionError("This study has no second run to filter by.")
    _check_numbers(selection, offer)


def fitted(selection: Selection, outline: Outline) -> Selection:
    """A selection that nothing refuses, with the page's own choices filled in.

    A run that is not named is the nearest that has what items are chosen by, set beside the best baseline or else the
    next nearest.
    """
    run = selection.run or next((key for key in outline.nearest if _gives(selection, outline, key)), "")
    sort, options = selection.sort, outline.numbers[run].options if run else ()
    other = selection.beside or _another(outline, run, any_run=bool(selection.beside_right))
    return replace(
        selection,
        against=selection.against or outline.against,
        run=run,
        beside=other,
        by=selection.by or _own_attribute(selection, outline),
        runs=selection.runs or outline.nearest[:SHOWN_RUNS],
        # Another run may have been chosen since: what it has not, it cannot be sorted by.
        sort=SORTS[0] if sort in OF_A_RUN and not (run and outline.giving(sort, run)) else sort,
        surprisal_of=selection.surprisal_of if selection.surprisal_of in options else next(reversed(options), ""),
    )


def _own_attribute(selection: Selection, offer: Offer) -> str:
    """That of the page: the one that is read fastest, but of bins a number."""
    return offer.numeric[0] if selection.bins else offer.telling


def _check_taken(selection: Selection, offer: Offer) -> None:
    """Refuse bins of what is no number, and values to be taken as one that are not there, as far as they are listed."""
    if selection.bins and not ({selection.by} if selection.by else set(offer.names)) & set(offer.numeric):
        of = f"for {selection.by!r}, which is not numeric" if selection.by else "in a study without numeric attributes"
        numeric = ", ".join(offer.numeric) or "none"
        raise SelectionError(f"bins cannot be {selection.bins[:40]!r} {of}; numeric attributes: {numeric}.")
    if selection.merged and selection.by in offer.numeric:
        raise SelectionError(f"Values of {selection.by!r} are numbers: use bins, not merged.")
    every = [offer.choices(name) for name in merging(selection, offer)]
    if all(every):
        refuse_unmerged(selection, every)


def merging(selection: Selection, offer: Offer) -> list[str]:
    """The attributes whose values may be taken as one: that which is named, or all that are no numbers."""
    return [name for name in offer.names if name not in offer.numeric and selection.by in ("", name)]


def refuse_unmerged(selection: Selection, choices: Iterable[Iterable[str]]) -> None:
    """SelectionError for a value to be taken as one that no item has, and for one alone: `choices` are those that items
    have, of each attribute."""
    every = [dict.fromkeys(value or WITHOUT for value in values) for values in choices]
    present = dict.fromkeys(value for values in every for value in values)
    more = f" and {len(present) - MOST_VALUES:,} more" if len(present) > MOST_VALUES else ""
    listed = (", ".join(islice(present, MOST_VALUES)) or "none") + more
    for value in selection.merged:
        if value not in present:
            raise SelectionError(f"merged cannot be {value!r}; values: {listed}.")
    if selection.merged and not any(len(values.keys() & set(selection.merged)) > 1 for values in every):
        example = " and ".join(map(repr, selection.merged[:2]))
        raise SelectionError(
            f"merged needs two or more values of one attribute, not {example} alone; values: {listed}."
        )


def _check_runs(name: str, keys: Sequence[str], offer: Offer) -> None:
    """Refuse a run that is not of this study. A number alone tells a reader nothing: those there are have names."""
    for key in keys:
        if key not in ("", *offer.keys):
            choices = ", ".join(f"{one} ({title})" for one, title in offer.run_names.items()) or "none"
            raise SelectionError(f"{name} cannot be {key!r}, which is not a run of this study; runs: {choices}.")


def _check_numbers(selection: Selection, offer: Offer) -> None:
    """Refuse to choose items by what the run that is named does not give; by what no run gives, if none is named."""
    runs = [selection.run] if selection.run else offer.keys
    for name in selection.ranged_by_run:
        runs = [key for key in runs if offer.giving(name, key)]
        if runs:
            continue
        if not selection.run:
            raise SelectionError(f"Items cannot be filtered by {' and '.join(selection.ranged_by_run)}: no run has it.")
        lacks = "does not give every label a probability" if name == JENSEN_SHANNON else "gives no log-probabilities"
        others = ", ".join(title for key, title in offer.run_names.items() if offer.giving(name, key)) or "none"
        title = offer.run_names[selection.run]
        raise SelectionError(f"{title} {lacks}, so {WORDS[name]} is undefined. Runs that have it: {others}.")
    if selection.asks_surprisal:
        options = dict.fromkeys(option for key in runs for option in offer.numbers[key].options)
        _one_of("surprisal_of", selection.surprisal_of, ("", *options))


def _gives(selection: Selection, offer: Offer, run: str) -> bool:
    """Whether the run has every number of a run that items are chosen by."""
    of = selection.surprisal_of if selection.asks_surprisal else ""
    gives = all(offer.giving(name, run) for name in selection.ranged_by_run)
    return gives and of in ("", *offer.numbers[run].options)


def _another(outline: Outline, run: str, *, any_run: bool) -> str:
    """What to set beside a run: the best baseline, or else the nearest other run, of those that give labels.

    `any_run`: where none of them does, the nearest other.
    """
    others = [key for key in outline.nearest if key != run]
    deciding = [key for key in others if key in outline.deciding]
    baselines = {one.key for one in outline.runs if one.is_baseline}
    best = [key for key in deciding if key in baselines]
    return next(iter([*best, *deciding, *(others if any_run else [])]), "")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        choices = ", ".join(choice for choice in allowed if choice) or "none"
        raise SelectionError(f"{name} cannot be {value!r}; choices: {choices}.")
