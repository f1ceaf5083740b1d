"""The list of studies, and the page of one."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Study
from researcher.forms import LinkForm, SyntheticForm
from researcher.score_form import ScoreForm
from researcher.studies.list import read_lines
from researcher.studies.page import read_study_page


@never_cache
@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    return render(request, "researcher/studies/list.html", {"lines": read_lines(Study.objects.all())})


@never_cache
@require_safe
def study(request: HttpRequest, slug: str) -> HttpResponse:
    return show_study(request, get_object_or_404(Study, slug=slug))


def show_study(
    request: HttpRequest,
    study: Study,
    *,
    link_form: LinkForm | None = None,
    synthetic_form: SyntheticForm | None = None,
    score_form: ScoreForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The study page; a form that was refused is shown again with what was typed and why."""
    context = {
        "study": study,
        "page": read_study_page(study, absolute=request.build_absolute_uri),
        "link_form": link_form or LinkForm(),
        "score_form": score_form or ScoreForm(),
        "synthetic_form": synthetic_form or SyntheticForm(initial=SYNTHETIC),
    }
    return render(request, "researcher/studies/study.html", context, status=status)


SYNTHETIC = {"careful": 6, "noisy": 2, "careless": 1, "seed": 1}
