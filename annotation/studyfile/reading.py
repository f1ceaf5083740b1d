"""study.toml read: checked whole, with every fault by its field; and what has been stored of a study as its tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any

from annotation import itemfile
from annotation.itemfile import CHECKS, ItemRow, items_of, read_items
from annotation.platforms import PLATFORMS, SIGNATURE
from annotation.quality.policy import QUALITY
from annotation.setting import Setting, read_table
from annotation.studyfile.leaving import REDIRECT, faults_of_leaving, leaving
from annotation.studyfile.prompt import faults_of_shots, faults_of_template
from annotation.studyfile.stages import LISTED, STAGES, read_stages, version_of
from annotation.studyfile.tables import ACCURACY, READ_BY_TABLE, SETTINGS, TABLES, TOP, usual_measure
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from corpus.decimals import decimal, is_absent
from corpus.errors import Fault, SourceError
from corpus.provenance import digest
from corpus.source_text import read_text
from corpus.toml_text import NotToml, read_toml


class StudyFileError(SourceError):
    """A study file that was refused."""


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A study folder, read: what study.toml declares and the items beside it."""

    slug: str
    title: str
    instructions: str
    language: str
    task_type: str
    task_settings: dict[str, Any]
    collection: dict[str, Any]
    quality: dict[str, Any]
    scoring: dict[str, Any]
    # In which words models are asked.
    prompt: dict[str, Any]
    results: dict[str, Any]
    codes: dict[str, str]
    addresses: dict[str, str]
    redirects: bool
    page: dict[str, Any]
    # The tables of the stages that the study has, by name.
    stages: dict[str, dict[str, Any]]
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
        """Of the text as it is stored: space around it makes no other version."""
        return digest(self.instructions.strip())[:12]


NAME = "study.toml"


def read_study(folder: Path) -> StudyFile:
    """The study in a folder. StudyFileError or ItemFileError, each with every fault, if it has any."""
    path = folder / NAME
    raw = _parsed(path)
    declared = _declared(path, raw)
    return _with_items(path, raw, declared, read_items(folder / itemfile.NAME, declared.task))


def study_of(settings: Mapping[str, Any], rows: list[ItemRow], *, folder: Path) -> StudyFile:
    """The study that `folder` would hold with these settings and items, as reading it would give, or would refuse."""
    return study_holding(settings, [row.fields() for row in rows], folder=folder)


def study_holding(
    settings: Mapping[str, Any], objects: Sequence[Mapping[str, Any]], *, folder: Path = Path()
) -> StudyFile:
    """What these tables and the objects of an item file's lines make; raises what reading both files would raise."""
    path = folder / NAME
    declared = _declared(path, settings)
    return _with_items(path, settings, declared, items_of(objects, declared.task, path=folder / itemfile.NAME))


def settings_of(tables: Mapping[str, Any], rows: list[ItemRow] | None = None) -> StudyFile:
    """What the tables of a study.toml say, held to `rows` where given. StudyFileError with every fault."""
    declared = _declared(Path(NAME), tables)
    if rows is not None:
        return _with_items(Path(NAME), tables, declared, rows)
    if faults := _faults_across(declared):
        raise StudyFileError(Path(NAME), faults)
    return declared


def _declared(path: Path, raw: Mapping[str, Any]) -> StudyFile:
    """What the settings say, still without items; StudyFileError with every fault."""
    known = (*TOP, *TABLES)
    faults = [Fault(name, f"is not recognized; use one of: {', '.join(known)}") for name in raw if name not in known]
    tables = {name: raw.get(name, {}) for name in TABLES}
    faults += [Fault(name, "must be a table") for name, table in tables.items() if not isinstance(table, dict)]
    if faults:
        raise StudyFileError(path, faults)
    top, faults = read_table({name: raw[name] for name in TOP if name in raw}, TOP)
    values = {}
    for name, settings in READ_BY_TABLE.items():
        values[name], found = read_table(
            of_platform(tables["collection"].get("platform"), name) | tables[name], settings
        )
        faults += [fault.under(name) for fault in found]
    left = leaving(values["codes"], values["return"])
    if not faults:
        faults += faults_of_leaving(left)
    stages, found = read_stages({name: table for name, table in raw.items() if name in tables})
    faults += found
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
        scoring=values["scoring"],
        prompt=values["prompt"],
        results=values["results"] | {"measure": values["results"]["measure"] or usual_measure(key)},
        **left,
        page=values["page"],
        stages=stages,
        items=[],
    )


