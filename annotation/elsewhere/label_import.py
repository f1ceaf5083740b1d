"""Labels that people gave elsewhere become sittings like any other: one finished sitting an annotator.

So a study run elsewhere has the same dashboards, and its labels keep the same promises: no item holds more
than its target, tallies are right, and the study's policy is applied to whoever answered its checks.
"""

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation import assignment as assigning
from annotation import bulk as bulk
from annotation.audit.acts import Fact, record
from annotation.audit.deeds import Deed
from annotation.elsewhere.labelfile import LabelFile, LabelRow, labels_in, read_labels
from annotation.elsewhere.lines import AS_IT_IS, ReadOptions
from annotation.elsewhere.names import ADDRESS, mixed_forms
from annotation.elsewhere.outcome import Imported, what_helps
from annotation.models import Annotator, AnnotatorNumber, Assignment, Item, LabelSource, RepeatedLabel, Sitting, Study
from annotation.platforms import Outcome
from annotation.quality import exclusion
from annotation.quality.rules import Evidence
from annotation.tasktypes.contract import TaskType
from corpus.errors import Remark
from corpus.provenance import digest
from corpus.workplace import OnProgress, no_progress

BATCH = 500


class ImportRefused(ValueError):
    """Sound labels that this study cannot take. str() says why and what to do."""


@dataclass(frozen=True, slots=True)
class ImportBasis:
    """What a label file is held against: the items that take labels, and a digest of all that decides what is done."""

    items: dict[str, int]
    digest: str


def import_labels(
    study: Study,
    path: Path,
    how: ReadOptions = AS_IT_IS,
    *,
    note: str = "",
    as_imported: bool = False,
    told: OnProgress = no_progress,
) -> Imported:
    """Read the file, as `how` says, and store what is new in it, all or nothing.

    With `as_imported` the study wants no more labels than it then has. Raises LabelFileError for a bad file;
    ImportRefused as `store_labels`.
    """
    reading = partial(read_labels, path, asked=how, told=told)
    return _import(study, reading, note=note, as_imported=as_imported, told=told)


def take_labels(study: Study, data: bytes, path: Path, *, note: str = "", as_imported: bool = False) -> Imported:
    """Store what is new in the bytes of a file; `path` is its name. Raises as `import_labels` does."""
    return _import(study, partial(labels_in, data, path), note=note, as_imported=as_imported)


def _import(
    study: Study,
    reading: Callable[[TaskType, Iterable[str]], LabelFile],
    *,
    note: str,
    as_imported: bool,
    told: OnProgress = no_progress,
) -> Imported:
    study = Study.objects.get(pk=study.pk)
    if as_imported and study.has_opened and not study.as_imported:
        raise ImportRefused(f"{study.slug} has opened, so its number of labels is locked.")
    # Before the transaction: it holds the database's one lock for writing, and annotators' answers wait for that.
    asked = _import_basis(study)
    file = reading(study.task, asked.items)
    told(f"storing {len(file):,} labels", 0, 0, "")
    return store_labels(study, file, note=note, asked=asked, as_imported=as_imported)


def store_labels(
    study: Study, file: LabelFile, *, note: str = "", asked: ImportBasis | None = None, as_imported: bool = False
) -> Imported:
    """Store what is new in a file, all or nothing, in one transaction: the study's lock keeps invariant 1.

    Raises ImportRefused where labels are synthetic, where an item would get more labels than the study wants, where an
    annotator's label differs from the one stored before, and where the study is no longer what it was when the file
    was read (`asked`; None: the caller holds its lock since).
    """
    assigning.release_lapsed(study=study)
    file = _without_addresses(study, file)
    asked = asked or _import_basis(study)
    rows, repeats = _fresh(study, file, asked), _fresh_repeats(study, file)
    out = _excluded(study)
    verdicts = _verdicts(study, file, rows, repeats)
    no_count = frozenset(code for code, name in enumerate(file.annotators) if name in out or name in verdicts)
    fresh = bulk.Fresh(
        file=file,
        pks=[asked.items[name] for name in file.items],
        rows=rows,
        out=frozenset(code for code, name in enumerate(file.annotators) if name in out),
        excluded=no_count,
    )
    with bulk.laid_down(fresh), transaction.atomic():
        study = _held(study, as_imported=as_imported)
        _refuse(study, asked)
        if rows:
            _store(study, fresh, note)
        if repeats:
            _store_repeats(study, repeats)
        if rows or repeats:
            _judge(study, verdicts, drops=bool(no_count) and study.policy.drops)
            _record(study, fresh)
        if study.as_imported:
            study.items.targets().want_no_more()
    return _outcome(study, fresh, repeats=len(repeats), excluded=len(verdicts))


