"""Labels that people gave elsewhere become sittings like any other: one finished sitting an annotator.

So a study run elsewhere has the same dashboards, and its labels keep the same promises: no item holds more
than its target, tallies are right, and the study's policy is applied to whoever answered its checks.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from annotation import assignment as assigning
from annotation import exclusion
from annotation.labelfile import LabelFile, LabelRow, read_labels
from annotation.models import Annotator, Assignment, Item, Judgment, LabelSource, Sitting, Study

BATCH = 500


class ImportRefused(ValueError):
    """Sound labels that this study cannot take. str() says why and what to do."""


@dataclass(frozen=True, slots=True)
class Imported:
    """`unchanged` labels were there already; `excluded` annotators broke the study's policy now.

    `not_counted` are new labels of annotators who were excluded before: stored, like all of theirs, without counting.
    """

    labels: int
    unchanged: int
    annotators: int
    excluded: int
    not_counted: int = 0

    def __str__(self) -> str:
        text = f"{self.labels} labels of {self.annotators} annotators imported, {self.unchanged} unchanged"
        if self.excluded:
            text += f"; {self.excluded} annotators excluded by the study's policy"
        if self.not_counted:
            text += f"; {self.not_counted} of them do not count: their annotators were excluded before"
        return text


def import_labels(study: Study, path: Path, *, note: str = "") -> Imported:
    """Read the file and store what is new in it, all or nothing.

    Raises LabelFileError for a bad file; ImportRefused as `store_labels`.
    """
    study = Study.objects.get(pk=study.pk)
    # Before the transaction: it holds the database's one lock for writing, and annotators' answers wait for that.
    read_against = _asked(study)
    file = read_labels(path, study.task, read_against)
    return store_labels(study, file, note=note, read_against=read_against)


def store_labels(
    study: Study, file: LabelFile, *, note: str = "", read_against: Mapping[str, str] | None = None
) -> Imported:
    """Store what is new in a file, all or nothing, in one transaction: the study's lock keeps invariant 1.

    Raises ImportRefused where labels are synthetic, where an item would get more labels than the study wants, where an
    annotator's label differs from the one stored before, and where the study no longer asks what it asked when the
    file was `read_against` it (None: the caller holds its lock since).
    """
    assigning.release_lapsed(study=study)
    with transaction.atomic():
        task = (study.task_type, study.task_version, study.task_settings)
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        same_task = (study.task_type, study.task_version, study.task_settings) == task
        if read_against is not None and not (same_task and _asked(study) == read_against):
            raise ImportRefused(f"{study.slug} changed while the file was read. Nothing was imported; import it again.")
        if study.population == Study.Population.SYNTHETIC:
            raise ImportRefused(
                f"{study.slug} holds labels of synthetic annotators, and people's labels never mix with them. "
                f"Remove them first: simulate_annotators {study.slug} --remove."
            )
        items = {item.external_id: item for item in study.items.exclude(kind=Item.Kind.PRACTICE)}
        fresh = _fresh(study, file.rows)
        _refuse_overfull(study, items, fresh)
        out = _excluded(study)
        excluded = _store(study, file, items, fresh, note) if fresh else 0
    return Imported(
        labels=len(fresh),
        unchanged=len(file.rows) - len(fresh),
        annotators=len({row.annotator for row in fresh}),
        excluded=excluded,
        not_counted=sum(row.annotator in out for row in fresh),
    )


def _asked(study: Study) -> dict[str, str]:
    """The items that take labels, each with what it asks."""
    return dict(study.items.exclude(kind=Item.Kind.PRACTICE).values_list("external_id", "content_hash"))


def external_id(study: Study, annotator: str) -> str:
    """Names in two files need not be the same person, so that a name counts within its study only."""
    return f"{study.pk}/{annotator}"


def _fresh(study: Study, rows: Sequence[LabelRow]) -> list[LabelRow]:
    """The rows that are not stored yet; ImportRefused if one of them is stored with another label."""
    before = Assignment.objects.filter(sitting__study=study, annotator__platform=Annotator.IMPORTED)
    stored = {
        (item, annotator): label
        for item, annotator, label in before.values_list(
            "item__external_id", "annotator__external_id", "judgment__answer"
        )
    }
    fresh = []
    for row in rows:
        label = stored.get((row.item, external_id(study, row.annotator)))
        if label is None:
            fresh.append(row)
        elif label != row.label:
            raise ImportRefused(
                f"{study.slug} has the label {label!r} of {row.annotator!r} on {row.item!r} from an earlier file, and "
                f"this one says {row.label!r}. A label that was given does not change."
            )
    return fresh


def _refuse_overfull(study: Study, items: Mapping[str, Item], fresh: Sequence[LabelRow]) -> None:
    """Design, invariant 1, said in words before the database says it in its own."""
    out = _excluded(study)
    added = Counter(row.item for row in fresh if items[row.item].kind == Item.Kind.TARGET and row.annotator not in out)
    held = {name: items[name].counted + items[name].reserved + count for name, count in added.items()}
    most = max(held.values(), default=0)
    if most > study.labels_per_item:
        name = max(held, key=lambda item: held[item])
        raise ImportRefused(
            f"{study.slug} wants {study.labels_per_item} labels an item, and {name!r} would hold {most}. "
            f"Set labels_per_item to {most} in study.toml and load the study again."
        )


def _store(study: Study, file: LabelFile, items: Mapping[str, Item], fresh: list[LabelRow], note: str) -> int:
    """Write the rows; how many annotators the policy excluded."""
    now = timezone.now()
    source = LabelSource.objects.create(study=study, name=file.name, sha256=file.sha256, note=note, labels=len(fresh))
    by_annotator: dict[str, list[LabelRow]] = defaultdict(list)
    for row in fresh:
        by_annotator[row.annotator].append(row)
    sittings = _sittings(study, source, list(by_annotator), now)
    out = _excluded(study)
    assignments, rows = [], []
    for name, own in by_annotator.items():
        for position, row in enumerate(own, start=1):
            state = Assignment.State.EXCLUDED if name in out else Assignment.State.COUNTED
            assignments.append(_assignment(sittings[name], items[row.item], position, state))
            rows.append(row)
    Assignment.objects.bulk_create(assignments, batch_size=BATCH)
    Judgment.objects.bulk_create(
        (
            Judgment(assignment=assignment, answer=row.label, response_ms=_milliseconds(row), answered_at=now)
            for assignment, row in zip(assignments, rows, strict=True)
        ),
        batch_size=BATCH,
    )
    counted = [row for row in fresh if row.annotator not in out]
    _count(items, counted)
    study.population = Study.Population.PEOPLE
    study.save(update_fields=["population"])
    checked = {row.annotator for row in fresh if items[row.item].is_check}
    verdicts = [exclusion.apply_policy(study, sittings[name].annotator) for name in sorted(checked)]
    return sum(verdict is not None for verdict in verdicts)


def _sittings(study: Study, source: LabelSource, names: list[str], now: datetime) -> dict[str, Sitting]:
    """A finished sitting for each annotator. They were paid, or not, where they worked: there is no code to redeem."""
    wanted = {external_id(study, name): name for name in names}
    Annotator.objects.bulk_create(
        (Annotator(platform=Annotator.IMPORTED, external_id=one) for one in wanted),
        ignore_conflicts=True,
        batch_size=BATCH,
    )
    known = Annotator.objects.filter(platform=Annotator.IMPORTED, external_id__startswith=f"{study.pk}/")
    annotators = {annotator.external_id: annotator for annotator in known}
    made = Sitting.objects.bulk_create(
        (
            Sitting(
                study=study,
                annotator=annotators[one],
                source=source,
                state=Sitting.State.FINISHED,
                lease_expires_at=now,
                last_answer_at=now,
                finished_at=now,
            )
            for one in wanted
        ),
        batch_size=BATCH,
    )
    return dict(zip(wanted.values(), made, strict=True))


def _excluded(study: Study) -> set[str]:
    """Imported annotators whose labels do not count in this study, by the name in the file."""
    verdicts = study.exclusions.filter(lifted_at=None, annotator__platform=Annotator.IMPORTED)
    prefix = external_id(study, "")
    return {name.removeprefix(prefix) for name in verdicts.values_list("annotator__external_id", flat=True)}


def _assignment(sitting: Sitting, item: Item, position: int, state: str) -> Assignment:
    # In which order the options were shown is not known, so none is stored.
    return Assignment(
        sitting=sitting,
        annotator=sitting.annotator,
        item=item,
        position=position,
        presentation={"order": []},
        state=state,
    )


def _milliseconds(row: LabelRow) -> int | None:
    return None if row.seconds is None else round(1000 * row.seconds)


def _count(items: Mapping[str, Item], fresh: list[LabelRow]) -> None:
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    for row in fresh:
        tallies[row.item][row.label] += 1
    changed = [items[name] for name in tallies]
    for item in changed:
        added = tallies[item.external_id]
        item.counted += sum(added.values())
        item.tally = dict(Counter(item.tally) + added)
    Item.objects.bulk_update(changed, ["counted", "tally"], batch_size=BATCH)