def _with_items(path: Path, raw: Mapping[str, Any], declared: StudyFile, items: list[ItemRow]) -> StudyFile:
    study = replace(declared, items=items)
    faults = _faults_across(study) + _faults_of_items(study) + _faults_of_gold(raw.get("quality", {}), items)
    if faults:
        raise StudyFileError(path, faults)
    return study


def _parsed(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise StudyFileError(path, [Fault("file", "does not exist")])
    try:
        return read_toml(read_text(path, refused=StudyFileError))
    except NotToml as error:
        raise StudyFileError(path, [Fault("file", str(error))]) from None


def of_platform(platform: object, table: str) -> dict[str, Any]:
    """What the platform that the study names says of itself, which stands where the table says nothing."""
    return PLATFORMS[str(platform)].defaults.get(table, {}) if platform in list(PLATFORMS) else {}


def _task_faults(key: object, settings: Mapping[str, Any]) -> list[Fault]:
    try:
        return task_type(str(key)).faults_in_settings(settings)
    except LookupError as error:
        return [Fault("type", str(error.args[0]))]


def _faults_across(study: StudyFile) -> list[Fault]:
    """What no single field can tell, and no item is needed for: distances must be reachable, parameters differ."""
    faults = []
    names = [study.collection[name] for name in ("id_parameter", "study_parameter", "session_parameter")]
    if len({*names, SIGNATURE}) < len(names) + 1:
        # Else an id would pass for a session, and whoever knows it could go on in its sitting.
        faults.append(Fault("collection.id_parameter", f"must differ from the other parameters and from {SIGNATURE}"))
    faults += faults_of_template(study.prompt)
    faults += [
        Fault(f"collection.{name}", "needs lists: set lists = 'latin_square' too")
        for name in ("condition_attribute", "list_attribute")
        if study.collection[name] and not study.collection["lists"]
    ]
    if study.slug in study.collection["excludes"]:
        faults.append(Fault("collection.excludes", "must not name the study itself"))
    greatest = study.task.scale.greatest_distance
    if study.quality["gold_distance"] > greatest:
        farthest = f"answers of this task are at most {greatest} apart"
        faults.append(Fault("quality.gold_distance", f"{farthest}, so gold could never fail"))
    measure = study.results["measure"]
    if measure != ACCURACY and not study.task.scale.ordered:
        faults.append(Fault("results.measure", f"cannot be {measure!r}: the answers of this task are not ordered"))
    if study.collection["option_order"] not in ("", "fixed") and study.task.scale.ordered:
        faults.append(
            Fault("collection.option_order", "must be 'fixed': the answers of this task are an ordered scale")
        )
    return faults


def _faults_of_items(study: StudyFile) -> list[Fault]:
    """Checks that are asked for must exist; variants must be there to be kept apart."""
    faults = _faults_of_groups(study) + _faults_of_numbers(study) + faults_of_shots(study.prompt, study.items)
    for kind in CHECKS:
        wanted = study.collection[f"{kind}_per_sitting"]
        there = sum(row.kind == kind for row in study.items)
        if wanted > there:
            faults.append(
                Fault(
                    f"collection.{kind}_per_sitting", f"requires {wanted}, but items.jsonl has {there} of kind {kind}"
                )
            )
    return faults


def _faults_of_groups(study: StudyFile) -> list[Fault]:
    """Where variants are kept apart, there must be some, and no check may bring the source of one."""
    lists, apart = study.collection["lists"], study.collection["one_per_group"]
    if not lists and not apart:
        return []
    name = "lists" if lists else "one_per_group"
    groups = Counter(row.group for row in study.items if row.kind == "target" and row.group)
    if max(groups.values(), default=0) < 2 and not study.collection["list_attribute"]:
        return [Fault(f"collection.{name}", "keeps targets of one group apart, but no two targets share a `group`")]
    shared = [row.id for row in study.items if row.kind != "target" and row.group in groups]
    faults = _faults_of_lists(study, groups)
    return faults + [
        Fault(f"collection.{name}", f"does not allow {one!r}, which is not a target, to share a `group` with targets")
        for one in shared[:10]
    ]


def _faults_of_lists(study: StudyFile, groups: Mapping[str, int]) -> list[Fault]:
    """Attributes that are named for lists exist; a list that is named has each source once."""
    targets = [row for row in study.items if row.kind == "target"]
    faults = [
        Fault(f"collection.{name}", f"names {named!r}, but no target has it")
        for name in ("condition_attribute", "list_attribute")
        if (named := study.collection[name]) and not any(row.attributes.get(named) for row in targets)
    ]
    named = study.collection["list_attribute"]
    if faults or not named:
        return faults
    variants = [row for row in targets if groups.get(row.group, 0) > 1]
    lacking = [row.id for row in variants if not row.attributes.get(named)]
    on_lists = Counter((row.group, row.attributes.get(named, "")) for row in variants if row.id not in lacking)
    twice = [one for one, many in on_lists.items() if many > 1]
    said = [f"{one!r} has no {named!r}, so it belongs to no list" for one in lacking[:10]]
    said += [f"list {on!r} has two variants of {source!r}; no one may see two" for source, on in twice[:10]]
    return [Fault("collection.list_attribute", one) for one in said]


def _faults_of_numbers(study: StudyFile) -> list[Fault]:
    """An attribute that is declared a number is one, wherever an item has it, and some item has it."""
    faults = []
    for name in study.results["numbers"]:
        given = [(row.id, row.attributes[name]) for row in study.items if not is_absent(row.attributes.get(name, ""))]
        wrong = [(item, text) for item, text in given if isnan(decimal(text))]
        if not given:
            faults.append(Fault("results.numbers", f"names {name!r}, but no item has it"))
        faults += [
            Fault("results.numbers", f"{name} of {item!r} is {text!r}, which is not a number")
            for item, text in wrong[:10]
        ]
    return faults


def _faults_of_gold(stated: Mapping[str, Any], items: list[ItemRow]) -> list[Fault]:
    """A study with gold must say what it holds gold against; one without need not."""
    if "gold_distance" in stated or not any(row.kind == "gold" for row in items):
        return []
    return [Fault("quality.gold_distance", f"is missing; it must be {QUALITY['gold_distance'].must_be}")]


def tables_of(declares: Any) -> dict[str, Any]:
    """Of whatever has the columns of a study. What reading would fill in by itself is left out, but for the policy."""
    stated = {name: _stated(declares, name) for name in READ_BY_TABLE}
    stages = {name: _stage(name, declares.stages[name]) for name in STAGES if name in declares.stages}
    top = _but_defaults({name: getattr(declares, name) for name in TOP}, TOP)
    task = {"type": declares.task_type, **declares.task_settings}
    return {**top, "task": task, **{name: table for name, table in stated.items() if table}, **stages}


def values_of(declares: Any) -> dict[str, Any]:
    """Of whatever has the columns of a study: every value by its path, stated or not; none of a stage there is not."""
    tables = {name: _stored(declares, name) for name in READ_BY_TABLE} | declares.stages
    tables["task"] = declares.task_settings
    top = {name: getattr(declares, name) for name in TOP}
    return top | {
        path: tables[table].get(name, setting.default)
        for path, setting in SETTINGS.items()
        for table, _, name in [path.partition(".")]
        if table in tables
    }


def default_of(path: str, *, platform: str) -> Any:
    """What a value is that the tables leave out, in a study on that platform; None where they must say it."""
    table, _, name = path.rpartition(".")
    return of_platform(platform, table).get(name, SETTINGS[path].default)


def _stated(declares: Any, table: str) -> dict[str, Any]:
    settings = READ_BY_TABLE[table]
    defaults = {name: default_of(f"{table}.{name}", platform=declares.platform) for name in settings}
    if table == "results":
        defaults["measure"] = usual_measure(declares.task_type)
    stored = _stored(declares, table)
    values = {name: stored.get(name, setting.default) for name, setting in settings.items()}
    if table == "quality":
        # What is fixed when the study opens is said in full.
        return values
    return {name: value for name, value in values.items() if defaults[name] is None or value != defaults[name]}


def _stored(declares: Any, table: str) -> Mapping[str, Any]:
    if table == "codes":
        codes: Mapping[str, Any] = declares.codes
        return codes
    if table == "prompt":
        prompt: Mapping[str, Any] = declares.prompt
        return prompt
    if table == "return":
        return {**declares.addresses, REDIRECT: declares.redirects}
    if table == "quality":
        return asdict(declares.policy)
    return {name: getattr(declares, name) for name in READ_BY_TABLE[table]}


def _stage(name: str, table: Mapping[str, Any]) -> dict[str, Any]:
    values = _but_defaults(table, STAGES[name])
    if name == "consent" and values.get("version") == version_of(values["text"]):
        del values["version"]
    for listed in LISTED.keys() & values.keys():
        values[listed] = [_but_defaults(row, LISTED[listed]) for row in values[listed]]
    return values


def _but_defaults(table: Mapping[str, Any], settings: Mapping[str, Setting]) -> dict[str, Any]:
    return {
        name: value
        for name, value in table.items()
        if settings[name].default is None or value != settings[name].default
    }
