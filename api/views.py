"""The pages beside the API: making and withdrawing tokens, and what its addresses are.

Views ask for a login, as all pages do, and know the token's row and the API's description, and no study. To add one: a
view here, a line in `api/urls.py`, a template in `templates/api/`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from annotation.views.wording import rendered
from api.answering.schema import NEEDS
from api.models import ApiToken, NewToken, TokenRefused, make_token
from api.scopes import SCOPES, Scope
from api.v1 import api

# After which a new token ends, unless its owner says otherwise.
USUAL = timedelta(days=365)
METHODS = ("get", "post", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    words: str
    required: bool


@dataclass(frozen=True, slots=True)
class Address:
    """`words` are Markdown as read; `sent` and `answered` name a shape; empty where there is none."""

    method: str
    path: str
    summary: str
    words: SafeString
    right: str
    parameters: tuple[Field, ...]
    sent: str
    answered: str
    refusals: tuple[tuple[int, str], ...]

    @property
    def anchor(self) -> str:
        return f"{self.method}-{self.path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}"


@dataclass(frozen=True, slots=True)
class ShapeOf:
    name: str
    words: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Description:
    words: SafeString
    groups: tuple[tuple[str, tuple[Address, ...]], ...]
    shapes: tuple[ShapeOf, ...]


@cache
def read_description() -> Description:
    schema = api.get_openapi_schema()
    found: dict[str, list[Address]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if operation := methods.get(method):
                found.setdefault(operation["tags"][0], []).append(_address(method, path, operation))
    shapes = sorted(schema["components"]["schemas"].items())
    return Description(
        words=rendered(schema["info"]["description"]),
        groups=tuple((name, tuple(addresses)) for name, addresses in found.items()),
        shapes=tuple(ShapeOf(name, shape.get("description", ""), tuple(_fields(shape))) for name, shape in shapes),
    )


def _address(method: str, path: str, operation: Mapping[str, Any]) -> Address:
    answers = operation["responses"].items()
    done: Mapping[str, Any] = next((answer for status, answer in answers if int(status) < 300), {})
    return Address(
        method=method,
        path=path,
        summary=operation["summary"],
        words=rendered(operation.get("description", "")),
        right=operation.get(NEEDS, ""),
        parameters=tuple(
            Field(one["name"], _type(one["schema"]), one.get("description", ""), one.get("required", False))
            for one in operation["parameters"]
        ),
        sent=_shape_in(operation.get("requestBody", {})),
        answered=_shape_in(done),
        refusals=tuple((int(status), answer["description"]) for status, answer in answers if int(status) >= 300),
    )


def _shape_in(holder: Mapping[str, Any]) -> str:
    for kind, content in holder.get("content", {}).items():
        return _type(content["schema"]) if "schema" in content else str(kind)
    return ""


def _fields(shape: Mapping[str, Any]) -> Iterator[Field]:
    required = shape.get("required", ())
    for name, field in shape.get("properties", {}).items():
        yield Field(name, _type(field), field.get("description", ""), name in required)


def _type(schema: Mapping[str, Any]) -> str:
    """In words: `text`, `list of Fault`, `number or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(str(one) or "empty" for one in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    kind = str(schema.get("type", "any value"))
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "string" and schema.get("format"):
        return str(schema["format"])
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)


class TokenForm(forms.Form):
    name = forms.CharField(label="Name", max_length=80, help_text="For example: analysis on my laptop.")
    scopes = forms.MultipleChoiceField(
        label="Scopes",
        choices=[(scope.value, f"{scope}: {words}") for scope, (_, words) in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ.value],
    )
    expires_on = forms.DateField(
        label="Expires on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Empty: never.",
        initial=lambda: date.today() + USUAL,
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="token-%s", label_suffix="")

    @property
    def expires_at(self) -> datetime | None:
        """The end of that day."""
        day = self.cleaned_data["expires_on"]
        return None if day is None else datetime.combine(day, time.max, UTC)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def tokens(request: HttpRequest) -> HttpResponse:
    """GET lists them; POST makes one, and answers with the one page that shows it."""
    assert isinstance(request.user, User), "nobody comes here without a login"
    form = TokenForm(request.POST if request.method == "POST" else None)
    made: NewToken | None = None
    if form.is_bound and form.is_valid():
        said = form.cleaned_data
        try:
            made = make_token(request.user, name=said["name"], scopes=said["scopes"], expires_at=form.expires_at)
        except TokenRefused as refused:
            form.add_error(None, str(refused))
        else:
            form = TokenForm()
    context = {"form": form, "made": made, "tokens": request.user.api_tokens.all()}
    return render(request, "api/tokens.html", context, status=422 if form.is_bound else 200)


@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    assert isinstance(request.user, User), "nobody comes here without a login"
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    token.withdraw()
    messages.success(request, f"{token.name} revoked. Programs that use it no longer have access.")
    return redirect("tokens")


@require_safe
def addresses(request: HttpRequest) -> HttpResponse:
    return render(request, "api/addresses.html", {"described": read_description()})
