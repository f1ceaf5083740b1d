"""What the figures are, and how everything is used: docs/ as pages of the site."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from researcher.docs import SECTIONS, SHOWN, document, documents


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    return redirect("docs", SHOWN[0])


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    try:
        found = document(name)
    except LookupError as error:
        raise Http404(str(error)) from None
    return render(request, "researcher/docs/page.html", {"document": found, "documents": documents()})


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    context = {"sections": SECTIONS, "documents": documents(), "document": {"name": "glossary"}}
    return render(request, "researcher/docs/glossary.html", context)
