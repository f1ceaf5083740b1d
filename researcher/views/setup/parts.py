"""One page for each part of a study's path and for each row that a part lists; gold from a pilot; items as a file."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from annotation import itemfile
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.drafting.gold import NoGold, take_gold
from annotation.editing import EditRefused, edit, state_of
from annotation.lifecycle.folder import item_lines, settings_text
from annotation.loading import LoadRefused
from annotation.models import Item, Study
from annotation.quality.sentences import policy, warnings
from annotation.studyfile import NAME, StudyFileError
from researcher.forms import DuplicateForm
from researcher.new_study.start_form import picture_of
from researcher.setup.overview import (
    GoldForm,
    address_after,
    consent_facts,
    limits_facts,
    pilots_for,
    read_measured,
    read_overview,
)
from researcher.setup.part_form import MOST, ROWS, PartForm, RowForm, SetupForm, rows_of
from researcher.setup.parts import PARTS, TaskForm
from researcher.views.sent import as_file, record_sent
from researcher.views.study_of import study_form, study_page, study_post
from stimuli.making.settings import renamed
from training.visible import models_for

MOVES = {"up": -1, "down": 1}
# Where a platform's rules can be gone against; what is more than one field below the other.
WARNED = ("platform", "labels", "quality")
OWN_TEMPLATES = ("platform", "limits", "quality", "question", "scoring")


def saved(request: HttpRequest, study: Study, form: PartForm | RowForm) -> bool:
    """Whether what a valid form says is stored; what stands against it is then beside its fields."""
    try:
        now = edit(study, form.changes, seen=form.cleaned_data["seen"], among=studies_for(request.user, Right.COLLECT))
    except StudyFileError as refused:
        form.add_faults(refused.faults)
    except EditRefused as refused:
        form.add_error(None, f"{refused} Your version is below. Save again to replace theirs.")
    except LoadRefused as refused:
        form.add_error(None, str(refused))
    else:
        follows = now.instructions != study.instructions and "instructions" not in form.changes
        messages.success(request, "Saved. The instructions quote the new question." if follows else "Saved.")
        return True
    form.again()
    return False


def shows(request: HttpRequest, form: SetupForm) -> bool:
    """Whether only the look of what was typed is asked for."""
    return request.method == "POST" and "show" in request.POST


@never_cache
@study_page(Right.EDIT)
def setup(request: HttpRequest, study: Study) -> HttpResponse:
    return show_setup(request, study)


def show_setup(
    request: HttpRequest, study: Study, *, gold: GoldForm | None = None, duplicate: DuplicateForm | None = None
) -> HttpResponse:
    """The first page; a form that was refused is shown again with what was typed and why."""
    if gold is None and (pilots := pilots_for(study, studies_for(request.user, Right.SEE))):
        gold = GoldForm(pilots=pilots)
    context = shared(study) | {
        "overview": read_overview(study),
        "duplicate": duplicate or DuplicateForm(initial=copied(study)),
        "gold": gold,
    }
    is_refused = duplicate is not None or (gold is not None and gold.is_bound)
    return render(request, "researcher/setup/overview.html", context, status=422 if is_refused else 200)


@never_cache
@study_page(Right.EDIT)
def study_file(request: HttpRequest, study: Study) -> HttpResponseBase:
    text = settings_text(study)
    record_sent(request, study, NAME)
    return as_file(text, NAME, "application/toml; charset=utf-8")


@study_form(Right.EDIT)
def part(request: HttpRequest, study: Study, part: str) -> HttpResponse:
    if part not in PARTS:
        raise Http404(f"A study has no part {part}.")
    form = PARTS[part](request.POST or None, study=study)
    if request.method == "POST" and not shows(request, form) and form.is_valid() and saved(request, study, form):
        return redirect(address_after(study, part) if "next" in request.POST else request.path)
    context = shared(study) | {"part": part, "form": form}
    if form.listed:
        context |= {"rows": rows_of(study, form.listed), "rows_seen": state_of(study, [form.listed])}
        context["taken_out"] = (request.session.get("taken_out") or [])[:2] == [study.pk, form.listed]
    if part == "consent":
        context["version"], context["decided"] = consent_facts(study)
    if part in WARNED:
        context["warnings"] = warnings(study)
    if part == "quality":
        context["policy"] = policy(study)
    if isinstance(form, TaskForm):
        context["picture"] = picture_of(form.task, content_of(study))
    if part == "scoring":
        context["measured"] = read_measured(study, among=models_for(request.user))
    if part == "limits":
        context |= limits_facts(study)
    template = part if part in OWN_TEMPLATES else "part"
    refused = form.errors and not shows(request, form)
    return render(request, f"researcher/setup/{template}.html", context, status=422 if refused else 200)


def content_of(study: Study) -> Mapping[str, Any]:
    """Of its first target; the task's own example where there is none."""
    first = study.items.filter(kind=Item.Kind.TARGET).order_by("position").values_list("content", flat=True).first()
    return first or study.task.example


