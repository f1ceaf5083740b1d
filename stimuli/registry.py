"""The importers there are. Adding one is a folder beside this file and a line below."""

from importlib import import_module
from typing import cast

from stimuli.contract import Importer

IMPORTERS = {
    "adept": "stimuli.adept.load",
}


def importer(key: str) -> Importer:
    """The importer of that name; LookupError, listing those there are, if it is unknown."""
    if key not in IMPORTERS:
        raise LookupError(f"There is no importer {key!r}. There are: {', '.join(sorted(IMPORTERS))}.")
    return cast(Importer, import_module(IMPORTERS[key]))
