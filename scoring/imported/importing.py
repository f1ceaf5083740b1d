"""A score file becomes a finished run of a study, all or nothing, with the file it was read from.

Scores that wait beside the database until one statement takes them in. Written one after another a hundred thousand
scores take many seconds, and on SQLite nobody else writes meanwhile: the annotators' answers would wait. They are laid
down first in a temporary table, which is this connection's own. It takes no lock that others wait for, nobody sees it,
and of a kill nothing is left.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify

from annotation.audit.acts import Fact, record
from annotation.audit.deeds import Deed
from annotation.bulk import fill, proven_references, roomy, together
from annotation.models import Item, Study
from annotation.tasktypes.contract import Readout, Unscored
from corpus.characters import unstorable
from corpus.formats.reading import Records
from corpus.provenance import digest
from corpus.workplace import OnProgress, no_progress
from scoring.imported.lines import ScoreFile, ended_badly, read_scores
from scoring.imported.matching import Matched, Missing, Target, match
from scoring.imported.reading import Reading
from scoring.models import LanguageModel, Run, Score, ScoreSource

TABLE = "scores_to_be"
# What `scores` are rows of. JSON is as the field writes it.
COLUMNS = ("item_id", "decision", "strength", "detail", "unscored")

VERSION = "1"
LONGEST_NAME, LONGEST_METRIC, LONGEST_NOTE = 100, 40, 500


@contextmanager
def staged(scores: Iterable[Sequence[Any]]) -> Iterator[Callable[[Run], None]]:
    """Lay down scores that have no run yet; what is yielded takes them in, as those of a run, in one statement."""
    names = ", ".join(map(connection.ops.quote_name, COLUMNS))
    table, target = connection.ops.quote_name(TABLE), connection.ops.quote_name(Score._meta.db_table)

    def take_in(run: Run) -> None:
        with connection.cursor() as cursor:
            # Table and columns are the model's own; S608 knows no better.
            statement = f"INSERT INTO {target} (run_id, {names}) SELECT %s, {names} FROM {table}"  # noqa: S608
            cursor.execute(statement, [run.pk])

    with connection.cursor() as cursor:
        # Of the same types, on either database; a connection that lives on may hold the table of an import that failed.
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TEMPORARY TABLE {table} AS SELECT {names} FROM {target} LIMIT 0")  # noqa: S608
    with together():
        fill(TABLE, COLUMNS, scores)
    try:
        # Of a run that is made in the same transaction, and of items that are compared in it.
        with roomy(), proven_references():
            yield take_in
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {table}")


class ImportRefused(ValueError):
    """Sound scores that this study cannot take. str() says why and what to do."""


class NamesRefused(ImportRefused):
    """What is stated of the scores does not fit: it is no name, or names what is not there or is another's."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What the researcher says of the file: whose scores, of what, where from; and who brings it."""

    model: str
    metric: str
    note: str
    family: str = LanguageModel.Family.OTHER
    imported_by: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """`unknown` lines belong to no item, `repeated` ones say the same again. `remarks`: what was noticed of the file.

    Not `is_new`: no score has changed, and the source that was stated before is `source_was`, if it was another.
    """

    run: Run
    undecided: int
    unknown: int
    repeated: int
    reasons: tuple[tuple[str, int], ...]
    is_new: bool
    source_was: str = ""
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.is_new:
            return f"{self.run}: this file was imported before; {self._change}"
        parts = [f"{self.run.scored} of {self.run.total} items scored"]
        parts += [f"{self.undecided} without a decision"] if self.undecided else []
        parts += [f"{self.run.unscored} unscored"] if self.run.unscored else []
        parts += [_lines(self.unknown, "matches no item", "match no item")] if self.unknown else []
        parts += [_lines(self.repeated, "repeats an earlier one", "repeat an earlier one")] if self.repeated else []
        notes = " ".join(f"Note: {remark}." for remark in self.remarks)
        return f"{self.run}: {', '.join(parts)}" + (f". {notes}" if notes else "")

    @property
    def _change(self) -> str:
        if not self.source_was:
            return "nothing has changed"
        return f"its source is now “{self.run.source.note}” (it was “{self.source_was}”), and nothing else has changed"


def _lines(count: int, one: str, several: str) -> str:
    return f"1 line {one}" if count == 1 else f"{count} lines {several}"


