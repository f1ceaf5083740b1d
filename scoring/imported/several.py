"""A folder of score files becomes runs, file by file: one that is refused leaves nothing behind, the others stay."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from django.db.models import QuerySet

from annotation.models import Item, Study
from annotation.tasktypes.contract import Sentence, Unscorable
from corpus.errors import Fault
from corpus.formats.reading import Records
from corpus.tables.columns import MapError
from corpus.workplace import OnProgress, no_progress
from scoring.imported.importing import Imported, ImportRefused, Stated, import_scores
from scoring.imported.lines import ScoreFile, ScoreFileError, bare, read_scores
from scoring.imported.naming import NamedRun, NotNamed
from scoring.imported.reading import Reading

# What a file of the folder is said to be, and what is read of it; NotNamed, MapError where nothing can be said.
Says = Callable[[Path], tuple[NamedRun, bytes | Records]]


@dataclass(frozen=True, slots=True)
class FileDone:
    """What became of one file: `imported` into `study`, or why it was refused: `faults` by line and field."""

    path: Path
    study: Study | None = None
    imported: Imported | None = None
    refused: str = ""
    faults: Sequence[Fault] = ()


def score_files(folder: Path) -> list[Path]:
    """The files below a folder, sorted; hidden ones are none of it."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]


def import_files(
    studies: Sequence[Study],
    paths: Sequence[Path],
    says: Says,
    *,
    note: str,
    imported_by: str = "",
    on_progress: OnProgress = no_progress,
) -> Iterator[FileDone]:
    """Import each file into its study, and say one by one what became of it; `on_progress` is called within each."""
    targets = [_Targets(study) for study in studies]
    for path in paths:
        try:
            named_run, data = says(path)
            study = _whose(targets, data, named_run.reading, path.name)
            stated = Stated(named_run.model, named_run.metric, note, named_run.family, imported_by)
            imported = import_scores(
                study, data, name=path.name, stated=stated, reading=named_run.reading, on_progress=on_progress
            )
        except OSError as error:
            yield FileDone(path, refused=f"{path}: cannot be read: {error.strerror}")
        except NotNamed as error:
            yield FileDone(path, refused=f"{path}: {error}")
        except ScoreFileError as error:
            yield FileDone(path, refused=f"{path}: {error}", faults=error.faults)
        except (ImportRefused, MapError) as error:
            yield FileDone(path, refused=f"{path}: {error}")
        else:
            yield FileDone(path, study, imported)


@dataclass
class _Targets:
    """What the lines of a file may name in a study."""

    study: Study

    @cached_property
    def ids(self) -> set[str]:
        return set(self._items.values_list("external_id", flat=True))

    @cached_property
    def texts(self) -> set[str]:
        task, texts = self.study.task, set[str]()
        for content in self._items.values_list("content", flat=True).iterator():
            try:
                requests = task.requests(content, "sentence")
            except Unscorable:
                continue
            texts |= {bare(one.text) for one in requests if isinstance(one, Sentence)}
        return texts

    @property
    def _items(self) -> QuerySet[Item]:
        return self.study.items.filter(kind=Item.Kind.TARGET)

    def named_in(self, file: ScoreFile, reading: Reading) -> int:
        """How many of the file's lines are about this study."""
        return len(file.lines.keys() & (self.texts if reading.by == "text" else self.ids))


def _whose(targets: Sequence[_Targets], data: bytes | Records, reading: Reading, name: str) -> Study:
    """The study that most of the file's lines are about, the earlier if two have as many."""
    if len(targets) == 1:
        return targets[0].study
    scales = [one.study.task.scale for one in targets]

    def meanings(text: str) -> Sequence[str]:
        return next(filter(None, (scale.meanings(text) for scale in scales)), ())

    labels = [label for scale in scales for label in scale.values]
    file = read_scores(data, reading, name=name, labels=labels, meanings=meanings)
    return max(targets, key=lambda one: one.named_in(file, reading)).study
