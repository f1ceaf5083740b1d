"""The study file: study.toml, which says what a study is. Read and checked whole, free of Django."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation import itemfile
from annotation.itemfile import CHECKS, ItemFileError, ItemRow, item_faults, read_items
from annotation.platforms import PLATFORMS
from annotation.platforms.contract import SIGNATURE, Recovery
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from corpus.errors import Fault, SourceError
from corpus.provenance import digest
from corpus.slugs import is_slug
from corpus.source_text import read_text

NAME = "study.toml"


class StudyFileError(SourceError):
    """A study file that was refused."""


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A study folder, read: what study.toml declares and the items beside it."""

    slug: str
    title: str
    instructions: str
    task_type: str
    task_settings: dict[str, Any]
    collection: dict[str, Any]
    quality: dict[str, Any]
    metrics: list[str]
    nonsubsective: list[str]
    measure: str
    items: list[ItemRow]

    @property
    def task(self) -> TaskType:
        return task_type(self.task_type).configured(self.task_settings)

    @property
    def labeled_items(self) -> list[str]:
        """The ids of those that take labels."""
        return [row.id for row in self.items if row.kind != "practice"]

    @property
    def instructions_version(self) -> str:
        return digest(self.instructions)[:12]


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of a table: what it must be, in words and as a test, and its default (None: required)."""

    must_be: str
    holds: Callable[[Any], bool]
    default: Any = None


def whole(least: int, most: int = 32_767) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(text(one) for one in value)


def text_within(most: int) -> Callable[[Any], bool]:
    return lambda value: text(value) and len(value) <= most


def slug(value: Any) -> bool:
    return text(value) and is_slug(value)


def parameter_name(value: Any) -> bool:
    # Those who come by the link alone, from a label file or by simulation are told apart by these words.
    reserved = value in ("link", "imported", "synthetic")
    return text(value) and not reserved and bool(re.fullmatch(r"[A-Za-z0-9_]{1,60}", value))


def yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


def pattern(value: Any) -> bool:
    if value == "":
        return True
    try:
        return text_within(200)(value) and bool(re.compile(value))
    except re.error:
        return False


def ways_of_recovery(value: Any) -> bool:
    return isinstance(value, list) and all(way in list(Recovery) for way in value) and len(set(value)) == len(value)


def https_address(value: Any) -> bool:
    return value == "" or (text_within(200)(value) and value.startswith("https://"))


TOP = {
    "slug": Setting(
        "lower-case letters, digits and hyphens, 80 at most",
        slug,
    ),
    "title": Setting("text of 200 characters at most", text_within(200)),
    "instructions": Setting("the text that annotators read first", text),
}
COLLECTION = {
    "labels_per_item": Setting("a whole number from 1 to 1000", whole(1, 1000)),
    "sitting_length": Setting("a whole number from 1 to 1000", whole(1, 1000)),
    "gold_per_sitting": Setting("a whole number from 0 to 100", whole(0, 100), 0),
    "attention_per_sitting": Setting("a whole number from 0 to 100", whole(0, 100), 0),
    "max_items_per_annotator": Setting("a whole number from 1", whole(1, 1_000_000)),
    "lease_minutes": Setting("a whole number of minutes from 1 to 10080", whole(1, 10_080), 60),
    "id_parameter": Setting(
        "the name of a query parameter other than link, imported and synthetic", parameter_name, "annotator"
    ),
    "platform": Setting(f"one of {', '.join(PLATFORMS)}", lambda value: value == "" or value in list(PLATFORMS), ""),
    "id_pattern": Setting("a regular expression of 200 characters at most", pattern, ""),
    "id_required": Setting("true or false", yes_or_no, False),
    "signed_ids": Setting("true or false", yes_or_no, False),
    "study_parameter": Setting("the name of a query parameter", parameter_name, "STUDY_ID"),
    "session_parameter": Setting("the name of a query parameter", parameter_name, "SESSION_ID"),
    "recovery": Setting(f"a list of {', '.join(Recovery)}", ways_of_recovery, [Recovery.PERSONAL_LINK.value]),
    "return_url": Setting("an https address of 200 characters at most", https_address, ""),
    "max_starts": Setting("a whole number from 0", whole(0, 1_000_000), 0),
    "max_unanswered": Setting("a whole number from 0", whole(0, 1_000_000), 50),
    "completion_url": Setting(
        "an https address of 200 characters at most",
        https_address,
        "",
    ),
}
QUALITY = {
    "max_attention_failures": Setting("a whole number from 0", whole(0), 0),
    "gold_tolerance": Setting("a share from 0 to 1", share, 0.10),
    # What is far is for the researcher to say; the default stands only where no gold item asks for it (_faults_across).
    "gold_distance": Setting("a whole number of degrees from 1", whole(1), 1),
}
SCORING = {
    "metrics": Setting("a list of metric names", texts, []),
    "nonsubsective": Setting("a list of adjectives", texts, []),
}
# What nearness to people is measured by; the last two are for scales with an order.
MEASURES = ("accuracy", "quadratic_kappa", "distance")
RESULTS = {
    "measure": Setting(f"one of {', '.join(MEASURES)}", lambda value: value in MEASURES, MEASURES[0]),
}
TABLES = ("task", "collection", "quality", "scoring", "results")


def read_study(folder: Path) -> StudyFile:
    """The study in a folder. StudyFileError or ItemFileError, each with every fault, if it has any."""
    path = folder / NAME
    raw = _parsed(path)
    declared = _declared(path, raw)
    return _with_items(path, raw, declared, read_items(folder / itemfile.NAME, declared.task))


def study_of(settings: Mapping[str, Any], rows: list[ItemRow], *, folder: Path) -> StudyFile:
    """The study that `folder` would hold with these settings and items; raises what reading it would raise."""
    declared = _declared(folder / NAME, settings)
    faults = item_faults(rows, declared.task)
    if faults:
        raise ItemFileError(folder / itemfile.NAME, faults)
    return _with_items(folder / NAME, settings, declared, rows)


def _declared(path: Path, raw: Mapping[str, Any]) -> StudyFile:
    """What the settings say, still without items; StudyFileError with every fault."""
    faults = [
        Fault(name, f"is not known here; known are {', '.join([*TOP, *TABLES])}")
        for name in raw
        if name not in (*TOP, *TABLES)
    ]
    tables = {name: raw.get(name, {}) for name in TABLES}
    faults += [Fault(name, "must be a table") for name, table in tables.items() if not isinstance(table, dict)]
    if faults:
        raise StudyFileError(path, faults)
    top, faults = _read_table({name: raw[name] for name in TOP if name in raw}, TOP)
    values = {}
    for name, settings in (
        ("collection", COLLECTION),
        ("quality", QUALITY),
        ("scoring", SCORING),
        ("results", RESULTS),
    ):
        stated = _with_platform(tables[name]) if name == "collection" else tables[name]
        values[name], found = _read_table(stated, settings)
        faults += [fault.under(name) for fault in found]
    task_settings = dict(tables["task"])
    key = task_settings.pop("type", None)
    faults += [fault.under("task") for fault in _task_faults(key, task_settings)]
    if faults:
        raise StudyFileError(path, faults)
    return StudyFile(
        **top,
        task_type=key,
        task_settings=task_settings,
        collection=values["collection"],
        quality=values["quality"],
        **values["scoring"],
        **values["results"],
        items=[],
    )


def _with_items(path: Path, raw: Mapping[str, Any], declared: StudyFile, items: list[ItemRow]) -> StudyFile:
    study = replace(declared, items=items)
    faults = _faults_across(study) + _faults_of_gold(raw.get("quality", {}), items)
    if faults:
        raise StudyFileError(path, faults)
    return study


def _parsed(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise StudyFileError(path, [Fault("file", "does not exist")])
    try:
        return tomllib.loads(read_text(path, refused=StudyFileError))
    except tomllib.TOMLDecodeError as error:
        raise StudyFileError(path, [Fault("file", f"is not TOML: {error}")]) from None


def _read_table(table: Mapping[str, Any], settings: Mapping[str, Setting]) -> tuple[dict[str, Any], list[Fault]]:
    """The values of a table with defaults filled in, and what is wrong with it."""
    faults = [
        Fault(name, f"is not known here; known are {', '.join(settings)}") for name in table if name not in settings
    ]
    values = {}
    for name, setting in settings.items():
        if name not in table and setting.default is None:
            faults.append(Fault(name, f"is missing; it must be {setting.must_be}"))
            continue
        values[name] = table.get(name, setting.default)
        if not setting.holds(values[name]):
            faults.append(Fault(name, f"must be {setting.must_be}, not {values[name]!r}"))
    return values, faults


def _with_platform(collection: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the platform that the table names says of itself, under what the table says."""
    platform = collection.get("platform")
    return {**PLATFORMS[platform].defaults, **collection} if platform in list(PLATFORMS) else collection