def import_scores(
    study: Study,
    data: bytes | Records,
    *,
    name: str,
    stated: Stated,
    reading: Reading,
    on_progress: OnProgress = no_progress,
) -> Imported:
    """Read the file and store a finished run with a score, or a reason for none, for every target item.

    Raises ScoreFileError for a bad file; ReadingError for columns that do not suit the study; ImportRefused where
    the names are no names, where the study changes meanwhile, and where the model has another file under that
    metric. Importing a file again changes nothing but the source that is stated. `on_progress` is called with how far
    it is, until the scores are stored.
    """
    name = PurePath(name).name
    refuse_names(stated, name)
    study = Study.objects.get(pk=study.pk)
    read = _rows(study).values_list("pk", "content_hash", "external_id", "content")
    items = [Target(*row) for row in read.iterator()]
    # Before the transaction: it holds the database's one lock for writing, and annotators' answers wait for that.
    # Inside it one statement takes all scores in, so that the run is there whole or not at all.
    scale = study.task.scale
    file = read_scores(data, reading, name=name, labels=scale.values, meanings=scale.meanings, on_progress=on_progress)
    matched = match(study.task, items, file, reading, on_progress=on_progress)
    on_progress(f"storing {len(items):,} scores", 0, 0, "")
    hashes = digest([item.content_hash for item in items])
    with staged(_scores(items, matched.results)) as take_in, transaction.atomic():
        _refuse_changed(study, items)
        model = _model(study, stated)
        before = Run.objects.filter(study=study, model=model, metric=stated.metric).select_related("source").first()
        if before is not None:
            _refuse_other(before, file, reading, hashes)
            was = _restate(before, stated)
            if was:
                record(study, Deed.SCORES_IMPORTED, before, facts={"source": "updated"})
            return Imported(before, 0, matched.unknown, file.repeated, (), is_new=False, source_was=was)
        run = _store(study, model, matched, file, stated, reading, hashes)
        take_in(run)
        facts: dict[str, Fact] = {"file": file.name, "sha256": file.sha256[:12], "scored": run.scored}
        record(study, Deed.SCORES_IMPORTED, run, facts=facts)
    remarks = tuple(filter(None, (ended_badly(data), *file.remarks, *matched.remarks)))
    return _summary(run, matched, file, remarks=remarks)


def _rows(study: Study) -> QuerySet[Item]:
    return study.items.filter(kind=Item.Kind.TARGET).order_by("position")


def _refuse_changed(study: Study, items: Sequence[Target]) -> None:
    """Lock the study, and see that it asks of its items what it asked when the file was held against them."""
    now = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    task = ("task_type", "task_version", "task_settings")
    same_task = all(getattr(now, field) == getattr(study, field) for field in task)
    read = [(item.pk, item.content_hash) for item in items]
    if not same_task or list(_rows(now).values_list("pk", "content_hash")) != read:
        raise ImportRefused(f"{study.slug} changed during the import. Nothing was imported; import again.")


def remove_run(run: Run) -> int:
    """Delete an imported run with its scores, and the model with its last run; how many scores went."""
    if not run.model.is_imported:
        raise ImportRefused(f"{run} was computed here, and only imported runs are deleted.")
    with transaction.atomic():
        count = run.scores.count()
        model = run.model
        record(run.study, Deed.RUN_REMOVED, run, facts={"scores": count})
        run.delete()
        if not model.runs.exists():
            model.delete()
    return count


def drop_unused() -> int:
    """Delete the models whose last import has gone with its study; how many those were."""
    return LanguageModel.objects.filter(is_imported=True, runs=None).delete()[0]


def find_imported(study: Study, model: str, metric: str) -> Run:
    """The imported run of that model and metric; ImportRefused, listing those there are, if there is none."""
    imported = Run.objects.filter(study=study, model__is_imported=True).select_related("model")
    run = imported.filter(model__name=model, metric=metric).first() if (model + metric).isprintable() else None
    if run is None:
        available = "; ".join(str(one) for one in imported) or "none"
        raise NamesRefused(f"{study.slug} has no imported run {model} · {metric}. Available: {available}.")
    return run


def refuse_names(stated: Stated, file: str) -> None:
    """NamesRefused where what is stated cannot be kept."""
    if unstorable(file):
        raise NamesRefused("The file’s name is not UTF-8 text and cannot be kept with the scores. Rename the file.")
    most = {
        "The model’s name": (stated.model, LONGEST_NAME),
        "The metric’s name": (stated.metric, LONGEST_METRIC),
        "The source": (stated.note, LONGEST_NOTE),
    }
    for what, (text, longest) in most.items():
        if not text.strip() or text != text.strip() or not text.isprintable() or len(text) > longest:
            raise NamesRefused(f"{what} must be text on one line, {longest} characters at most.")
    if stated.family not in LanguageModel.Family.values:
        raise NamesRefused(
            f"There is no family {stated.family!r}. Available: {', '.join(LanguageModel.Family.values)}."
        )


