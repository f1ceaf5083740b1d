"""Label shares by people alone and with each run's help: of the items that nobody has labeled, and of all like them."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.powered import PoweredPart
from comparison.page.reading import read_powered
from comparison.statistics.powered.mean import Of

HEADER = [
    *ORIGIN, "items_selected", "run", "labeled", "unlabeled", "of", "label", "by", "estimate", "low", "high", "n",
    "tuning", "worth", "undefined", "note",
]  # fmt: skip

WORDS: dict[Of, str] = {"rest": "items that nobody has labeled", "alike": "all items like these"}


def powered_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Every run; one without an estimate has one line with the reason."""
    chosen = select(study, selection)
    words = chosen.words  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), words]
    for run in chosen.outline.runs:
        for of, words in WORDS.items():
            yield from ([*head, *line] for line in _lines(read_powered(chosen, run.key, of=of), words))


def _lines(part: PoweredPart, words: str) -> Iterator[Row]:
    head = [part.run, part.labeled, part.rest, words]
    if part.undefined:
        yield [*head, "", "", None, None, None, part.labeled, None, None, part.undefined, ""]
    for line in part.lines:
        for by, found in (("people alone", line.found.alone), ("people and the run", line.found.helped)):
            note = "; ".join(said for said in (found.remarks, part.warning) if said)
            numbers = [found.value, found.low, found.high, found.n, line.found.tuning, line.found.worth]
            yield [*head, line.name, by, *numbers, found.undefined, note]
