"""From a study folder to rows: all of it or nothing, and a second time nothing changes."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotation.access.matrix import Role
from annotation.arrival.repeats import refuse_foreign
from annotation.audit.acts import Fact, changes, record
from annotation.audit.deeds import Deed
from annotation.balancing import lists_of
from annotation.bulk import insert
from annotation.drafting.rows import COLUMNS, as_revised
from annotation.elsewhere import label_import, labelfile
from annotation.elsewhere.outcome import Imported
from annotation.itemfile import ItemRow, sum_of
from annotation.lifecycle import status
from annotation.models import Assignment, Item, Membership, Study, StudyLink
from annotation.setting import BEGUN, OPENED, Fixed
from annotation.studyfile import SETTINGS, TASK, StudyFile, read_study, tables_of, values_of
from corpus.errors import counted
from corpus.provenance import OrderedSum

IN_COLUMNS = {column.name for column in Study._meta.concrete_fields}


class LoadRefused(ValueError):
    """A change that would make stored labels mean something else. str() says which."""


@dataclass(frozen=True, slots=True)
class Loaded:
    study: Study
    added: int
    changed: int
    unchanged: int
    # Of a study that was there before: whether study.toml now says something else than it did.
    settings_changed: bool = False
    labels: Imported | None = None

    def __str__(self) -> str:
        settings = "settings changed; " if self.settings_changed else ""
        items = f"{counted(self.added, 'item')} added, {self.changed:,} changed, {self.unchanged:,} unchanged"
        text = f"{self.study.slug}: {settings}{items}"
        if self.labels is None:
            return text
        return "\n  ".join((f"{text}\n{self.study.slug}: {self.labels}", *self.labels.remarks))


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """What a study folder holds, read and checked. `labels` is None where there are none beside the items, and
    `labels_note` says where they are from, which a folder read again does not know.
    """

    study: StudyFile
    labels: labelfile.LabelFile | None
    labels_note: str = ""


def load_study(folder: Path, *, open_study: bool = False, owner: User | None = None) -> Loaded:
    """Read and check a study folder, then store it in one transaction; raises what those two raise."""
    return store_folder(read_folder(folder), open_study=open_study, owner=owner)


def place_of(slug: str) -> Path:
    """Where the folder of a study that is made here lies, unless another place was asked for."""
    return settings.VAR_DIR / "studies" / slug


def read_folder(folder: Path) -> StudyFolder:
    """Before any transaction: annotators of other studies wait for that. StudyFileError, ItemFileError or
    LabelFileError for a bad file.
    """
    study = read_study(folder)
    if not (folder / labelfile.NAME).is_file():
        return StudyFolder(study, None)
    return StudyFolder(study, labelfile.read_labels(folder / labelfile.NAME, study.task, study.labeled_items))


def store_folder(
    folder: StudyFolder,
    *,
    open_study: bool = False,
    owner: User | None = None,
    among: QuerySet[Study] | None = None,
) -> Loaded:
    """Store what was read, in one transaction. `owner` is whose a study is that was not there before.

    LoadRefused or ImportRefused for a change that the labels already given do not allow; then nothing is stored.
    `among` are the studies that may be changed by it: for a page those that its reader may edit, for a command any;
    of no other are participants excluded.
    """
    with transaction.atomic():
        before = Study.objects.filter(slug=folder.study.slug).first()
        if before is not None and among is not None and not among.filter(pk=before.pk).exists():
            raise LoadRefused(f"The slug {folder.study.slug} is not available. Choose another slug.")
        if among is not None:
            refuse_foreign(folder.study.collection["excludes"], before.excludes if before else (), among)
        rows = folder.study.items if before is None else as_revised(before, folder.study.items)
        study = store_settings(folder.study, content=sum_of(rows))
        loaded = store_items(study, rows)
        if before is None and owner is not None:
            Membership.objects.create(study=study, user=owner, role=Role.OWNER.value)
        if before is not None:
            was, now = ((tables_of(one), one.task_version) for one in (before, study))
            loaded = replace(loaded, settings_changed=was != now)
        _record(study, before, loaded)
        if not study.links.exists():
            StudyLink.objects.create(study=study)
        if folder.labels is not None:
            given = label_import.store_labels(study, folder.labels, note=folder.labels_note)
            loaded = replace(loaded, labels=given)
            study.refresh_from_db()
        if open_study:
            status.open_study(study)
    return loaded


def _record(study: Study, before: Study | None, loaded: Loaded) -> None:
    if before is None:
        record(study, Deed.MADE, facts={"items": loaded.added})
    elif loaded.settings_changed or loaded.added or loaded.changed:
        items: dict[str, Fact] = {"items added": loaded.added, "items changed": loaded.changed}
        facts = {name: count for name, count in items.items() if count}
        record(study, Deed.LOADED, facts=facts | changes(tables_of(before), tables_of(study)))


def store_settings(file: StudyFile, *, content: OrderedSum) -> Study:
    """The study's row as the file declares it; `content` is the sum over its items. In the caller's transaction.

    LoadRefused for a change that would make what people have given mean something else.
    """
    study = Study.objects.select_for_update().filter(slug=file.slug).first() or Study(slug=file.slug)
    wanted = _columns(file) | {"content_sum": content.text, "content_hash": content.sha256}
    if study.pk is not None:
        _refuse_forbidden_changes(study, wanted)
        if all(getattr(study, name) == value for name, value in wanted.items()):
            return study
    for name, value in wanted.items():
        setattr(study, name, value)
    study.save()
    _keep_consent(study)
    return study


def fixed(study: Study) -> dict[str, Fixed]:
    """What can no longer change whatever it would be, by its path: why, which str() says in a sentence."""
    holds = {OPENED: study.has_opened, BEGUN: study.has_begun}
    lacking = {f"task.{name}" for name in TASK.keys() - study.task.settings.keys()}
    return {
        path: one.fixed for path, one in SETTINGS.items() if one.fixed and holds[one.fixed.when] and path not in lacking
    }


def _keep_consent(study: Study) -> None:
    """The text that people are asked to agree to, kept once for each version."""
    if (consent := study.path.consent) is None:
        return
    kept, _ = study.consent_versions.get_or_create(version=consent.version, defaults={"text": consent.text})
    if kept.text != consent.text:
        raise LoadRefused(
            f"{study.slug}: version {consent.version} of its [consent] has a different text. Give the new text a "
            f"new version, or leave the version out to have one assigned."
        )


def _columns(file: StudyFile) -> dict[str, Any]:
    """All columns that the file decides: a setting without one of its own is `declared`."""
    said = {
        "title": file.title,
        "language": file.language,
        "instructions": file.instructions.strip(),
        **file.collection,
        **file.quality,
        **file.scoring,
        **file.results,
        **file.page,
    }
    columns = {name: said.pop(name) for name in [*said] if name in IN_COLUMNS}
    return columns | {
        "declared": said,
        "task_type": file.task_type,
        "task_version": file.task.version,
        "task_settings": file.task_settings,
        "instructions_version": file.instructions_version,
        "prompt": file.prompt,
        "codes": file.codes,
        "addresses": file.addresses,
        "redirects": file.redirects,
        "stages": file.stages,
    }


def _refuse_forbidden_changes(study: Study, wanted: dict[str, Any]) -> None:
    """A setting is fixed when it says so; the task once there is an assignment; that people are asked for consent, once
    somebody has begun.
    """
    before, after = values_of(study), values_of(Study(slug=study.slug, **wanted))
    changed: dict[Fixed, list[str]] = {}
    for path, why in fixed(study).items():
        if before.get(path) != after.get(path):
            changed.setdefault(why, []).append(path.rpartition(".")[2])
    if opened := [name for why, names in changed.items() if why.when == OPENED for name in names]:
        raise LoadRefused(f"{study.slug} has opened, so {', '.join(opened)} cannot change. Load it under another slug.")
    for why, names in changed.items():
        raise LoadRefused(f"{study.slug}: {' and '.join(names)} cannot change. {why}")
    if "consent" in study.stages and "consent" not in wanted["stages"] and study.has_begun:
        raise LoadRefused(
            f"{study.slug}: people have been asked for consent, so [consent] can be reworded but not removed."
        )
    task = [name for name in ("task_type", "task_version", "task_settings") if getattr(study, name) != wanted[name]]
    if task and Assignment.objects.filter(sitting__study=study).exists():
        raise LoadRefused(f"{study.slug} has labels, so its [task] cannot change. Load it under another slug.")


def store_items(study: Study, rows: list[ItemRow]) -> Loaded:
    """All items of the study, in order: those that are new or other than before are written. In the caller's
    transaction; LoadRefused as `store_folder`.
    """
    existing = {item.external_id: item for item in study.items.all()}
    missing = sorted(existing.keys() - {row.id for row in rows})
    if missing:
        raise LoadRefused(
            f"{study.slug} has items that are missing from the file: {_some(missing)}. Load it under another slug."
        )
    added, changed = [], []
    for position, row in zip(_places(existing, rows), rows, strict=True):
        item = existing.get(row.id)
        if item is None:
            added.append(new_item(study, row, position))
            continue
        here = (item.content_hash, item.attributes, item.group, item.revise, item.explanation, item.position)
        if here != (row.content_hash, row.attributes, row.group, row.revise, row.explanation, position):
            changed.append((item, row, position))
    _refuse_changing_the_judged(study, [item for item, row, _ in changed if item.content_hash != row.content_hash])
    for item, row, position in changed:
        if item.content_hash != row.content_hash:
            # A new row, so that scores of the old content go with it.
            item.delete()
            added.append(new_item(study, row, position))
        else:
            fill(item, row, position)
            item.save()
    lists = lists_of(study, rows)
    for fresh_item in added:
        fresh_item.list_number = lists.get(fresh_item.external_id)
    insert(Item, added)
    set_targets(study)
    set_lists(study, lists)
    fresh = len(rows) - len(existing)
    return Loaded(study, fresh, len(changed), len(rows) - fresh - len(changed))


def _places(existing: Mapping[str, Item], rows: list[ItemRow]) -> list[int]:
    """Each row's: those of before, if all others come behind them and their order is the same; else its line."""
    here = [existing[row.id].position for row in rows if row.id in existing]
    is_order = all(row.id in existing for row in rows[: len(here)]) and here == sorted(here)
    if not is_order:
        return list(range(1, len(rows) + 1))
    last = here[-1] if here else 0
    return [*here, *range(last + 1, last + 1 + len(rows) - len(here))]


