"""The first page of a new study."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from corpus.errors import FAULTS_SHOWN, SourceError
from researcher.forms import FolderForm
from researcher.new_study.pictures import kinds
from researcher.new_study.start_form import StartForm
from researcher.new_study.uploads import receive


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
