"""A study as the folder that makes it again: downloaded, uploaded, and copied to another name."""

import tempfile

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.label_import import ImportRefused
from annotation.lifecycle.folder import duplicate, load_zip, study_hash, write_folder
from annotation.loading import LoadRefused
from annotation.studyfile import StudyFileError
from corpus.errors import FAULTS_SHOWN, SourceError
from researcher.forms import DuplicateForm, FolderForm
from researcher.new_study.pictures import kinds
from researcher.new_study.start_form import StartForm
from researcher.setup.overview import read_overview
from researcher.views.found import found
from researcher.views.setup.parts import shared
from researcher.views.sharing.sent import sent

# Larger ones go through a file on disk.
IN_MEMORY = 10 * 1024 * 1024


@require_safe
def download(request: HttpRequest, slug: str) -> FileResponse:
    study = found(request, slug, Right.EDIT)
    # The response closes it, once it is sent.
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
    write_folder(study, file)
    file.seek(0)
    sent(request, study, "folder of the study")
    return FileResponse(file, as_attachment=True, filename=f"{study.slug}.zip")


@require_safe
def hashed(request: HttpRequest, slug: str) -> HttpResponse:
    """The hash by which the folder is known, as `load_study` says it."""
    study = found(request, slug, Right.EDIT)
    return HttpResponse(f"{study_hash(study)}  {study.slug}\n", content_type="text/plain; charset=utf-8")


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """The study of the folder, or what is wrong with it. One's own study of that name becomes what the folder says."""
    assert isinstance(request.user, User), "nobody comes here without a login"
    form, faults = FolderForm(request.POST, request.FILES), []
    if form.is_valid():
        file = form.cleaned_data["folder"]
        mine = studies_for(request.user, Right.EDIT)
        try:
            loaded = load_zip(file, name=file.name, owner=request.user, among=mine)
        except SourceError as error:
            faults = error.faults
        except (LoadRefused, ImportRefused) as error:
            form.add_error("folder", str(error))
        else:
            messages.success(request, f"{loaded}.")
            return redirect("setup", loaded.study.slug)
    context = {"form": StartForm(), "kinds": kinds(), "folder_form": form}
    context |= {"faults": faults[:FAULTS_SHOWN], "count": len(faults)}
    return render(request, "researcher/new_study/start.html", context, status=422)


@require_POST
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    assert isinstance(request.user, User), "nobody comes here without a login"
    study = found(request, slug, Right.EDIT)
    form = DuplicateForm(request.POST)
    if form.is_valid():
        said = form.cleaned_data
        try:
            made = duplicate(study, slug=said["slug"], title=said["title"], owner=request.user)
        except LoadRefused as error:
            form.add_error("slug", str(error))
        except StudyFileError as error:
            for fault in error.faults:
                form.add_error(None, f"{fault.field}: {fault.message}.")
        else:
            messages.success(request, f"{made.title} is a draft with the items and the setup of {study.title}.")
            return redirect("setup", made.slug)
    context = shared(study) | {"overview": read_overview(study), "duplicate": form}
    return render(request, "researcher/setup/overview.html", context, status=422)
