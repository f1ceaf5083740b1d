"""Where a study's path stands, and one page for each part of it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.editing import EditRefused, edit, state_of
from annotation.lifecycle.folder import settings_text
from annotation.loading import LoadRefused
from annotation.models import Study
from annotation.quality.sentences import policy
from annotation.quality.warnings import warnings
from annotation.studyfile import NAME, StudyFileError
from researcher.forms import DuplicateForm
from researcher.setup.gold import GoldForm, pilots_for
from researcher.setup.measured import read_measured
from researcher.setup.overview import consent_facts, limits_facts, read_overview
from researcher.setup.part_form import PartForm, SetupForm
from researcher.setup.parts import OF_PATH, OF_STUDY, PARTS
from researcher.setup.row_forms import RowForm, rows_of
from researcher.views.found import found
from researcher.views.sharing.sent import sent
from stimuli.making.settings import renamed
from training.visible import models_for

# Where a platform's rules can be gone against; what is more than one field below the other.
WARNED = ("platform", "labels", "quality")
OWN_TEMPLATES = ("platform", "limits", "quality", "scoring")


def saved(request: HttpRequest, study: Study, form: PartForm | RowForm) -> bool:
    """Whether what a valid form says is stored; what stands against it is then beside its fields."""
    try:
        edit(study, form.changes, seen=form.cleaned_data["seen"], among=studies_for(request.user, Right.COLLECT))
    except StudyFileError as refused:
        form.add_faults(refused.faults)
    except EditRefused as refused:
        form.add_error(None, f"{refused} What you typed is below; saved again, it takes the place of theirs.")
    except LoadRefused as refused:
        form.add_error(None, str(refused))
    else:
        messages.success(request, "Saved.")
        return True
    form.again()
    return False


def shows(request: HttpRequest, form: SetupForm) -> bool:
    """Whether only the look of what was typed is asked for."""
    return request.method == "POST" and "show" in request.POST


@never_cache
@require_safe
def setup(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    context: dict[str, object] = {"overview": read_overview(study), "duplicate": DuplicateForm(initial=copied(study))}
    if pilots := pilots_for(study, studies_for(request.user, Right.SEE)):
        context["gold"] = GoldForm(pilots=pilots)
    return render(request, "researcher/setup/overview.html", shared(study) | context)


@never_cache
@require_safe
def study_file(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    text = settings_text(study)
    sent(request, study, NAME)
    response = HttpResponse(text, content_type="application/toml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{NAME}"'
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def part(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    if part not in PARTS:
        raise Http404(f"A study has no part {part}.")
    form = PARTS[part](request.POST or None, study=study)
    if request.method == "POST" and not shows(request, form) and form.is_valid() and saved(request, study, form):
        return redirect("setup_part", slug, part)
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
    if part == "scoring":
        context["measured"] = read_measured(study, among=models_for(request.user))
    if part == "limits":
        context |= limits_facts(study)
    template = part if part in OWN_TEMPLATES else "part"
    refused = form.errors and not shows(request, form)
    return render(request, f"researcher/setup/{template}.html", context, status=422 if refused else 200)


def copied(study: Study) -> dict[str, str]:
    """What a copy is called until somebody says otherwise."""
    names = renamed({"slug": study.slug, "title": study.title}, slug="copy", title="copy")
    return {name: names[name] for name in ("slug", "title")}


def shared(study: Study) -> dict[str, object]:
    """What every page of the setup has."""
    return {"study": study, "of_path": OF_PATH, "of_study": OF_STUDY}