def copied(study: Study) -> dict[str, str]:
    """What a copy is called until somebody says otherwise."""
    names = renamed({"slug": study.slug, "title": study.title}, slug="copy", title="copy")
    return {name: names[name] for name in ("slug", "title")}


def shared(study: Study) -> dict[str, object]:
    """What every page of the setup has."""
    return {"study": study}


@study_form(Right.EDIT)
def row(request: HttpRequest, study: Study, part: str, number: int = 0) -> HttpResponse:
    path = _listed(study, part, number)
    form = ROWS[path](request.POST or None, study=study, number=number)
    if request.method == "POST" and not shows(request, form) and form.is_valid() and saved(request, study, form):
        return redirect("setup_part", study.slug, part)
    context = shared(study) | {"part": part, "part_heading": PARTS[part].heading, "form": form}
    template = f"researcher/setup/{path.partition('.')[2]}.html"
    refused = form.errors and not shows(request, form)
    return render(request, template, context, status=422 if refused else 200)


@study_post(Right.EDIT)
def move(request: HttpRequest, study: Study, part: str, number: int) -> HttpResponse:
    """Up, down, or out. What was taken out is kept in the session until the next, so that it can be put back."""
    # From 1 on: a new one has no place yet.
    path = _listed(study, part, number or MOST)
    rows, asked = rows_of(study, path), request.POST.get("do")
    if asked == "remove":
        request.session["taken_out"] = [study.pk, path, number, rows.pop(number - 1)]
    elif asked in MOVES and 0 <= (place := number - 1 + MOVES[asked]) < len(rows):
        rows.insert(place, rows.pop(number - 1))
    _store(request, study, path, rows, said="Removed." if asked == "remove" else "Moved.")
    return redirect("setup_part", study.slug, part)


@study_post(Right.EDIT)
def put_back(request: HttpRequest, study: Study, part: str) -> HttpResponse:
    path = _listed(study, part, 0)
    pk, where, number, taken_out = request.session.get("taken_out") or (None, "", 0, {})
    if (pk, where) == (study.pk, path):
        rows = rows_of(study, path)
        rows.insert(number - 1, taken_out)
        if _store(request, study, path, rows, said="Question restored."):
            del request.session["taken_out"]
    return redirect("setup_part", study.slug, part)


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


@study_post(Right.EDIT)
def gold(request: HttpRequest, study: Study) -> HttpResponse:
    visible = studies_for(request.user, Right.SEE)
    form = GoldForm(request.POST, pilots=pilots_for(study, visible))
    if form.is_valid():
        pilot = visible.get(slug=form.cleaned_data["pilot"])
        try:
            taken = take_gold(study, pilot, least=form.cleaned_data["least"])
        except (NoGold, LoadRefused, StudyFileError) as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, str(taken))
            return redirect("setup", study.slug)
    return show_setup(request, study, gold=form)


@study_page(Right.EDIT)
def items_file(request: HttpRequest, study: Study) -> HttpResponseBase:
    """The items as they stand, beside study.toml: with gold that was taken here and words that were revised."""
    record_sent(request, study, itemfile.NAME)
    return as_file(item_lines(study), itemfile.NAME, "application/x-ndjson; charset=utf-8")
