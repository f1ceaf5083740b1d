"""What each run's answers follow besides what is true, one line a test."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.exports.rows import Row, estimated, figure_rows
from comparison.frame.filters.selection import TARGETS, Selection
from comparison.frame.selected import Selected
from comparison.page.models_part.biases import Bias
from comparison.page.reading import read_biases


def bias_rows(study: Study, selection: Selection) -> Iterator[Row]:
    return figure_rows(study, selection, bias_lines)


def bias_lines(chosen: Selected) -> Iterator[Row]:
    """From the section on, against each truth that there is."""
    about = chosen.outline
    there = {TARGETS[0]: about.has_labels and not about.no_majority, TARGETS[1]: about.has_references}
    for target in TARGETS:
        if there[target]:
            for line in read_biases(chosen, target=target).lines:
                yield from _lines(line, target, told=chosen.selection.no_bias or line.verdict)


def _lines(line: Bias, target: str, *, told: str) -> Iterator[Row]:
    head = [f"bias by {line.kind}", line.name, line.family, target]
    yield [*head, line.about, *estimated(line.figure, how=told)]
    for name, share in ((f"{line.about}:given", line.given), (f"{line.about}:true", line.true)):
        if share is not None:
            yield [*head, name, share, None, None, line.figure.n, "items", None, "", ""]
    tail = [None, None, line.figure.n, "items", None, line.undefined, ""]
    yield [*head, f"{line.about}:p", line.p, *tail]
    if line.held is not None:
        yield [*head, f"{line.about}:p_holm", line.held, *tail]
