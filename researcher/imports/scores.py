"""Score files brought into a study, one or several: what is asked of them, and what a worker does with them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.db import transaction

from annotation.access.matrix import Right
from annotation.audit.deeds import Deed
from annotation.models import Item, Study
from annotation.tasktypes.contract import Shape, Unscorable
from corpus.errors import Fault
from corpus.formats.contract import Use
from corpus.formats.reading import Records
from corpus.tables.columns import Column, MapError
from corpus.tables.registry import names
from researcher.imports.head import SEEN, Head, how_of
from researcher.imports.kind import FileKind, are_items
from researcher.jobs.folder import drop, paths_of
from researcher.jobs.watched import JobProgress, JobRefused
from researcher.models import Job
from scoring.imported.importing import LONGEST_METRIC, LONGEST_NAME, NamesRefused, Stated, refuse_names
from scoring.imported.matching import option_names
from scoring.imported.naming import NAMINGS, NamedRun, open_scores, reading_of
from scoring.imported.reading import (
    COLUMNS,
    KEYS,
    LABEL,
    LOGPROB,
    NEUTRAL,
    PROB,
    RANK,
    SCORE,
    By,
    ScoreOptions,
    reading,
)
from scoring.imported.several import FileDone, Says, import_files
from scoring.models import LanguageModel

# Beyond these nobody says one by one what words mean.
MOST_WORDS = 20
# An option's number, whatever it is measured in: the field's name begins so.
NUMBER = "number"
SETTINGS = ("lower_is_better", "length_normalized", "ranks_from", "skip_unknown")


class ScoreFiles(FileKind):
    """Each file becomes a run, or is refused whole; the others stay."""

    key, address = Job.Kind.SCORES.value, "score"
    use: Use = "scores"
    right, part = Right.SCORE, "runs"
    command, deed = "import_scores", Deed.SCORES_IMPORTED
    page = "runs"
    noun = "score"
    says = "Each file becomes an imported run. All or nothing; existing runs do not change."
    files_help = f"{names()} or a tool’s export, such as lm-eval samples. You can choose several files."
    source_required = True
    only_help = "For exports of other tools. For example filter=strict-match."
    format_label = "Format of a paper"
    format_help = "A paper’s file names give model, metric and columns."
    more_formats = [(key, one.source) for key, one in NAMINGS.items()]
    may_lack_header = True
    no_label = "as in the file"

    def columns(self, study: Study) -> Sequence[Column]:
        return COLUMNS

    def further_columns(self, study: Study) -> Sequence[Column]:
        """A number and a rank for each option, in context and, where items have a slot, in the neutral one."""
        contexts = [("", "")]
        if study.task.options_from != "item" or study.items.filter(content__has_key="sentence").exists():
            contexts.append((f"{NEUTRAL}.", ", neutral context"))
        return [
            Column(name=f"{before}{kind}.{option}", label=f"{word} of “{option}”{context}")
            for option in options_of(study)
            for before, context in contexts
            for kind, word in ((NUMBER, "Score"), (RANK, "Rank"))
        ]

    def guess(self, head: Head, study: Study) -> dict[str, str]:
        """As the reader does by itself; the item's column also by its values, which are ids of items."""
        own = _own(head, "id")
        if "item" not in own:
            if by_values := next((one for one in head.columns if are_items(head.values(one), study)), ""):
                return {what: column for what, column in own.items() if column != by_values} | {"item": by_values}
            if "text" in (by_text := _own(head, "text")):
                return by_text
        return own

    def asks(self, head: Head, study: Study, guessed: Mapping[str, str]) -> dict[str, forms.Field]:
        return {
            "name": forms.CharField(
                label="Model",
                required=False,
                max_length=LONGEST_NAME,
                help_text="For example BERT-large. Empty: the file name.",
            ),
            "metric": forms.CharField(
                label="Metric",
                required=False,
                max_length=LONGEST_METRIC,
                help_text="For example sentence-PLL. Empty: score.",
            ),
            "family": forms.ChoiceField(
                label="Kind of model", choices=LanguageModel.Family.choices, initial=LanguageModel.Family.OTHER
            ),
            "lower_is_better": forms.BooleanField(label="Lower scores are better", required=False),
            "measured": forms.ChoiceField(
                label="Scores are",
                choices=[(LOGPROB, "log-probabilities"), (PROB, "probabilities"), (SCORE, "other scores")],
                initial=LOGPROB,
                help_text="For options with their own columns.",
            ),
            "length_normalized": forms.BooleanField(
                label="Normalize log-probabilities by length",
                required=False,
                help_text="Per character, as lm-eval’s acc_norm. Otherwise acc.",
            ),
            "ranks_from": forms.TypedChoiceField(
                label="Best rank", choices=[(1, "1"), (0, "0")], coerce=int, initial=1
            ),
            "skip_unknown": forms.BooleanField(label="Leave out rows without a matching item", required=False),
        }

    def labeled(self, chosen: Mapping[str, str], each: Sequence[str]) -> list[str]:
        return [chosen[LABEL]] if LABEL in chosen else []

    def words(self, found: Sequence[str], study: Study) -> list[str]:
        """Those that the scale does not read by itself; none where there are too many to be words for labels."""
        unread = [word for word in found if study.task.scale.meant(word) is None]
        return unread if len(unread) <= MOST_WORDS else []

    def faults(self, given: Mapping[str, Any], head: Head, study: Study) -> list[tuple[str, str]]:
        found = []
        columns = given["columns"]
        if "item" in columns and "text" in columns:
            found.append(("text", "Choose either the item or the sentence column."))
        try:
            reading_of(None, head.name, score_options({**given, "header": head.how.header, "only": {}}))
        except MapError as error:
            found.append(("columns" if given.get("typed", {}).get("columns") else "", str(error)))
        try:
            refuse_names(Stated(given["name"] or "file", given["metric"], "source", given["family"]), head.name)
        except NamesRefused as error:
            found.append(("", str(error)))
        return found

    def given(self, given: dict[str, Any], head: Head, study: Study) -> dict[str, Any]:
        """No columns where they are those that the reader takes by itself, of each file; no words that are read."""
        columns = {_measured(what, given["measured"]): column for what, column in given["columns"].items()}
        by: By = "text" if "text" in columns and "item" not in columns else "id"
        own = _own(head, by)
        meanings = {word: label for word, label in given["meanings"].items() if label}
        is_own = columns == own and KEYS[by] in own
        return given | {
            "by": by,
            "columns": {} if is_own else columns,
            "metric": given["metric"] or SCORE,
            "meanings": meanings,
        }

    def bring(self, job: Job, watched: JobProgress) -> None:
        """Each file becomes its run, or is refused whole; the others stay. JobRefused where all of them are."""
        assert job.study is not None, "scores go into a study"
        paths = paths_of(job, self.key)
        done: list[FileDone] = []

        def told(step: str, count: int, of: int, unit: str) -> None:
            """Of the file that is being read."""
            place = f", file {len(done) + 1:,} of {len(paths):,}" if len(paths) > 1 else ""
            watched.report(f"{step}: {paths[len(done)].name}{place}", count, of, unit)

        says, by = says_of(job), job.owner.get_username()
        told("opening the file", 0, 0, "")
        for one in import_files([job.study], paths, says, note=job.given["source"], imported_by=by, on_progress=told):
            done.append(one)
            if len(done) < len(paths):
                told("opening the file", 0, 0, "")
        watched.report("all files are read", len(done), len(paths), "files")
        if all(one.imported is None for one in done):
            raise _refused(done)
        with transaction.atomic():
            watched.finish([_line(one) for one in done])
        drop(job)


