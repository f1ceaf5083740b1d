"""The list of ids that may not begin in a study: taking one in, and forgetting it."""

from pathlib import Path

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from annotation.access.matrix import Right
from annotation.arrival.repeats import IdsFileError, bar, clear
from researcher.forms import BarredForm
from researcher.views.found import found
from researcher.views.study_page import redirect_to, show_study


@require_POST
def bar_ids(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    form = BarredForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            done = bar(study, file.read(), Path(file.name))
        except IdsFileError as error:
            form.add_error("file", str(error))
        else:
            messages.success(request, f"{done}. The file itself is not kept.")
            return redirect_to(slug, "repeats")
    return show_study(request, study, barred_form=form, status=422)


@require_POST
def clear_ids(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    messages.success(request, f"The list is empty; it had {clear(study):,} ids.")
    return redirect_to(slug, "repeats")
