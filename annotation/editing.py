"""Changing what a study declares, without its folder: held to the rules of study.toml, and to what is fixed by now."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.arrival.repeats import refuse_foreign
from annotation.audit.acts import changes as changes_of
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.balancing import lists_of
from annotation.drafting.rows import read_outlines
from annotation.loading import set_lists, set_targets, store_settings
from annotation.models import Study
from annotation.studyfile import NAME, SETTINGS, STAGES, StudyFile, StudyFileError, settings_of, tables_of
from corpus.errors import Fault
from corpus.provenance import digest

# All but the study's name in addresses and the type of its task, which the items are made for.
EDITABLE = {path: setting for path, setting in SETTINGS.items() if path != "slug"}
OF_ITEMS = {path for path, setting in SETTINGS.items() if setting.of_items}
# What decides which item lies on which list.
OF_LISTS = ("lists", "condition_attribute", "list_attribute")
# A stage that does not say this says nothing, and is left out.
SAYS = {stage: name for stage, table in STAGES.items() for name, setting in table.items() if setting.default is None}


class EditRefused(ValueError):
    """Somebody else was quicker. str() says so."""


def edit(study: Study, changes: Mapping[str, Any], *, seen: str, among: QuerySet[Study] | None = None) -> Study:
    """Store other values of study.toml, each by its path, such as `consent.text`; None leaves it to its default.

    A stage that is left empty is taken out. `seen` is `state_of` these paths when they were shown. Raises EditRefused,
    StudyFileError with every fault by its field, or LoadRefused for what can no longer change; then nothing is stored.
    `among` are the studies of whose participants the editor may know: no other is excluded by a page.
    """
    if foreign := changes.keys() - EDITABLE.keys():
        raise KeyError(f"{', '.join(sorted(foreign))} cannot be changed on a page. It is set in the study's folder.")
    with transaction.atomic():
        now = Study.objects.select_for_update().get(pk=study.pk)
        if state_of(now, changes) != seen:
            raise EditRefused("Not saved: someone changed this since you opened the page.")
        attributes = "results.numbers" in changes or bool(now.numbers or now.lists or changes.get("collection.lists"))
        rows = read_outlines(now, attributes=attributes) if changes.keys() & OF_ITEMS else None
        before = tables_of(now)
        file = settings_of(_changed(before, _with_question(now, changes)), rows)
        if faults := _faults_of_scale(now, file):
            raise StudyFileError(Path(NAME), faults)
        if among is not None:
            refuse_foreign(file.collection["excludes"], now.excludes, among)
        study = store_settings(file, content=now.content)
        if (study.labels_per_item, study.as_imported) != (now.labels_per_item, now.as_imported):
            set_targets(study)
        if rows is not None and any(getattr(study, name) != getattr(now, name) for name in OF_LISTS):
            set_lists(study, lists_of(study, rows))
        if changed := changes_of(before, tables_of(study)):
            record(study, Deed.CHANGED, facts=changed)
        return study


def _faults_of_scale(study: Study, file: StudyFile) -> list[Fault]:
    """What the items say by the scale as it was must be on the scale as it would be."""
    was, scale = study.task.scale, file.task.scale
    if scale.values == was.values or not study.items.exists():
        return []
    changed = [name for name, said in file.task_settings.items() if said != study.task_settings.get(name)]
    field = f"task.{next(name for name in changed if name != 'question')}"
    if scale.of_roles and {*scale.values} != {*was.values}:
        return [Fault(field, "cannot be renamed, added or removed: items refer to options by these names")]
    checked = study.items.exclude(reference=None).exclude(reference__in=scale.values)
    if not (count := checked.count()):
        return []
    items = f"{count:,} item{' has' if count == 1 else 's have'}"
    return [Fault(field, f"would remove answers that {items} as the reference")]


def _with_question(study: Study, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Instructions that quote the question as it was will quote it as it is to be."""
    was, question = study.task_settings.get("question"), changes.get("task.question")
    if "instructions" in changes or not (was and question) or was not in study.instructions:
        return changes
    return {**changes, "instructions": study.instructions.replace(was, question)}


def value_of(tables: Mapping[str, Any], path: str) -> Any:
    """What the tables say at that path; None where they leave it to its default."""
    outer, _, inner = path.partition(".")
    return tables.get(outer, {}).get(inner) if inner else tables.get(outer)


def state_of(study: Study, paths: Iterable[str]) -> str:
    """A name for what the study says at these paths: another one as soon as any of them changes."""
    tables = tables_of(study)
    return digest({path: value_of(tables, path) for path in sorted(paths)})[:16]


def _changed(tables: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    changed = {name: dict(value) if isinstance(value, dict) else value for name, value in tables.items()}
    for path, value in changes.items():
        outer, _, inner = path.partition(".")
        table, name = (changed.setdefault(outer, {}), inner) if inner else (changed, outer)
        if value is None:
            table.pop(name, None)
        else:
            table[name] = value
    for stage in {path.partition(".")[0] for path in changes} & STAGES.keys():
        if not (changed[stage].get(SAYS[stage]) if stage in SAYS else changed[stage]):
            del changed[stage]
    return changed