def options_of(study: Study) -> list[str]:
    """What the options of its items are called, and its labels."""
    names: dict[str, None] = {}
    content = study.items.filter(kind=Item.Kind.TARGET).order_by("position").values_list("content", flat=True).first()
    shapes: tuple[Shape, ...] = ("sentence", "cloze")
    for shape in shapes if content is not None else ():
        try:
            names |= dict.fromkeys(option_names(study.task, content, shape))
        except Unscorable:
            continue
    return [*(names | dict.fromkeys(study.task.scale.values))]


def _measured(what: str, kind: str) -> str:
    """`prob.negation` of the field `number.negation`, where numbers are probabilities."""
    before = f"{NEUTRAL}." if what.startswith(f"{NEUTRAL}.") else ""
    rest = what.removeprefix(before)
    return f"{before}{kind}.{rest.removeprefix(f'{NUMBER}.')}" if rest.startswith(f"{NUMBER}.") else what


def _own(head: Head, by: By) -> dict[str, str]:
    """The columns that the reader takes by itself, as far as they are there."""
    try:
        found = dict(reading(ScoreOptions(by=by, how=head.how), names=head.names).columns)
    except MapError:
        return {}
    return {what: column for what, column in found.items() if column in head.names}


def says_of(job: Job) -> Says:
    """What each file is, and what is read of it: by a paper's names of files, or as was said of all of them."""
    given = job.given
    if job.key in NAMINGS:
        return lambda path: (NAMINGS[job.key].read(path), path.read_bytes())

    def said(path: Path) -> tuple[NamedRun, bytes | Records]:
        of_tool = "" if job.key == SEEN else job.key
        read, how = open_scores(path, score_options(given), format=of_tool, apart=True, is_mapped=False)
        return NamedRun(given["name"] or path.stem, given["metric"], given["family"], how), read

    return said


def score_options(given: Mapping[str, Any]) -> ScoreOptions:
    """What was said of a job's files; MapError."""
    return ScoreOptions(
        pairs=[*given["columns"].items()],
        by=given["by"],
        how=how_of(given),
        only=given["only"],
        meanings=given["meanings"],
        **{name: given[name] for name in SETTINGS},
    )


def _refused(done: Sequence[FileDone]) -> JobRefused:
    """Of one file, its faults by line and field; of several, what is wrong with each."""
    if len(done) == 1 and done[0].faults:
        count = len(done[0].faults)
        said = f"{done[0].path.name}: {count} {'problem' if count == 1 else 'problems'}; nothing was imported."
        return JobRefused(said, file=done[0].path.name, faults=done[0].faults)
    if len(done) == 1:
        return JobRefused(_without_path(done[0]))
    faults = [Fault("", _without_path(one)) for one in done]
    return JobRefused(f"All {len(done)} files were refused. Nothing was imported.", faults=faults)


def _line(one: FileDone) -> str:
    return f"{one.path.name}: {one.imported}" if one.imported is not None else f"refused: {_without_path(one)}"


def _without_path(one: FileDone) -> str:
    """Why it was refused, with its name and without the server's folder."""
    return one.refused.replace(str(one.path), one.path.name, 1)
