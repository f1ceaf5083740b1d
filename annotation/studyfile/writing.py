"""The other way round: what has been stored of a study, as the tables of a study.toml that declares it."""

from collections.abc import Mapping
from typing import Any

from annotation.setting import Setting
from annotation.studyfile.leaving import REDIRECT
from annotation.studyfile.reading import of_platform
from annotation.studyfile.stages import LISTED, STAGES, version_of
from annotation.studyfile.tables import ACCURACY, MEASURE_OF_TYPE, READ_BY_TABLE, SETTINGS, TOP


def tables_of(declares: Any) -> dict[str, Any]:
    """Of whatever has the columns of a study. What reading would fill in by itself is left out, but for the policy."""
    stated = {name: _stated(declares, name) for name in READ_BY_TABLE}
    stages = {name: _stage(name, declares.stages[name]) for name in STAGES if name in declares.stages}
    top = _but_defaults({name: getattr(declares, name) for name in TOP}, TOP)
    task = {"type": declares.task_type, **declares.task_settings}
    return {**top, "task": task, **{name: table for name, table in stated.items() if table}, **stages}


def default_of(path: str, *, platform: str) -> Any:
    """What a value is that the tables leave out, in a study on that platform; None where they must say it."""
    table, _, name = path.rpartition(".")
    return of_platform(platform, table).get(name, SETTINGS[path].default)


def _stated(declares: Any, table: str) -> dict[str, Any]:
    settings = READ_BY_TABLE[table]
    defaults = {name: default_of(f"{table}.{name}", platform=declares.platform) for name in settings}
    if table == "results":
        defaults["measure"] = MEASURE_OF_TYPE.get(declares.task_type, ACCURACY)
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
