"""A study's results by a link: made, which shows the link once, ended, and opened without an account.

What is shown is fixed by the share, so that a stranger asks for no figures but those: six parts, and the pages of the
list of items. Every address of a stranger begins at `_shared`, and shows what an analyst would see at most. Templates
know the share as `shared`, and write then no form and no link that leads out of it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from itertools import chain
from urllib.parse import parse_qs

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AnonymousUser
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.http.request import QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from annotation.access.sharing import ShareRefused, end_share, make_share, shared_by
from annotation.arrival.limits import HOUR, count, counted
from annotation.audit.acting import Actor, acting
from annotation.audit.acts import taken_out
from annotation.audit.deeds import Via
from annotation.models import Share, Study
from comparison.exported import read_download
from comparison.exports.cells import lines
from comparison.exports.registry import SHARED, export, wanted
from comparison.figures.file import File
from comparison.frame.cache.gathered import read_one
from comparison.frame.filters.address import LONGEST_PAGE, SelectionError, read_selection
from comparison.frame.filters.selection import ANONYMOUS, Selection
from comparison.page.item_table import PAGE
from researcher.forms import ShareForm
from researcher.studies.current_figures import read_shown_part
from researcher.views.comparison import (
    PARTS,
    check_addresses,
    check_asked,
    part_context,
    template_of,
    titles,
)
from researcher.views.sent import CSV_TYPE, as_file
from researcher.views.study_of import set_rights, study_form, study_post, user_of

# How many files one link gives within an hour.
MOST_FILES = 120
# What a reader may choose.
CHOSEN = {"page", "open"}
MOST_OPENED = 20
# The part that holds files alone; a link without files does not have it.
EXPORT = "export"
View = Callable[..., HttpResponseBase]


def _shared(view: View) -> View:
    """The share of a link's token is handed to the view; every other token gives one and the same answer.

    Nobody is told by these pages where a reader came from, nothing of them is kept on the way, and no search engine
    lists them.
    """

    @wraps(view)
    def opened(request: HttpRequest, token: str, *rest: str, **named: str) -> HttpResponseBase:
        # Whoever has an account is a holder of the link here, and no more.
        request.user = AnonymousUser()
        set_rights(request, frozenset({Right.SEE}))
        share = shared_by(token)
        try:
            response = view(request, share, token, *rest, **named) if share is not None else _gone(request)
        except Http404:
            response = _gone(request)
        response["X-Robots-Tag"] = "noindex, nofollow"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return login_not_required(never_cache(require_safe(opened)))


def _gone(request: HttpRequest) -> HttpResponse:
    return render(request, "researcher/sharing/gone.html", status=404)


@_shared
def shared(request: HttpRequest, share: Share, token: str, part: str = "overview") -> HttpResponse:
    if part not in titles() or (part == EXPORT and not share.gives_files):
        raise Http404
    check = check_asked(request, part)
    if check:
        return redirect(_part(token, check))
    study, gathered = share.study, read_one(share.study)
    selection = _selection(share, page=_page(request, gathered.items) if part == "items" else 1)
    request.GET = _chosen(request)  # type: ignore[assignment]
    try:
        shown = read_shown_part(study, selection, part, gathered=gathered)
    except SelectionError as error:
        # The study has no such items or runs any more: showing all others would share more than was said.
        raise Http404 from error
    context = part_context(request, study, shown, gathered, part) | {"shared": share}
    pages = [one for one in PARTS.items() if share.gives_files or one[0] != EXPORT]
    context |= {"parts": [(name, title, _part(token, name)) for name, title in pages]}
    context |= {"checks_in_rail": check_addresses(shown, lambda key: _part(token, key))}
    context |= {"files": wanted(_files(study)), "token": token}
    return render(request, template_of(part, shown), context)


@_shared
def shared_file(request: HttpRequest, share: Share, token: str, what: str) -> HttpResponseBase:
    if not share.gives_files or what not in SHARED:
        raise Http404
    study, selection, key = share.study, _selection(share), f"shared-files:{share.pk}"
    if counted(key) >= MOST_FILES:
        return HttpResponse("Too many downloads by this link in the last hour. Try again later.\n", status=429)
    count(key, seconds=HOUR)
    try:
        made = read_download(study, what, selection)
        written = iter(()) if made is not None else export(what)(study, selection)
        header = next(written, None)
    except SelectionError as error:
        raise Http404 from error
    if made is not None and made.path is None:
        return render(request, "researcher/sharing/made_soon.html", {"shared": share, "back": _part(token, "export")})
    _keep(request, share, what)
    name = f"{study.slug}{'-synthetic' if study.people.are_synthetic else ''}-{what}.csv"
    if made is not None and made.path is not None:
        return FileResponse(made.path.open("rb"), as_attachment=True, filename=name, content_type=CSV_TYPE)
    return as_file(lines(chain([] if header is None else [header], written)), name)


def _files(study: Study) -> list[tuple[File, str]]:
    """Those that a link gives, with what each holds."""
    return [(one, one.words(study.people, anonymous=True)) for one in SHARED.values()]


def _keep(request: HttpRequest, share: Share, what: str) -> None:
    """Who has the link is not known; which link it was is."""
    if request.method != "HEAD":
        with acting(lambda: Actor(Via.SHARE, f"share {share.pk} (link)")):
            taken_out(share.study, f"{what}.csv")


def _selection(share: Share, *, page: int = 1) -> Selection:
    """What the share shows, whatever the address says; annotators by number alone, and none that is asked for."""
    found = read_selection(parse_qs(share.query))
    return replace(found, assessors=(), anonymous=ANONYMOUS, page=page)


def _page(request: HttpRequest, items: int) -> int:
    """A page of the list of items that there is: of a large study, each is computed for itself."""
    asked = request.GET.get("page", "1")
    pages = max(1, -(-items // PAGE))
    if not (asked.isascii() and asked.isdigit() and len(asked) <= LONGEST_PAGE and 1 <= int(asked) <= pages):
        raise Http404
    return int(asked)


def _chosen(request: HttpRequest) -> QueryDict:
    """What of the address acts here: links are made of it."""
    chosen = QueryDict(mutable=True)
    for name in CHOSEN & request.GET.keys():
        chosen.setlist(name, request.GET.getlist(name)[:MOST_OPENED])
    return chosen


def _part(token: str, part: str) -> str:
    return reverse("shared", args=[token]) if part == "overview" else reverse("shared_part", args=[token, part])


@study_form(Right.EDIT)
def shares(request: HttpRequest, study: Study) -> HttpResponse:
    """GET lists them, with a form for one more of the filters in the address; POST makes it and shows its link."""
    form = ShareForm(request.POST if request.method == "POST" else None, initial={"query": request.GET.urlencode()})
    selection = _selection_to_share(study, form)
    token = ""
    if form.is_bound and form.is_valid() and selection is not None:
        token = _make_link(request, study, form, selection)
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


@study_post(Right.EDIT)
def end(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    share = get_object_or_404(study.shares, pk=pk)
    if end_share(share):
        messages.success(request, f"Link “{share.name}” ended. It no longer shows results.")
    else:
        messages.info(request, f"Link “{share.name}” had already ended.")
    return redirect("shares", study.slug)


def _selection_to_share(study: Study, form: ShareForm) -> Selection | None:
    """What would be shared; None, said in the form, where the filters are none of this study."""
    query = str(form["query"].value() or "")
    try:
        asked = replace(read_selection(parse_qs(query)), assessors=(), anonymous=ANONYMOUS, page=1)
        read_shown_part(study, asked, "overview")
    except (SelectionError, ValueError) as error:
        if form.is_bound:
            form.add_error(None, f"These filters cannot be shared: {error}")
        return None
    return asked


def _make_link(request: HttpRequest, study: Study, form: ShareForm, selection: Selection) -> str:
    """The token of the new link; empty where there are too many."""
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
            by=user_of(request),
        )
    except ShareRefused as refused:
        form.add_error(None, str(refused))
        return ""
    return token
