"""The importers and builders there are.

To add one:

1. Make a module in stimuli/datasets with a DataSet (published.py) as IMPORTER, or a folder in stimuli/constructions
   with a build.py that is a Builder (contract.py); beside it a page that says whose it is, how it is called and what
   was decided: NAME.md, or README.md in a folder.
2. Name its module below, under the word that is typed after import_study or build_study.
3. Write its tests under tests/stimuli, and its row in the table of docs/studies.md.
"""

from importlib import import_module
from types import ModuleType
from typing import cast

from corpus.formats.registry import formats_for
from stimuli.making.contract import Builder, Importer

IMPORTERS = {
    "adept": "stimuli.datasets.adept",
    "boolq": "stimuli.datasets.boolq",
    "table": "stimuli.datasets.table.load",
    "intensifiers": "stimuli.datasets.intensifier_sheet",
    "colorless-green": "stimuli.datasets.colorless_green",
    "events": "stimuli.datasets.events.load",
    "marvin-linzen": "stimuli.datasets.marvin_linzen",
    "blimp": "stimuli.datasets.blimp",
    "blimp-human": "stimuli.datasets.blimp_human",
}
BUILDERS: dict[str, str] = {
    "altboolq": "stimuli.constructions.altboolq.build",
    "adjectives": "stimuli.constructions.adjectives.build",
    "agreement": "stimuli.constructions.agreement.build",
    "intensifiers": "stimuli.constructions.intensifiers.build",
}

# By the name of what they look for: whose passes over a corpus workers on several machines can share.
FINDERS = {
    "adjectives": "stimuli.constructions.adjectives.counts.ModifierFinder",
    "intensifiers": "stimuli.constructions.intensifiers.finder.IntensifierFinder",
}


def importer(key: str) -> Importer:
    """The importer of that name; LookupError, listing those there are, if it is unknown."""
    if key in formats_for("items"):
        return cast(Importer, import_module(IMPORTERS["table"]).format_importer(key))
    return cast(Importer, _module("importer", key, IMPORTERS).IMPORTER)


def importers() -> list[str]:
    """What can be typed after import_study: data sets, and the formats of other tools that hold items."""
    return [*IMPORTERS, *formats_for("items")]


def builder(key: str) -> Builder:
    """The builder of that name; LookupError, listing those there are, if it is unknown."""
    return cast(Builder, _module("builder", key, BUILDERS))


def takes_folder(key: str) -> bool:
    """Whether the source of that importer may be a folder of files."""
    return importer(key).takes_folder


def _module(what: str, key: str, modules: dict[str, str]) -> ModuleType:
    if key not in modules:
        raise LookupError(f"There is no {what} {key!r}. Available: {', '.join(sorted(modules))}.")
    return import_module(modules[key])
