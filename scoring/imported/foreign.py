"""Scores in another tool's file: its records, and how they are read where nothing else is said. Free of Django."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from corpus.formats.contract import Use
from corpus.formats.reading import Records, read_format
from corpus.formats.source import FormatFault, Source
from scoring.imported.lines import ScoreFileError
from scoring.imported.reading import By, Reading, reading


def use_of(by: By) -> Use:
    return "texts" if by == "text" else "scores"


def open_scores(
    source: Source,
    pairs: Sequence[tuple[str, str]],
    *,
    format: str,  # noqa: A002 (it is called that everywhere)
    by: By = "id",
    only: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
    lower_is_better: bool = False,
    skip_unknown: bool = False,
    length_normalized: bool = False,
) -> tuple[Records, Reading]:
    """The file's records and how they are read; ScoreFileError with every fault, ReadingError.

    `only` (column → text) leaves out other records, `meanings` says what the file's words for labels are here.
    """
    try:
        records = read_format(format, use_of(by), source, only=only)
    except FormatFault as fault:
        raise ScoreFileError(source.name, fault.faults) from None
    return records, reading_of(
        records,
        pairs,
        by=by,
        only=only,
        meanings=meanings,
        lower_is_better=lower_is_better,
        skip_unknown=skip_unknown,
        length_normalized=length_normalized,
    )


def reading_of(
    records: Records,
    pairs: Sequence[tuple[str, str]],
    *,
    by: By,
    only: Mapping[str, str] | None,
    meanings: Mapping[str, str] | None,
    lower_is_better: bool,
    skip_unknown: bool,
    length_normalized: bool = False,
) -> Reading:
    """What the records say under the names of their own, or as columns are mapped; ReadingError."""
    made = reading(
        pairs,
        by=by,
        delimiter="",
        lower_is_better=lower_is_better,
        skip_unknown=skip_unknown,
        length_normalized=length_normalized,
        meanings=meanings,
        names=records.names,
    )
    return replace(made, format=records.format, only=tuple((only or {}).items()))
