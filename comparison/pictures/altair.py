"""Altair, loaded with the first picture that is drawn: a web process that shows what is remembered does without."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt
else:

    class OnceAsked:
        """A module that is loaded when something of it is asked for."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("altair"), name)

    alt = OnceAsked()

__all__ = ["alt"]
