"""Personal links: a file of one address for each id, signed, so that nobody else can write it."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from annotation.access.matrix import Right
from annotation.arrival.signing import personal_address
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import StudyLink
from comparison.exports.cells import lines
from researcher.forms import IdsForm
from researcher.views.found import found
from researcher.views.study_page import show_study


@require_POST
def personal_links(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    link = get_object_or_404(StudyLink, pk=pk, study=study)
    form = IdsForm(request.POST, study=study)
    if not form.is_valid():
        return show_study(request, study, ids_form=form, status=422)
    rows = [[one, request.build_absolute_uri(personal_address(link, one))] for one in form.cleaned_data["ids"]]
    with transaction.atomic():
        record(study, Deed.PERSONAL_LINKS, f"link {link.pk}", facts={"links": len(rows)})
    return HttpResponse(
        "".join(lines([["id", "address"], *rows])),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-personal-links.csv"'},
    )
