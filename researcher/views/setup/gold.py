"""Gold items of a pilot into a draft, and the draft's items as a file."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation import itemfile
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.drafting.gold import NoGold, take_gold
from annotation.lifecycle.folder import item_lines
from annotation.loading import LoadRefused
from annotation.studyfile import StudyFileError
from researcher.setup.gold import GoldForm, pilots_for
from researcher.setup.overview import read_overview
from researcher.views.found import found
from researcher.views.setup.parts import shared
from researcher.views.sharing.sent import sent


@require_POST
def take(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
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
            return redirect("setup", slug)
    context = shared(study) | {"overview": read_overview(study), "gold": form}
    return render(request, "researcher/setup/overview.html", context, status=422)


@require_safe
def items_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The items as they stand, beside study.toml: with gold that was taken here and words that were revised."""
    study = found(request, slug, Right.EDIT)
    sent(request, study, itemfile.NAME)
    return StreamingHttpResponse(
        item_lines(study),
        content_type="application/x-ndjson; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{itemfile.NAME}"'},
    )
