"""A study as a whole: its folder downloaded, uploaded and copied, deleting, status, tags, and how it was made.

The verbs are those of annotation/lifecycle/.
"""

import tempfile

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.elsewhere.label_import import ImportRefused
from annotation.lifecycle import status
from annotation.lifecycle.deleting import CannotDelete
from annotation.lifecycle.folder import duplicate, load_zip, study_hash, write_folder
from annotation.loading import LoadRefused
from annotation.models import Study
from annotation.studyfile import StudyFileError
from corpus.errors import FAULTS_SHOWN, SourceError
from corpus.formats.apart import TakesLonger
from researcher.construction_figures import read_made_page
from researcher.deleting import all_lost, ask_for_the_rest, begin
from researcher.forms import DuplicateForm, FolderForm, Typed
from researcher.jobs.folder import plain
from researcher.jobs.starting import TooMany, prepare_job
from researcher.models import Job
from researcher.new_study.start_form import StartForm
from researcher.views.jobs import started
from researcher.views.sent import record_sent
from researcher.views.setup.parts import show_setup
from researcher.views.study_of import study_form, study_page, study_post, user_of

# Larger ones go through a file on disk.
IN_MEMORY = 10 * 1024 * 1024


@study_page(Right.EDIT)
def download(request: HttpRequest, study: Study) -> FileResponse:
    # The response closes it, once it is sent.
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
    write_folder(study, file)
    file.seek(0)
    record_sent(request, study, "folder of the study")
    return FileResponse(file, as_attachment=True, filename=f"{study.slug}.zip")


@study_page(Right.EDIT)
def hashed(request: HttpRequest, study: Study) -> HttpResponse:
    """The hash by which the folder is known, as `load_study` says it."""
    return HttpResponse(f"{study_hash(study)}  {study.slug}\n", content_type="text/plain; charset=utf-8")


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """The study of the folder, or what is wrong with it. One's own study of that name becomes what the folder says."""
    form, faults = FolderForm(request.POST, request.FILES), []
    if form.is_valid():
        file = form.cleaned_data["folder"]
        mine = studies_for(request.user, Right.EDIT)
        try:
            loaded = load_zip(file, name=file.name, owner=user_of(request), among=mine)
        except TakesLonger:
            if job := _let_load(request, form):
                return started(request, job)
        except SourceError as error:
            faults = error.faults
        except (LoadRefused, ImportRefused) as error:
            form.add_error("folder", str(error))
        else:
            messages.success(request, f"{loaded}.")
            return redirect("setup", loaded.study.slug)
    context: dict[str, object] = {"form": StartForm(), "folder_form": form}
    context |= {"faults": faults[:FAULTS_SHOWN], "faults_count": len(faults)}
    return render(request, "researcher/new_study/start.html", context, status=422)


def _let_load(request: HttpRequest, form: FolderForm) -> Job | None:
    """The job of a folder that takes longer than a page waits; None where the form says why there is none."""
    file, kind = form.cleaned_data["folder"], Job.Kind.FOLDER
    try:
        return prepare_job(kind, plain(file.name)[-40:], owner=user_of(request), given={}, files={kind.value: [file]})
    except TooMany as error:
        form.add_error("folder", str(error))
        return None


@study_post(Right.EDIT)
def copy(request: HttpRequest, study: Study) -> HttpResponse:
    form = DuplicateForm(request.POST)
    if form.is_valid():
        said = form.cleaned_data
        try:
            made = duplicate(study, slug=said["slug"], title=said["title"], owner=user_of(request))
        except LoadRefused as error:
            form.add_error("slug", str(error))
        except StudyFileError as error:
            for fault in error.faults:
                form.add_error(None, f"{fault.said()}.")
        else:
            messages.success(request, f"{made.title} created as a draft, with items and setup of {study.title}.")
            return redirect("setup", made.slug)
    return show_setup(request, study, duplicate=form)


@study_form(Right.OWN)
def delete(request: HttpRequest, study: Study) -> HttpResponse:
    form = Typed(request.POST or None, word=study.slug)
    if request.method == "POST" and form.is_valid():
        try:
            gone = begin(study)
        except CannotDelete as refused:
            form.add_error("typed", str(refused))
        else:
            if ask_for_the_rest(gone):
                messages.success(request, f"{study.title} deleted.")
            else:
                said = "Its data will be deleted when the task queue can be reached."
                messages.warning(request, f"{study.title} hidden. {said}")
            return redirect("studies")
    context = {"study": study, "form": form, "lost": all_lost(study)}
    return render(request, "researcher/studies/delete.html", context, status=422 if form.is_bound else 200)


@study_post(Right.EDIT)
def archive(request: HttpRequest, study: Study) -> HttpResponse:
    try:
        status.archive(study)
    except status.CannotArchive as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{study.title} archived. Show archived studies to find it in the list.")
    return redirect("setup", study.slug)


@study_post(Right.EDIT)
def restore(request: HttpRequest, study: Study) -> HttpResponse:
    status.restore(study)
    messages.success(request, f"{study.title} unarchived.")
    return redirect("setup", study.slug)


@study_post(Right.EDIT)
def tags(request: HttpRequest, study: Study) -> HttpResponse:
    try:
        stored = status.tag(study, request.POST.get("tags", "").split(","))
    except status.TagsRefused as refused:
        messages.error(request, f"Not saved. {refused}")
    else:
        messages.success(request, f"Tags: {', '.join(stored)}." if stored else "The study has no tags.")
    return redirect(f"{reverse('setup', args=[study.slug])}#tags")


@study_page(Right.SEE)
def made(request: HttpRequest, study: Study) -> HttpResponse:
    return render(request, "researcher/made/made.html", {"study": study, "page": read_made_page(study)})