def _outcome(study: Study, fresh: bulk.Fresh, *, repeats: int, excluded: int) -> Imported:
    file, rows = fresh.file, fresh.rows
    people = (name.partition("/")[2] for name in _imported(study).values_list("external_id", flat=True))
    before = sorted({*people}.difference(file.annotators))
    return Imported(
        repeats=repeats,
        incomplete=file.incomplete,
        unknown=file.unknown,
        labels=len(rows),
        unchanged=len(file) - len(rows),
        annotators=len(fresh.annotators),
        excluded=excluded,
        not_counted=sum(file.annotator_codes[row] in fresh.out for row in rows),
        remarks=tuple(map(str, (*file.remarks, *(mixed_forms(file.annotators, before=before) if before else ())))),
    )


def _held(study: Study, *, as_imported: bool) -> Study:
    """Its row, locked; it wants no more labels than it then has, where that is asked."""
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if as_imported and not held.as_imported:
        held.as_imported = True
        held.save(update_fields=["as_imported"])
    return held


def _without_addresses(study: Study, file: LabelFile) -> LabelFile:
    """With a number for each annotator who is called by an e-mail address: the same for the same one, in this study."""
    known = {
        name: str(int(salted_hmac("annotation.address", f"{study.pk}/{name}", algorithm="sha256").hexdigest()[:10], 16))
        for name in file.annotators
        if ADDRESS.search(name)
    }
    if not known:
        return file
    many = "1 annotator has" if len(known) == 1 else f"{len(known)} annotators have"
    return replace(
        file,
        annotators=[known.get(name, name) for name in file.annotators],
        repeats=[replace(row, annotator=known.get(row.annotator, row.annotator)) for row in file.repeats],
        remarks=(
            *(Remark(one.where, ADDRESS.sub("…@…", one.message)) for one in file.remarks),
            Remark("", f"{many} an email address as a name; a number replaces it"),
        ),
    )


def _record(study: Study, fresh: bulk.Fresh) -> None:
    """By the file alone: the names in it may be a platform's ids."""
    file = fresh.file
    facts: dict[str, Fact] = {"labels": len(fresh.rows), "annotators": len(fresh.annotators)}
    record(study, Deed.LABELS_IMPORTED, file.name, facts=facts | {"sha256": file.sha256[:12]})


def _import_basis(study: Study) -> ImportBasis:
    """The items that take labels, as they are now."""
    items = study.items.exclude(kind=Item.Kind.PRACTICE).order_by("position")
    read = items.values_list("external_id", "pk", "content_hash")
    sha, found = hashlib.sha256(repr(_decisive(study)).encode()), {}
    for name, pk, content_hash in read.iterator(chunk_size=BATCH):
        found[name] = pk
        sha.update(f"{pk} {content_hash} {name}\n".encode())
    return ImportBasis(found, sha.hexdigest())


def _decisive(study: Study) -> list[object]:
    """What, beside its items, decides whether a study takes a label and whether the label counts."""
    return [
        # Digested, since PostgreSQL gives keys back in an order of its own.
        *(study.task_type, study.task_version, digest(study.task_settings)),
        study.policy.digest,
        list(study.label_sources.order_by("pk").values_list("pk", flat=True)),
        list(study.exclusions.order_by("pk").values_list("annotator", "lifted_at")),
    ]


def _refuse(study: Study, asked: ImportBasis) -> None:
    """The caller holds the study's lock."""
    if _import_basis(study).digest != asked.digest:
        raise ImportRefused(f"{study.slug} changed during the import. Nothing was imported; import again.")
    if study.population == Study.Population.SYNTHETIC:
        raise ImportRefused(
            f"{study.slug} has synthetic labels, which are never mixed with labels from people. Remove them first: "
            f"simulate_annotators {study.slug} --remove."
        )
    if study.as_imported:
        bulk.make_room()
        return
    # Design, invariant 1, said in words before the database says it in its own.
    fullest = bulk.overfull(study.labels_per_item)
    if fullest is not None:
        name, most = fullest
        if study.items.dropped().filter(external_id=name).exists():
            raise ImportRefused(
                f"{name!r} was dropped from {study.slug} after an exclusion and takes no more "
                "labels. Remove it from the file."
            )
        wants = f"{study.slug} collects {study.labels_per_item} labels per item, but {name!r} would have {most}."
        raise ImportRefused(f"{wants} {what_helps(study, most)}")


