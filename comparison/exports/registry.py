"""Every download of a study: rows as they are stored, items, the report, and the files of figures."""

from comparison.exports.items_lines import ITEMS
from comparison.exports.report import REPORT
from comparison.exports.stored.judgments import JUDGMENTS
from comparison.exports.stored.people import ADJUDICATIONS, PARTICIPANTS, PAYMENTS, REPORTS
from comparison.exports.stored.scores import PAIRS, SCORES
from comparison.figures.file import Export, File
from comparison.figures.registry import FIGURES

FILES: dict[str, File] = {
    one.key: one
    for one in (
        JUDGMENTS, PAYMENTS, SCORES, PAIRS, PARTICIPANTS, ADJUDICATIONS, REPORTS, ITEMS, REPORT,
        *(figure.file for figure in FIGURES if figure.file is not None),
    )
}  # fmt: skip
# In the report's folder, as CSV and Parquet.
IN_REPORT = tuple(one.key for one in FILES.values() if one.is_in_report)
SHARED = {one.key: one for one in FILES.values() if one.is_shared}


def export(what: str) -> Export:
    """The rows of the download of that name; LookupError, listing those there are, if it is unknown."""
    if what not in FILES:
        raise LookupError(f"Unknown export {what!r}. Exports: {', '.join(sorted(FILES))}.")
    return FILES[what].rows
