"""The importers and builders there are. Adding one is a folder beside this file and a line below."""

from importlib import import_module
from typing import cast

from stimuli.making.contract import Builder, Importer

IMPORTERS = {
    "adept": "stimuli.datasets.adept.load",
    "boolq": "stimuli.datasets.boolq.load",
    "table": "stimuli.datasets.table.load",
    "intensifiers": "stimuli.datasets.intensifier_sheet.load",
    "colorless-green": "stimuli.datasets.colorless_green.load",
    "events": "stimuli.datasets.events.load",
    "marvin-linzen": "stimuli.datasets.marvin_linzen.load",
    "blimp": "stimuli.datasets.blimp.load",
}
BUILDERS: dict[str, str] = {
    "altboolq": "stimuli.constructions.altboolq.build",
    "adjectives": "stimuli.constructions.adjectives.build",
    "agreement": "stimuli.constructions.agreement.build",
    "intensifiers": "stimuli.constructions.intensifiers.build",
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