def external_id(study: Study, annotator: str) -> str:
    """Names in two files need not be the same person, so that a name counts within its study only."""
    return f"{study.pk}/{annotator}"


def _fresh(study: Study, file: LabelFile, asked: ImportBasis) -> "array[int]":
    """The rows that are not stored yet, one annotator's together; ImportRefused if a label is there otherwise."""
    stored = _stored(study, file, asked)
    rows = array("l")
    for row, who in enumerate(file.annotator_codes):
        label = stored.get((who * len(file.items)) + file.item_codes[row]) if stored else None
        if label is None:
            rows.append(row)
        elif label != file.labels[file.label_codes[row]]:
            item, annotator = file.items[file.item_codes[row]], file.annotators[who]
            raise ImportRefused(
                f"{study.slug} already has the label {label!r} by {annotator!r} on {item!r} from an earlier file, "
                f"but this file says {file.labels[file.label_codes[row]]!r}. Existing labels do not change."
            )
    # An export of this very study has its labels under other names: most new labels are then there already.
    if rows and file.exported_of == study.slug and 2 * bulk.there_by_number(study, file, rows) > len(rows):
        raise ImportRefused(f"{file.name} is an export of {study.slug}, and {study.slug} already has these labels.")
    return array("l", sorted(rows, key=file.annotator_codes.__getitem__))


def _stored(study: Study, file: LabelFile, asked: ImportBasis) -> dict[int, str]:
    """The labels of the file's annotators from earlier files, by the codes of annotator and item."""
    people = {external_id(study, name): code for code, name in enumerate(file.annotators)}
    items = {asked.items[name]: code for code, name in enumerate(file.items)}
    before = Assignment.objects.filter(sitting__study=study, annotator__platform=Annotator.IMPORTED).order_by()
    labels = {label: label for label in file.labels}
    found = {}
    read, names = before.values_list("item_id", "annotator__external_id", "judgment__answer"), [*people]
    # Of these annotators alone: what others have given may be a thousand times as much.
    for start in range(0, len(names), BATCH):
        theirs = read.filter(annotator__external_id__in=names[start : start + BATCH])
        for item, name, label in theirs.iterator(chunk_size=BATCH):
            found[people[name] * len(file.items) + items[item]] = labels.get(label, label)
    return found


def _verdicts(study: Study, file: LabelFile, rows: Sequence[int], repeats: Sequence[LabelRow]) -> dict[str, Evidence]:
    """The annotators whose checks break the study's policy, with the evidence: those in the file, and earlier ones.

    A check that somebody met again, in another sitting elsewhere, is one more check.
    """
    checks = {item.external_id: item for item in study.items.filter(kind__in=[Item.Kind.GOLD, Item.Kind.ATTENTION])}
    codes = {code: checks[name] for code, name in enumerate(file.items) if name in checks}
    given: dict[str, list[tuple[Item, str]]] = defaultdict(list)
    for row in rows:
        if file.item_codes[row] in codes:
            check = codes[file.item_codes[row]], file.labels[file.label_codes[row]]
            given[file.annotators[file.annotator_codes[row]]].append(check)
    for again in repeats:
        if again.item in checks:
            given[again.annotator].append((checks[again.item], again.label))
    judged = set(study.exclusions.values_list("annotator__external_id", flat=True))
    known = {one.external_id: one for one in _imported(study)}
    found = {}
    for name, answers in given.items():
        one = external_id(study, name)
        if one not in judged:
            evidence = exclusion.evidence_with(study, known.get(one), answers)
            if evidence.broken_rule is not None:
                found[name] = evidence
    return found


