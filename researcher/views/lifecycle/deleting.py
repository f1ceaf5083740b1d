"""Deleting a study: what will be lost, and its name to type."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access.matrix import Right
from annotation.lifecycle.deleting import CannotDelete
from researcher.deleting.asking import all_lost, ask_for_the_rest, begin
from researcher.forms import Typed
from researcher.views.found import found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.OWN)
    form = Typed(request.POST or None, word=study.slug)
    if request.method == "POST" and form.is_valid():
        try:
            gone = begin(study)
        except CannotDelete as refused:
            form.add_error("typed", str(refused))
        else:
            if ask_for_the_rest(gone):
                messages.success(request, f"{study.title} is deleted.")
            else:
                said = "The queue does not answer: its rows go once the worker's server is running."
                messages.warning(request, f"{study.title} is out of sight. {said}")
            return redirect("studies")
    context = {"study": study, "form": form, "lost": all_lost(study)}
    return render(request, "researcher/studies/delete.html", context, status=422 if form.is_bound else 200)
