"""The list of studies, and the pages on which one collects, also as views answer with a refused form."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.models import Study
from annotation.quality.sentences import policy
from comparison.frame.cache.gathered import read_one
from researcher.collecting.annotators import WithOthers, read_annotators
from researcher.collecting.links import read_links
from researcher.collecting.page import NOTHING_YET, read_study_page
from researcher.collecting.synthetic import why_stopped
from researcher.collecting.verdicts import read_verdicts
from researcher.deleting import going_for
from researcher.forms import BarredForm, IdsForm, LinkForm, SyntheticForm
from researcher.imports.forms import FilesForm
from researcher.imports.registry import LABELS
from researcher.studies.current_figures import read_given_shown, read_raters_shown
from researcher.studies.glance import read_rows
from researcher.studies.home import is_first_visit, lead, read_over_all, samples
from researcher.studies.list import SearchForm, read_lines
from researcher.studies.waiting import Waiting
from researcher.views.study_of import StudyRequest, may, study_page

SYNTHETIC = {"careful": 6, "noisy": 2, "careless": 1, "seed": 1}


@never_cache
@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """All that the reader may see and what of them waits; who has none but samples is shown where to begin."""
    user = cast(User, request.user)
    seen = list(studies_for(user, Right.SEE))
    form = SearchForm(request.GET, studies=seen)
    found = form.found(seen)
    editable = set(studies_for(user, Right.EDIT).values_list("pk", flat=True))
    rows = read_rows(read_lines(found.studies), editable=editable)
    context = {
        "form": form,
        "chips": found.chips,
        "rows": rows,
        "lines": [row.line for row in rows],
        "has_studies": bool(seen),
        "editable": editable,
        "going": going_for(user),
    }
    if is_first_visit(seen) and not form.narrows and not form.errors:
        rows = samples(rows)
        return render(request, "researcher/studies/home.html", context | {"rows": rows, "lead": lead(rows)})
    context["waits"] = read_over_all(user, {study.pk: study for study in seen if not study.archived_at})
    return render(request, "researcher/studies/list.html", context, status=400 if form.errors else 200)


@never_cache
@study_page(Right.SEE)
def study(request: StudyRequest, study: Study) -> HttpResponse:
    gathered = read_one(study)
    page = read_study_page(
        study,
        gathered,
        absolute=request.build_absolute_uri,
        query=request.GET,
        anonymous=not may(request, Right.IDENTIFY),
    )
    waiting = Waiting(study, request.rights, gathered)
    context = {"study": study, "page": page, "gathered": gathered, "what_waits": waiting}
    return render(request, "researcher/studies/study.html", context)


@never_cache
@study_page(Right.SEE)
def annotators(request: HttpRequest, study: Study) -> HttpResponse:
    anonymous = not may(request, Right.IDENTIFY)
    gathered = read_one(study)
    shown = read_given_shown(study, gathered)
    given = shown.found or NOTHING_YET
    context = {
        "study": study,
        "gathered": gathered,
        "shown": shown,
        "page": read_annotators(
            study,
            given.work,
            WithOthers.of(read_raters_shown(study, gathered)),
            shows=request.GET.get("show", ""),
            page=request.GET.get("page"),
            hasty=given.hasty,
            anonymous=anonymous,
        ),
        "verdicts": read_verdicts(study, anonymous=anonymous),
        "policy": policy(study),
    }
    return render(request, "researcher/studies/annotators.html", context)


@never_cache
@study_page(Right.COLLECT)
def links(request: HttpRequest, study: Study) -> HttpResponse:
    return show_links(request, study)


def show_links(
    request: HttpRequest,
    study: Study,
    *,
    link_form: LinkForm | None = None,
    ids_form: IdsForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The links; a form that was refused is shown again with what was typed and why."""
    context = {
        "study": study,
        "page": read_links(study, request.build_absolute_uri),
        "link_form": link_form or LinkForm(),
        "ids_form": ids_form or IdsForm(study=study),
    }
    return render(request, "researcher/studies/links.html", context, status=status)


@never_cache
@study_page(Right.COLLECT)
def bring_in(request: HttpRequest, study: Study) -> HttpResponse:
    return show_import(request, study)


def show_import(
    request: HttpRequest,
    study: Study,
    *,
    barred_form: BarredForm | None = None,
    synthetic_form: SyntheticForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """What comes from elsewhere: labels, a block list, synthetic annotators; a refused form likewise."""
    context = {
        "study": study,
        "form": FilesForm(None, None, kind=LABELS),
        "kind": LABELS,
        "notice": LABELS.notice(study),
        "barred": study.barred_ids.count(),
        "barred_form": barred_form or BarredForm(),
        "synthetic_stopped": why_stopped(study.pk),
        "synthetic_form": synthetic_form or SyntheticForm(initial=SYNTHETIC),
    }
    return render(request, "researcher/studies/import.html", context, status=status)