def replace_item(study: Study, item: Item, row: ItemRow) -> Item:
    """The item with other content, in a new row without scores. The study is locked, and no one was shown the item."""
    item.delete()
    fresh = new_item(study, row, item.position)
    fresh.list_number = item.list_number
    fresh.save()
    return fresh


def set_targets(study: Study) -> None:
    """labels_per_item on every target that was not dropped, or what each has where no more is wanted."""
    if study.as_imported:
        study.items.targets().want_no_more()
        return
    targets = study.items.targets().exclude(pk__in=study.items.dropped())
    fullest = targets.order_by("-counted").first()
    if fullest is not None and fullest.counted > study.labels_per_item:
        raise LoadRefused(
            f"{study.slug}: {fullest.external_id} has {fullest.counted} labels, so labels_per_item cannot be "
            f"{study.labels_per_item}."
        )
    targets.exclude(target=study.labels_per_item).update(target=study.labels_per_item)


def set_lists(study: Study, lists: dict[str, int]) -> None:
    """The lists of items that were there before: new variants, or another setting, may move them."""
    listed = study.items.all() if lists else study.items.exclude(list_number=None)
    rows = listed.only("external_id", "list_number").iterator()
    moved = [item for item in rows if item.list_number != lists.get(item.external_id)]
    for item in moved:
        item.list_number = lists.get(item.external_id)
    Item.objects.bulk_update(moved, ["list_number"], batch_size=1_000)


def _refuse_changing_the_judged(study: Study, items: list[Item]) -> None:
    """An item that has been offered keeps its content: its labels, and its scores, are about that content."""
    judged = Assignment.objects.filter(item__in=items).values_list("item__external_id", flat=True).distinct()
    if judged:
        raise LoadRefused(
            f"{study.slug}: these items have been shown to annotators and cannot change: {_some(sorted(judged))}."
        )


def new_item(study: Study, row: ItemRow, position: int) -> Item:
    """Not stored, and on no list yet."""
    # Drawn from the item's own name, so that loading elsewhere gives the same order of ties.
    random_key = random.Random(f"{study.slug}/{row.id}").random()
    wanted = 0 if study.as_imported else study.labels_per_item
    target = wanted if row.kind == Item.Kind.TARGET else 0
    item = Item(study=study, random_key=random_key, target=target)
    fill(item, row, position)
    return item


def fill(item: Item, row: ItemRow, position: int) -> None:
    """Let it be what the file's row says; the caller saves it."""
    for name, column in COLUMNS.items():
        setattr(item, column, getattr(row, name))
    item.content_hash = row.content_hash
    item.position = position


def _some(names: list[str], *, most: int = 10) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
