"""Everything here has one pipeline, and processes that are forked."""

from tests.corpus.loaded import pipeline_loaded_once, processes_forked

__all__ = ["pipeline_loaded_once", "processes_forked"]
