"""Processes of one model each are forked."""

from tests.scoring.library.apart import begun_as_the_program_does, models_opened_forked

__all__ = ["begun_as_the_program_does", "models_opened_forked"]
