"""Why a job could not be done, for whoever asked for it."""

from collections.abc import Sequence

from corpus.errors import Fault


class JobRefused(ValueError):
    """str() is a sentence; `faults` are those of the source `file`, by line and field."""

    def __init__(self, message: str, *, file: str = "", faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.file = file
        self.faults = list(faults)
