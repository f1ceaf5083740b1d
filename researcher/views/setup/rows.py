"""What a part of the setup lists, one at a time: a comprehension question, a field of the questionnaire."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access.matrix import Right
from annotation.editing import EditRefused, edit
from annotation.models import Study
from annotation.studyfile import StudyFileError
from researcher.setup.parts import PARTS
from researcher.setup.row_forms import MOST, ROWS, rows_of
from researcher.views.found import found
from researcher.views.setup.parts import saved, shared, shows

MOVES = {"up": -1, "down": 1}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def row(request: HttpRequest, slug: str, part: str, number: int = 0) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    path = _listed(study, part, number)
    form = ROWS[path](request.POST or None, study=study, number=number)
    if request.method == "POST" and not shows(request, form) and form.is_valid() and saved(request, study, form):
        return redirect("setup_part", slug, part)
    context = shared(study) | {"part": part, "part_heading": PARTS[part].heading, "form": form}
    template = f"researcher/setup/{path.partition('.')[2]}.html"
    refused = form.errors and not shows(request, form)
    return render(request, template, context, status=422 if refused else 200)


@require_POST
def move(request: HttpRequest, slug: str, part: str, number: int) -> HttpResponse:
    """Up, down, or out. What was taken out is kept in the session until the next, so that it can be put back."""
    study = found(request, slug, Right.EDIT)
    # From 1 on: a new one has no place yet.
    path = _listed(study, part, number or MOST)
    rows, asked = rows_of(study, path), request.POST.get("do")
    if asked == "remove":
        request.session["taken_out"] = [study.pk, path, number, rows.pop(number - 1)]
    elif asked in MOVES and 0 <= (place := number - 1 + MOVES[asked]) < len(rows):
        rows.insert(place, rows.pop(number - 1))
    _store(request, study, path, rows, said="Taken out." if asked == "remove" else "Moved.")
    return redirect("setup_part", slug, part)


@require_POST
def put_back(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    path = _listed(study, part, 0)
    pk, where, number, taken_out = request.session.get("taken_out") or (None, "", 0, {})
    if (pk, where) == (study.pk, path):
        rows = rows_of(study, path)
        rows.insert(number - 1, taken_out)
        if _store(request, study, path, rows, said="Back in its place."):
            del request.session["taken_out"]
    return redirect("setup_part", slug, part)


def _listed(study: Study, part: str, number: int) -> str:
    """The path of what the part lists; 404 for a part that lists nothing, or a number that is not there."""
    path = PARTS[part].listed if part in PARTS else ""
    if not path or number > len(rows_of(study, path)):
        raise Http404("There is no such question.")
    return path


def _store(request: HttpRequest, study: Study, path: str, rows: list[dict[str, object]], *, said: str) -> bool:
    try:
        edit(study, {path: rows}, seen=request.POST.get("seen", ""))
    except (EditRefused, StudyFileError) as refused:
        messages.error(request, str(refused))
        return False
    messages.success(request, said)
    return True
