"""A worker's part of items in a file that takes longer than a page waits: read, and made or added as its columns' page
said.
"""

from django.http import QueryDict

from annotation.drafting.items import DraftRefused
from annotation.loading import LoadRefused
from annotation.models import Study
from corpus.errors import SourceError
from researcher.drafting.columns_form import MoreColumnsForm, add_rows
from researcher.imports.head import how_of
from researcher.jobs.starting import UNREAD
from researcher.jobs.watched import JobProgress, JobRefused, refused_for
from researcher.models import Job
from researcher.new_study.columns_form import ColumnsForm
from researcher.new_study.making import in_words, keep_faulty, make_study, read_as, require_rows, table_of
from stimuli.datasets.table.rows import Table
from stimuli.making.study_folder import FolderRefused


def form_of(job: Job, table: Table) -> ColumnsForm:
    """What was said of its columns, else a guess."""
    chosen, name = job.given.get("chosen", ""), job.files[0]["name"]
    sent = QueryDict(chosen) if chosen else None
    if job.study is not None:
        return MoreColumnsForm(sent, table=table, study=job.study, name=name)
    return ColumnsForm(sent, table=table, task=job.given["task"], name=name)


def store(job: Job, table: Table, form: ColumnsForm) -> Study | int:
    """The study that is made of all its rows, or how many items are added to the one that is there.

    SourceError with every fault by row and column, StudyFileError, DraftRefused, LoadRefused, FolderRefused.
    """
    if isinstance(form, MoreColumnsForm):
        return add_rows(job, table, form)
    return make_study(job, table, form.asked)


def read_items(job: Job) -> None:
    """SourceError; then it is read as before."""
    read_as(job, how_of(job.given))
    if not job.given[UNREAD]:
        require_rows(job)


def bring_items(job: Job, watched: JobProgress) -> None:
    """JobRefused; nothing is stored then."""
    watched.report("reading the rows")
    table = table_of(job, whole=True)
    form = form_of(job, table_of(job))
    if not form.is_valid():
        raise JobRefused("Something has changed since. Choose the columns again.")
    watched.report(f"checking and storing {table.count:,} rows")
    try:
        store(job, table, form)
    except SourceError as error:
        keep_faulty(job, form, faulty=error.faulty, sound=error.sound)
        raise refused_for(job.files[0]["name"], [in_words(fault, form.task) for fault in error.faults]) from None
    except DraftRefused as refused:
        keep_faulty(job, form)
        raise JobRefused(str(refused), faults=refused.faults) from None
    except (LoadRefused, FolderRefused) as error:
        raise JobRefused(str(error)) from None
