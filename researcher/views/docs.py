"""What the figures are, and how everything is used: docs/ as pages of the site."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from researcher.docs.reading import docs_address, document
from researcher.docs.search import search
from researcher.docs.shelf import GROUPS, SECTIONS


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    """All pages by what a reader wants, and what a search finds."""
    query = request.GET.get("q", "").strip()
    context = {"groups": GROUPS, "query": query, "found": search(query) if query else []}
    return render(request, "researcher/docs/shelf.html", context)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """That page or part; with `at`, the part of it that has this anchor."""
    try:
        found = document(name)
    except LookupError as error:
        raise Http404(str(error)) from None
    if at := request.GET.get("at", ""):
        return redirect(docs_address(found.page, at))
    whole = document(found.page)
    return render(request, "researcher/docs/page.html", {"document": found, "whole": whole, "groups": GROUPS})


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    sections = [
        (key, title, [(term, docs_address(term.page, term.anchor)) for term in terms])
        for key, (title, terms) in SECTIONS.items()
    ]
    context = {"sections": sections, "groups": GROUPS, "whole": {"name": "glossary"}}
    return render(request, "researcher/docs/glossary.html", context)
