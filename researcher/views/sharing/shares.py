"""The links by which a study's results are shared: making one, which is shown once, and ending it."""

from dataclasses import replace
from urllib.parse import parse_qs

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.sharing import ShareRefused, end_share, make_share
from annotation.models import Study
from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.filters.selection import ANONYMOUS, Selection
from researcher.forms import ShareForm
from researcher.studies.shown import read_shown
from researcher.views.found import found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def shares(request: HttpRequest, slug: str) -> HttpResponse:
    """GET lists them, with a form for one more of the filters in the address; POST makes it and shows its link."""
    study = found(request, slug, Right.EDIT)
    form = ShareForm(request.POST if request.method == "POST" else None, initial={"query": request.GET.urlencode()})
    selection = _selection(study, form)
    token = ""
    if form.is_bound and form.is_valid() and selection is not None:
        token = _made(request, study, form, selection)
    lines = [(share, share.is_open(now())) for share in study.shares.select_related("by")]
    context = {
        "study": study,
        "form": ShareForm(initial={"query": form["query"].value()}) if token else form,
        "words": selection.words() if selection is not None and selection.narrows else "",
        "lines": lines,
        "link": request.build_absolute_uri(reverse("shared", args=[token])) if token else "",
    }
    status = 201 if token else 422 if form.is_bound else 200
    return render(request, "researcher/sharing/shares.html", context, status=status)


@require_POST
def end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    share = get_object_or_404(study.shares, pk=pk)
    if end_share(share):
        messages.success(request, f"The link “{share.name}” shows nothing any more.")
    else:
        messages.info(request, f"The link “{share.name}” had ended before.")
    return redirect("shares", slug)


def _selection(study: Study, form: ShareForm) -> Selection | None:
    """What would be shared; None, said in the form, where the filters are none of this study."""
    query = str(form["query"].value() or "")
    try:
        asked = replace(read_selection(parse_qs(query)), assessors=(), anonymous=ANONYMOUS, page=1)
        read_shown(study, asked, "overview")
    except (SelectionError, ValueError) as error:
        if form.is_bound:
            form.add_error(None, f"These filters cannot be shared: {error}")
        return None
    return asked


def _made(request: HttpRequest, study: Study, form: ShareForm, selection: Selection) -> str:
    """The token of the new link; empty where there are too many."""
    assert isinstance(request.user, User), "the page asks for a login"
    said = form.cleaned_data
    # Without what the reader's own page has: it is put in when the link is opened.
    query = replace(selection, anonymous="").query()
    try:
        _, token = make_share(
            study,
            name=said["name"].strip(),
            query=query,
            gives_files=said["gives_files"],
            expires_at=said["expires_at"],
            by=request.user,
        )
    except ShareRefused as refused:
        form.add_error(None, str(refused))
        return ""
    return token
