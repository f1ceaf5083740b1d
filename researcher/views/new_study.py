"""Making a study in the browser: the first page takes the file, the second asks which columns are what and makes it.

What they show and make is researcher/new_study/'s.
"""

from collections.abc import Callable
from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from annotation.loading import LoadRefused
from annotation.views.markdown import rendered
from corpus.errors import FAULTS_SHOWN, SourceError
from corpus.tables.opening import How
from researcher.forms import FolderForm
from researcher.imports.written_by import ReadingForm
from researcher.new_study.columns_form import ColumnsForm, free_slug
from researcher.new_study.making import Refused, first_item, make_study, noticed, refused_rows
from researcher.new_study.start_form import StartForm, kinds
from researcher.new_study.uploads import Upload, find_upload, receive
from stimuli.datasets.table.rows import Table
from stimuli.making.study_folder import FolderRefused

ROWS_SHOWN = 5


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """POST takes the file in, and leads on to its columns; of one that cannot be read, nothing is kept."""
    form = StartForm(request.POST, request.FILES) if request.method == "POST" else StartForm()
    faults = []
    if form.is_bound and form.is_valid():
        name, pieces = form.source
        try:
            said = form.cleaned_data
            upload = receive(
                request.user.pk or 0,
                name=name,
                pieces=pieces,
                task=said["task"],
                format=said["format"],
                encoding=said["encoding"] if said["file"] else "",
            )
        except SourceError as error:
            faults = error.faults
            form.ask_encoding()
        else:
            return redirect("new_study_columns", upload.token)
    context = {
        "form": form,
        "kinds": kinds(),
        "folder_form": FolderForm(),
        "faults": faults[:FAULTS_SHOWN],
        "count": len(faults),
    }
    return render(request, "researcher/new_study/start.html", context, status=422 if form.errors or faults else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: HttpRequest, token: str) -> HttpResponse:
    """The first rows, and what is guessed of them; by POST the first item as it would be, or the study."""
    assert isinstance(request.user, User), "nobody comes here without a login"
    try:
        upload = find_upload(request.user.pk, token)
    except LookupError:
        raise Http404("This upload is not there any more. Files are kept for a day until a study is made.") from None
    if "read" in request.POST:
        return read_again(request, reading_form(request.POST, upload), upload.read)
    sent = request.POST if request.method == "POST" else QueryDict(upload.choices) if upload.choices else None
    table = upload.table()
    form = ColumnsForm(sent, table=table, task=upload.task, name=upload.name)
    if request.method == "POST":
        upload.keep_choices(request.POST.urlencode())
    is_sent = request.method == "POST" and "show" not in request.POST
    refused = Refused()
    if is_sent and form.is_valid():
        refused = _refused(request, upload, form, request.user)
        if not refused.faults and not form.errors:
            upload.drop()
            return redirect("setup", form.asked.slug)
    context = about(upload, table, form) | refused.context() | {"is_sent": is_sent}
    is_wrong = is_sent and (form.errors or refused.faults)
    return render(request, "researcher/new_study/columns.html", context, status=422 if is_wrong else 200)


def about(upload: Upload, table: Table, form: ColumnsForm) -> dict[str, object]:
    return {
        "form": form,
        "upload": upload,
        "table": table,
        "reading": reading_form(None, upload),
        "rows": [(row.where, [row.values.get(column) for column in form.columns]) for row in table.rows[:ROWS_SHOWN]],
        "count": len(table.rows),
        "first": first_item(table, form.asked),
        "noticed": noticed(table, form.asked),
        "instructions": rendered(form.asked.instructions),
    }


def reading_form(data: QueryDict | None, upload: Upload) -> ReadingForm:
    table = upload.table()
    how = replace(upload.how, encoding=table.encoding, sheet=table.sheet)
    return ReadingForm(data, how=how, sheets=table.sheets, may_lack_header=bool(table.columns))


def read_again(request: HttpRequest, form: ReadingForm, read: Callable[[How], object]) -> HttpResponse:
    """Read the file with another encoding or sheet; where that cannot be, it stays as it is read."""
    if form.is_valid():
        try:
            read(form.how)
        except SourceError as error:
            messages.error(request, f"The file cannot be read so: {error.faults[0].field} {error.faults[0].message}.")
    return redirect(request.path)


def _refused(request: HttpRequest, upload: Upload, form: ColumnsForm, owner: User) -> Refused:
    """Make the study, or say what is wrong with its rows; what is wrong with its name stands beside that field."""
    try:
        study = make_study(upload, form.asked, owner=owner)
    except SourceError as error:
        return refused_rows(upload.table(), form, error)
    except (LoadRefused, FolderRefused) as error:
        free = free_slug(form.asked.slug)
        said = f"{form.asked.slug} cannot be the name of a study of yours. Choose another, such as {free}."
        form.add_error("slug", str(error) if free == form.asked.slug else said)
        return Refused()
    items = study.items.count()
    known = study.items.exclude(reference=None).count()
    answers = f" {known:,} of {items:,} have a right answer." if "reference" in form.asked.columns.fields else ""
    is_made = f"{study.title} is made, with {items:,} item{'' if items == 1 else 's'}. It is a draft."
    messages.success(request, f"{is_made}{answers}")
    return Refused()
