"""The importers and builders there are. Adding one is a folder beside this file and a line below."""

from importlib import import_module
from typing import cast

from stimuli.contract import Builder, Importer

IMPORTERS = {
    "adept": "stimuli.adept.load",
    "boolq": "stimuli.boolq.load",
    "table": "stimuli.table.load",
    "intensifiers": "stimuli.intensifier_sheet.load",
    "colorless-green": "stimuli.colorless_green.load",
    "events": "stimuli.events.load",
    "marvin-linzen": "stimuli.marvin_linzen.load",
    "blimp": "stimuli.blimp.load",
}
BUILDERS: dict[str, str] = {
    "altboolq": "stimuli.altboolq.build",
    "adjectives": "stimuli.adjectives.build",
    "agreement": "stimuli.agreement.build",
    "intensifiers": "stimuli.intensifiers.build",
}


def importer(key: str) -> Importer:
    """The importer of that name; LookupError, listing those there are, if it is unknown."""
    return cast(Importer, _module("importer", key, IMPORTERS))


def builder(key: str) -> Builder:
    """The builder of that name; LookupError, listing those there are, if it is unknown."""
    return cast(Builder, _module("builder", key, BUILDERS))


def _module(what: str, key: str, known: dict[str, str]) -> object:
    if key not in known:
        raise LookupError(f"There is no {what} {key!r}. There are: {', '.join(sorted(known))}.")
    return import_module(known[key])
