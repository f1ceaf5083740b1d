"""A study's data set as one zip file: of a small study at once, of a large one by a worker, as other long exports."""

import tempfile
from pathlib import Path

from django.conf import settings

from annotation.models import Study
from comparison.exported.downloads import Download, forget_old
from comparison.frame import selected
from comparison.frame.cache.computing import Computing, WorkerTask, start
from comparison.frame.cache.gathered import Gathered, read_one

DATASET = WorkerTask(name="data set", is_errand=True)


def read_dataset(study: Study) -> Download:
    """The file of the data as they are; else who is at it. CannotExport where there is no item."""
    gathered = read_one(study)
    path = _path(study, gathered)
    if path.is_file():
        return Download(path)
    if gathered.answers <= selected.QUICK:
        return Download(make_dataset(study))
    computing = making_of(study)
    start(computing, DATASET, study.pk)
    return Download(None, computing.progress())


def make_dataset(study: Study) -> Path:
    """Write it, in the parts that the command makes unless told otherwise. CannotExport as there."""
    # Here and not above: pyarrow, which a web process does without until somebody asks for a file.
    from comparison.bundle.archive import write_zip
    from comparison.dataset.card import DatasetOptions
    from comparison.dataset.making import make

    path = _path(study, read_one(study))
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two may be at it at once; what both put in place is the same.
    with tempfile.TemporaryDirectory(prefix=f".{study.slug}-", dir=path.parent) as holder:
        folder, scratch = Path(holder) / "dataset", Path(holder) / "dataset.zip"
        folder.mkdir()
        make(study, folder, DatasetOptions())
        write_zip(folder, scratch, top=file_name(study))
        scratch.replace(path)
    forget_old(path.parent)
    return path


def file_name(study: Study) -> str:
    """What it is called outside the house, without its ending."""
    return f"{study.slug}{'-synthetic' if study.people.are_synthetic else ''}-dataset"


def making_of(study: Study) -> Computing:
    """How far it is: of the whole study, whatever the filters."""
    return Computing(study.pk, "dataset", "")


def _path(study: Study, gathered: Gathered) -> Path:
    return settings.VAR_DIR / "exports" / f"{study.slug}-dataset-{gathered.version}.zip"
