"""Everything here has one pipeline."""

from tests.corpus.loaded import pipeline_loaded_once

__all__ = ["pipeline_loaded_once"]
