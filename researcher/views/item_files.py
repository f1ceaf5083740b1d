"""Items in a file, for a new study or one in its setup: a page takes the file, a second asks which columns are what.

What they show and make is researcher/new_study/'s and, where the study is there, researcher/drafting/'s.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access.matrix import Right
from annotation.drafting.items import DraftRefused
from annotation.loading import LoadRefused
from annotation.models import Study
from annotation.tasktypes import TASK_TYPES
from annotation.views.wording import rendered
from corpus.errors import FAULTS_SHOWN, Fault, SourceError
from corpus.tables.opening import How
from researcher.drafting.columns_form import form_of, store
from researcher.forms import FolderForm
from researcher.imports.head import how_of
from researcher.imports.registry import columns_address
from researcher.imports.written_by import ReadingForm
from researcher.jobs.folder import folder_of
from researcher.jobs.starting import UNREAD, WAITING, TooMany, read_or_let_read
from researcher.jobs.watched import cannot_be_read
from researcher.models import Job
from researcher.new_study.columns_form import ColumnsForm, free_slug
from researcher.new_study.making import (
    Refused,
    ask_about,
    item_at,
    looked_through,
    noticed,
    read_as,
    read_made,
    refused_before,
    refused_rows,
    rows_shown,
    table_of,
    take_in,
)
from researcher.new_study.start_form import StartForm, kinds
from researcher.views.jobs import started
from researcher.views.setup.parts import shared
from researcher.views.study_of import get_study_or_404, study_form, study_page, user_of
from stimuli.datasets.table.rows import Table
from stimuli.making.study_folder import FolderRefused

PART = "item-list"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_study(request: HttpRequest) -> HttpResponse:
    return _file(request, "researcher/new_study/start.html", {"folder_form": FolderForm()})


@study_form(Right.EDIT)
def more_items(request: HttpRequest, study: Study) -> HttpResponse:
    context = shared(study) | {"part": PART}
    return _file(request, "researcher/drafting/file.html", context, study=study)


def _file(
    request: HttpRequest, template: str, context: dict[str, object], *, study: Study | None = None
) -> HttpResponse:
    """POST takes the file in, and leads on to its columns; of one that cannot be read, nothing is kept."""
    form = StartForm(request.POST, request.FILES) if request.method == "POST" else StartForm()
    faults: list[Fault] = []
    if form.is_bound and form.is_valid():
        try:
            job = take_in(form, owner=user_of(request), study=study)
            return started(request, job) if UNREAD in job.given else redirect(columns_address(job))
        except TooMany as error:
            form.add_error(None, str(error))
        except SourceError as error:
            faults = error.faults
            form.ask_encoding()
    context |= {"form": form, "faults": faults[:FAULTS_SHOWN], "faults_count": len(faults)}
    return render(request, template, context, status=422 if form.errors or faults else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: HttpRequest, pk: int, slug: str = "") -> HttpResponse:
    """The first rows, and what is guessed of them; by POST an item as it would be, or what is made of all."""
    mine = Job.objects.filter(owner=request.user.pk, kind=Job.Kind.ITEMS, state__in=WAITING)
    job = get_object_or_404(mine, pk=pk, study__slug=slug or None)
    if UNREAD in job.given:
        return redirect("job", job.pk)
    if not folder_of(job).is_dir():
        raise Http404("This file was deleted after a day. Send it again.")
    context = shared(get_study_or_404(request, slug, Right.EDIT)) | {"part": PART} if slug else {"kinds": kinds()}
    tell_unread(request, job)
    table = table_of(job)
    if "read" in request.POST or request.POST.get("sheet", table.sheet) != table.sheet:
        return read_again(request, job, _reading(request.POST, job, table), partial(read_as, job))
    is_sent = request.method == "POST" and not {"show", "at"} & request.POST.keys()
    if _asks_otherwise(request, job):
        is_sent = False
    form = form_of(job, table)
    refused = Refused()
    if is_sent and form.is_valid():
        if table.beyond:
            return started(request, job)
        refused, made = _make_or_refuse(request, job, table, form)
        if made:
            return redirect(made)
    is_wrong = is_sent and bool(form.errors or refused.faults)
    if not refused.faults:
        refused = refused_before(job, form) or looked_through(table, form)
    context |= _shown(request, job, table, form, refused) | {"is_sent": is_sent}
    template = f"researcher/{'drafting' if slug else 'new_study'}/columns.html"
    return render(request, template, context | refused.context(), status=422 if is_wrong else 200)


def _asks_otherwise(request: HttpRequest, job: Job) -> bool:
    """Keep what was chosen of its columns for a return to the page; whether another task type was chosen."""
    if request.method != "POST":
        return False
    job.given["chosen"] = request.POST.urlencode()
    task = request.POST.get("task", "")
    is_other = job.study is None and task in TASK_TYPES and task != job.given["task"]
    ask_about(job, task) if is_other else job.keep_given()
    return is_other


def _shown(request: HttpRequest, job: Job, table: Table, form: ColumnsForm, refused: Refused) -> dict[str, object]:
    at, found = request.POST.get("at", ""), noticed(table, form.asked)
    return {
        "form": form,
        "name": job.files[0]["name"],
        "table": table,
        "sheet_is_guess": not how_of(job.given).sheet,
        "reading": _reading(None, job, table),
        "rows": rows_shown(table, form.columns, refused),
        "count": table.count,
        "item": item_at(table, form.asked, int(at) if at.isascii() and at.isdecimal() and len(at) < 9 else 1),
        "noticed": [*table.remarks, *found.remarks],
        "repeated": found.repeated,
        "instructions": rendered(form.asked.instructions),
    }


def _reading(data: QueryDict | None, job: Job, table: Table) -> ReadingForm:
    how = replace(how_of(job.given), encoding=table.encoding, sheet=table.sheet, delimiter=table.delimiter)
    return ReadingForm(
        data, how=how, sheets=table.sheets, may_lack_header=bool(table.columns), is_parted=bool(table.delimiter)
    )


def read_again(request: HttpRequest, job: Job, form: ReadingForm, read: Callable[[How], object]) -> HttpResponse:
    """Read the file with another encoding or sheet, or let a worker; where that cannot be, it stays as it is read."""
    if form.is_valid():
        try:
            read_or_let_read(job, partial(read, form.how), before=job.given)
        except SourceError as error:
            messages.error(request, cannot_be_read(error.faults))
        except TooMany as error:
            messages.error(request, str(error))
    return started(request, job) if UNREAD in job.given else redirect(request.path)


def tell_unread(request: HttpRequest, job: Job) -> None:
    """Why a worker has not read the file as was asked last: once, as a page says it that reads by itself."""
    if request.method == "GET" and job.state == Job.State.PREPARED and job.error:
        messages.error(request, job.error)
        job.error = ""
        job.save(update_fields=["error"])


def _make_or_refuse(request: HttpRequest, job: Job, table: Table, form: ColumnsForm) -> tuple[Refused, str]:
    """Make the study or add the items, and where to go then; or say what is wrong with the rows or a field."""
    try:
        made = store(job, table, form)
        if isinstance(made, Study):
            return Refused(), reverse("new_study_done", args=[made.slug])
        messages.success(request, f"{made:,} item{'' if made == 1 else 's'} added.")
        return Refused(), reverse("items", args=[job.study.slug if job.study else ""])
    except SourceError as error:
        return refused_rows(form, error), ""
    except DraftRefused as refused:
        form.add_error(None, str(refused))
        return Refused(refused.faults), ""
    except (LoadRefused, FolderRefused) as error:
        free = free_slug(form.asked.slug)
        said = f"The URL name {form.asked.slug} is not available. Choose another, such as {free}."
        form.add_error("slug", str(error) if free == form.asked.slug else said)
    return Refused(), ""


@never_cache
@study_page(Right.EDIT)
def done(request: HttpRequest, study: Study) -> HttpResponse:
    """What was made of the file, and what is next."""
    return render(request, "researcher/new_study/done.html", {"study": study, "made": read_made(study)})
