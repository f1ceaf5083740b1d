"""The two studies that the tests of their shared items look at, the model that is uploaded, and who adds it.

Processes are forked.
"""

from tests.researcher.library.asking import admin, worker
from tests.researcher.library.passages import both
from tests.researcher.library.uploaded import model_files
from tests.scoring.library.apart import begun_as_the_program_does, models_opened_forked

__all__ = ["admin", "begun_as_the_program_does", "both", "model_files", "models_opened_forked", "worker"]
