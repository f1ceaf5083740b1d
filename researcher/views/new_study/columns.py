"""The second page of a new study, which makes it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from annotation.loading import LoadRefused
from annotation.views.markdown import rendered
from corpus.errors import FAULTS_SHOWN, Fault, SourceError
from researcher.new_study.columns_form import ColumnsForm
from researcher.new_study.making import first_item, in_words, make_study
from researcher.new_study.naming import free_slug
from researcher.new_study.uploads import Upload, find_upload
from stimuli.making.study_folder import FolderRefused

ROWS_SHOWN = 5


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: HttpRequest, token: str) -> HttpResponse:
    """The first rows, and what is guessed of them; by POST the first item as it would be, or the study."""
    assert isinstance(request.user, User), "nobody comes here without a login"
    try:
        upload = find_upload(request.user.pk, token)
    except LookupError:
        raise Http404("This upload is not there any more. Files are kept for a day until a study is made.") from None
    table = upload.table()
    form = ColumnsForm(
        request.POST if request.method == "POST" else None, table=table, task=upload.task, name=upload.name
    )
    is_sent = form.is_bound and "show" not in request.POST
    faults: list[Fault] = []
    if is_sent and form.is_valid():
        faults = _faults(request, upload, form, request.user)
        if not faults and not form.errors:
            upload.drop()
            return redirect("setup", form.asked.slug)
    context = {
        "form": form,
        "upload": upload,
        "rows": [(row.where, [row.values.get(column) for column in form.columns]) for row in table.rows[:ROWS_SHOWN]],
        "count": len(table.rows),
        "first": first_item(table, form.asked),
        "instructions": rendered(form.asked.instructions),
        "faults": faults[:FAULTS_SHOWN],
        "faults_count": len(faults),
        "is_sent": is_sent,
    }
    refused = is_sent and (form.errors or faults)
    return render(request, "researcher/new_study/columns.html", context, status=422 if refused else 200)


def _faults(request: HttpRequest, upload: Upload, form: ColumnsForm, owner: User) -> list[Fault]:
    """Make the study, or say what is wrong with its rows; what is wrong with its name stands beside that field."""
    try:
        study = make_study(upload, form.asked, owner=owner)
    except SourceError as error:
        return [in_words(fault, form.task) for fault in error.faults]
    except (LoadRefused, FolderRefused) as error:
        free = free_slug(form.asked.slug)
        said = f"{form.asked.slug} cannot be the name of a study of yours. Choose another, such as {free}."
        form.add_error("slug", str(error) if free == form.asked.slug else said)
        return []
    items = study.items.count()
    messages.success(request, f"{study.title} is made, with {items:,} item{'' if items == 1 else 's'}. It is a draft.")
    return []