def _task_faults(key: object, settings: Mapping[str, Any]) -> list[Fault]:
    try:
        return task_type(str(key)).faults_in_settings(settings)
    except LookupError as error:
        return [Fault("type", str(error.args[0]))]


def _faults_across(study: StudyFile) -> list[Fault]:
    """What no single field can tell: checks that are asked for must exist, distances must be reachable."""
    faults = []
    names = [study.collection[name] for name in ("id_parameter", "study_parameter", "session_parameter")]
    if len({*names, SIGNATURE}) < len(names) + 1:
        # Else an id would pass for a session, and whoever knows it could go on in its sitting.
        faults.append(Fault("collection.id_parameter", f"and the other parameters must differ, also from {SIGNATURE}"))
    greatest = study.task.scale.greatest_distance
    if study.quality["gold_distance"] > greatest:
        farthest = f"no two answers of this task are more than {greatest} apart"
        faults.append(Fault("quality.gold_distance", f"{farthest}, so gold could never fail"))
    if study.measure != MEASURES[0] and not study.task.scale.ordered:
        faults.append(Fault("results.measure", f"cannot be {study.measure!r}: the answers of this task have no order"))
    for kind in CHECKS:
        wanted = study.collection[f"{kind}_per_sitting"]
        there = sum(row.kind == kind for row in study.items)
        if wanted > there:
            faults.append(
                Fault(f"collection.{kind}_per_sitting", f"asks for {wanted} but items.jsonl has {there} of kind {kind}")
            )
    return faults


def _faults_of_gold(stated: Mapping[str, Any], items: list[ItemRow]) -> list[Fault]:
    """A study with gold must say what it holds gold against; one without need not."""
    if "gold_distance" in stated or not any(row.kind == "gold" for row in items):
        return []
    return [Fault("quality.gold_distance", f"is missing; it must be {QUALITY['gold_distance'].must_be}")]
