"""The study page as views answer with it: with a form that was refused, or led back to, at one of its parts."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.access.matrix import Right
from annotation.models import Study
from researcher.forms import BarredForm, IdsForm, LinkForm, SyntheticForm
from researcher.studies.page import read_study_page
from researcher.views.found import may

SYNTHETIC = {"careful": 6, "noisy": 2, "careless": 1, "seed": 1}


def show_study(
    request: HttpRequest,
    study: Study,
    *,
    link_form: LinkForm | None = None,
    ids_form: IdsForm | None = None,
    barred_form: BarredForm | None = None,
    synthetic_form: SyntheticForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The study page; a form that was refused is shown again with what was typed and why."""
    context = {
        "study": study,
        "page": read_study_page(
            study,
            absolute=request.build_absolute_uri,
            query=request.GET,
            anonymous=not may(request, Right.IDENTIFY),
        ),
        "link_form": link_form or LinkForm(),
        "ids_form": ids_form or IdsForm(study=study),
        "barred_form": barred_form or BarredForm(),
        "synthetic_form": synthetic_form or SyntheticForm(initial=SYNTHETIC),
    }
    return render(request, "researcher/studies/study.html", context, status=status)


def redirect_to(slug: str, section: str) -> HttpResponse:
    """Back to one section of the study page."""
    response = redirect("study", slug)
    response["Location"] += f"#{section}"
    return response