def _store(study: Study, fresh: bulk.Fresh, note: str) -> None:
    now, file = timezone.now(), fresh.file
    source = LabelSource.objects.create(
        study=study, name=file.name, sha256=file.sha256, note=note, labels=len(fresh.rows)
    )
    codes = fresh.annotators
    outcomes = {
        file.annotators[code]: Outcome.FAILED_CHECKS if code in fresh.excluded else Outcome.COMPLETED for code in codes
    }
    sittings = _sittings(study, source, outcomes, now)
    bulk.take_in(dict(zip(codes, sittings, strict=True)), fresh.excluded, now)
    study.population = Study.Population.PEOPLE
    study.save(update_fields=["population"])


def _fresh_repeats(study: Study, file: LabelFile) -> list[LabelRow]:
    """The labels after somebody's first that are not stored yet; ImportRefused where one is stored that differs."""
    if not file.repeats:
        return []
    stored = RepeatedLabel.objects.filter(assignment__sitting__study=study).order_by()
    named = stored.values_list("assignment__annotator__external_id", "assignment__item__external_id", "turn", "answer")
    kept = {(who, item, turn): answer for who, item, turn, answer in named.iterator()}
    fresh = []
    for row in file.repeats:
        before = kept.get((external_id(study, row.annotator), row.item, row.repeat))
        if before is None:
            fresh.append(row)
        elif before != row.label:
            raise ImportRefused(
                f"{study.slug} already has {before!r} as label {row.repeat} by {row.annotator!r} on {row.item!r} "
                f"from an earlier file, but this file says {row.label!r}. Existing labels do not change."
            )
    return fresh


def _store_repeats(study: Study, fresh: Iterable[LabelRow]) -> None:
    """Keep them with the first labels, which are stored."""
    stored = Assignment.objects.filter(sitting__study=study, annotator__platform=Annotator.IMPORTED).order_by()
    named = stored.values_list("pk", "annotator__external_id", "item__external_id")
    pks = {(who, item): pk for pk, who, item in named.iterator()}
    repeats = []
    for row in fresh:
        assignment = pks[external_id(study, row.annotator), row.item]
        took = None if row.seconds is None else round(1000 * row.seconds)
        repeats.append(RepeatedLabel(assignment_id=assignment, turn=row.repeat, answer=row.label, response_ms=took))
    RepeatedLabel.objects.bulk_create(repeats, batch_size=BATCH)


def _judge(study: Study, verdicts: dict[str, Evidence], *, drops: bool) -> None:
    for name, found in sorted(verdicts.items()):
        assert found.broken_rule is not None, "only such evidence is a verdict"
        annotator = _imported(study).get(external_id=external_id(study, name))
        exclusion.exclude(study, annotator, rule=found.broken_rule, evidence=found.as_json())
    if drops:
        # Who was excluded before may have labeled further items.
        exclusion.drop_items(Assignment.objects.filter(sitting__study=study))
    exclusion.look_again(study)


def _imported(study: Study) -> QuerySet[Annotator]:
    return Annotator.objects.filter(platform=Annotator.IMPORTED, external_id__startswith=external_id(study, ""))


def _sittings(study: Study, source: LabelSource, outcomes: dict[str, Outcome], now: datetime) -> list[Sitting]:
    """A finished sitting for each annotator. They were paid, or not, where they worked: there is no code to redeem."""
    wanted = {external_id(study, name): outcome for name, outcome in outcomes.items()}
    Annotator.objects.bulk_create(
        (Annotator(platform=Annotator.IMPORTED, external_id=one) for one in wanted),
        ignore_conflicts=True,
        batch_size=BATCH,
    )
    annotators = {annotator.external_id: annotator for annotator in _imported(study)}
    AnnotatorNumber.objects.give(study.pk, [annotators[one].pk for one in wanted])
    return Sitting.objects.bulk_create(
        (
            Sitting(
                study=study,
                annotator=annotators[one],
                source=source,
                state=Sitting.State.FINISHED,
                lease_expires_at=now,
                last_answer_at=now,
                finished_at=now,
                outcome=outcome,
            )
            for one, outcome in wanted.items()
        ),
        batch_size=BATCH,
    )


def _excluded(study: Study) -> set[str]:
    """Imported annotators whose labels do not count in this study, by the name in the file."""
    verdicts = study.exclusions.filter(lifted_at=None, annotator__platform=Annotator.IMPORTED)
    prefix = external_id(study, "")
    return {name.removeprefix(prefix) for name in verdicts.values_list("annotator__external_id", flat=True)}
