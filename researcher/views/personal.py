"""Personal links: a file of one address for each id, signed, so that nobody else can write it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from annotation.arrival.signing import personal_address
from annotation.models import StudyLink
from comparison.exports.cells import lines
from researcher.forms import IdsForm
from researcher.views.study_page import show_study


@require_POST
def personal_links(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    link = get_object_or_404(StudyLink.objects.select_related("study"), pk=pk, study__slug=slug)
    form = IdsForm(request.POST, study=link.study)
    if not form.is_valid():
        return show_study(request, link.study, ids_form=form, status=422)
    rows = [[one, request.build_absolute_uri(personal_address(link, one))] for one in form.cleaned_data["ids"]]
    return HttpResponse(
        "".join(lines([["id", "address"], *rows])),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-personal-links.csv"'},
    )
