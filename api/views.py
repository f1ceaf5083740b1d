"""The pages beside the API: making and withdrawing tokens, and what its addresses are.

Views ask for a login, as all pages do, and know the token's row and the API's description, and no study. To add one: a
view here, a line in `api/urls.py`, a template in `templates/api/`.
"""

from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from api.description import read_description
from api.models import ApiToken, NewToken, TokenRefused, make_token
from api.scopes import SCOPES, Scope


class TokenForm(forms.Form):
    name = forms.CharField(label="Name", max_length=80, help_text="What it is for, such as: analysis on my laptop.")
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(scope.value, f"{scope}: {words}") for scope, (_, words) in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ.value],
    )
    expires_on = forms.DateField(
        label="Last day",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Empty: until it is withdrawn.",
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
    messages.success(request, f"{token.name} is withdrawn. Programs that use it are turned away from now on.")
    return redirect("tokens")


@require_safe
def addresses(request: HttpRequest) -> HttpResponse:
    return render(request, "api/addresses.html", {"described": read_description()})
