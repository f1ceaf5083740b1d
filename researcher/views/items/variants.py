"""One item as studies show it otherwise, side by side, and the same as a file."""

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.models import Item, Study
from comparison.exports.cells import lines
from comparison.page.item.variants import read_variants, variant_records
from researcher.views.found import found
from researcher.views.sharing.sent import sent


@require_safe
def variants(request: HttpRequest, slug: str, external_id: str) -> HttpResponse:
    study, item = _found(request, slug, external_id, Right.SEE)
    page = read_variants(study, item, among=studies_for(request.user, Right.SEE))
    if not page.variants:
        raise Http404("This item is no variant: it has no attribute of that name.")
    return render(request, "comparison/variants.html", {"study": study, "item": item, "found": page})


@require_safe
def variants_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All items, or the one that `item` names."""
    name = request.GET.get("item", "")
    study = _found(request, slug, name, Right.EXPORT)[0] if name else found(request, slug, Right.EXPORT)
    filename = f"{study.slug}-variants.csv"
    sent(request, study, "variants.csv")
    return StreamingHttpResponse(
        lines(variant_records(study, among=studies_for(request.user, Right.EXPORT), item=name)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )


def _found(request: HttpRequest, slug: str, external_id: str, right: Right) -> tuple[Study, Item]:
    study = found(request, slug, right)
    if not external_id.isprintable():
        raise Http404("An item's id has no control characters.")
    return study, get_object_or_404(Item, study=study, external_id=external_id)