def _model(study: Study, stated: Stated) -> LanguageModel:
    """The model's row. Its key has a hash, since two names may share a slug; names count within a study."""
    namesakes = LanguageModel.objects.filter(name=stated.model, is_imported=True)
    other = namesakes.filter(runs__study=study).exclude(family=stated.family).first()
    if other is not None:
        raise NamesRefused(
            f"Scores of {stated.model} were imported before as a {other.get_family_display()}. Use that family "
            f"({other.family}) or another name."
        )
    key = f"imported-{slugify(stated.model)[:50]}-{digest([stated.model, stated.family])[:8]}"
    model, _ = namesakes.get_or_create(name=stated.model, is_imported=True, family=stated.family, defaults={"key": key})
    return model


def _refuse_other(run: Run, file: ScoreFile, reading: Reading, hashes: str) -> None:
    """The same file, read the same way, over the same items is the same run; anything else is not."""
    source = run.source
    if source.sha256 != file.sha256:
        why = (
            f"already has the scores of another file, {source.name} ({source.sha256[:12]}…; this one is "
            f"{file.sha256[:12]}…)"
        )
    elif source.reading != _as_json(reading):
        why = "was read from the same file with other settings"
    elif run.provenance["items_sha256"] != hashes:
        why = "was imported before the study’s items changed"
    else:
        return
    raise ImportRefused(f"{run} {why}. Give another name or metric name, or remove that run first.")


def _restate(run: Run, stated: Stated) -> str:
    """Keep the source that is stated now; the one before, if it was another."""
    was = run.source.note
    if was == stated.note:
        return ""
    run.source.note = stated.note
    run.source.save(update_fields=["note"])
    run.provenance["imported_from"]["note"] = stated.note
    run.save(update_fields=["provenance"])
    return was


def _store(
    study: Study,
    model: LanguageModel,
    matched: Matched,
    file: ScoreFile,
    stated: Stated,
    reading: Reading,
    hashes: str,
) -> Run:
    now = timezone.now()
    unscored = sum(isinstance(result, Unscored) for result in matched.results)
    run = Run.objects.create(
        study=study,
        model=model,
        metric=stated.metric,
        metric_version=VERSION,
        settings=_as_json(reading),
        provenance={
            "imported_from": {"file": file.name, "sha256": file.sha256, "note": stated.note, "by": stated.imported_by},
            "items_sha256": hashes,
        },
        state=Run.State.FINISHED,
        total=len(matched.results),
        scored=len(matched.results) - unscored,
        unscored=unscored,
        started_at=now,
        finished_at=now,
    )
    ScoreSource.objects.create(
        run=run,
        name=file.name,
        sha256=file.sha256,
        note=stated.note,
        reading=_as_json(reading),
        imported_by=stated.imported_by,
    )
    return run


def _scores(items: Sequence[Target], results: Iterable[Readout | Unscored]) -> Iterator[tuple[Any, ...]]:
    """Scores of a run that is yet to be, as rows of `staging.COLUMNS`."""
    as_column = Score._meta.get_field("detail").get_db_prep_save
    for item, result in zip(items, results, strict=True):
        if isinstance(result, Unscored):
            detail = {"where": result.where} if isinstance(result, Missing) else {}
            yield item.pk, None, None, as_column(detail, connection), result.reason
        else:
            yield item.pk, result.decision, result.strength, as_column(result.detail, connection), ""


def _summary(run: Run, matched: Matched, file: ScoreFile, *, remarks: tuple[str, ...]) -> Imported:
    reasons = Counter(result.reason for result in matched.results if isinstance(result, Unscored))
    undecided = sum("no_decision" in result.detail for result in matched.results if isinstance(result, Readout))
    reason_counts = tuple(reasons.most_common())
    return Imported(run, undecided, matched.unknown, file.repeated, reason_counts, is_new=True, remarks=remarks)


def _as_json(reading: Reading) -> dict[str, object]:
    pairs = ("columns", "only", "meanings")
    lists: dict[str, object] = {name: [list(pair) for pair in getattr(reading, name)] for name in pairs}
    fields = {name: value for name, value in asdict(reading).items() if name != "how"}
    return fields | asdict(reading.how) | lists
