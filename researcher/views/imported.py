"""Bringing scores that were computed elsewhere, and removing them again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from annotation.access.matrix import Right
from corpus.tables.columns import MapError
from researcher.score_form import ScoreForm
from researcher.views.found import found
from researcher.views.runs import show_runs
from scoring.imported.lines import ScoreFileError
from scoring.imported.storing import ImportRefused, import_scores, remove_run
from scoring.models import Run


@require_POST
def scores_import(request: HttpRequest, slug: str) -> HttpResponse:
    """A file that is refused leaves nothing behind, and its form is shown again with the reason."""
    study = found(request, slug, Right.SCORE)
    form = ScoreForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        stated = form.stated(imported_by=request.user.get_username())
        try:
            said = form.cleaned_data
            done = import_scores(study, said["read"], name=file.name, stated=stated, reading=said["reading"])
        except ScoreFileError as error:
            form.add_error("file", str(error))
        except MapError as error:
            form.add_error("columns", str(error))
        except ImportRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{done}.")
            return redirect("runs", slug)
    return show_runs(request, study, score_form=form, status=422)


@require_POST
def run_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study = found(request, slug, Right.SCORE)
    run = get_object_or_404(Run.objects.select_related("model"), pk=pk, study=study)
    name = str(run)
    try:
        count = remove_run(run)
    except ImportRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{name} is removed, with {count:,} scores. Its file can be imported again.")
    return redirect("runs", slug)
