"""What the addresses of the API are, as a page of the site: drawn from the OpenAPI description, without a script."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from api.description import read_description


@require_safe
def addresses(request: HttpRequest) -> HttpResponse:
    return render(request, "api/addresses.html", {"described": read_description()})
