"""The deletion: the rows, with how far it is and how long it will take, then the models that nothing is left of."""

import logging
import time

from annotation.lifecycle.deleting import delete_rows
from annotation.models import Study
from researcher.deleting.asking import progress_of
from scoring.imported.storing import drop_unused

log = logging.getLogger(__name__)


def delete(study: Study) -> int:
    """Delete a study that is out of sight, and tell its owners how far that is; how many rows went."""
    computing, began = progress_of(study), time.monotonic()

    def report(gone: int, every: int) -> None:
        rate = gone / max(time.monotonic() - began, 0.001)
        left = (every - gone) / rate
        words = f"{gone:,} of {every:,} rows are gone, {rate:,.0f} a second; about {left:,.0f} seconds left"
        computing.report(words, share=gone / every)

    with computing.telling():
        rows = delete_rows(study, report=report)
        drop_unused()
    computing.clear()
    log.info("%s: deleted, %s rows", study.title, rows)
    return rows
