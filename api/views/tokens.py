"""One's own tokens: made, shown once, withdrawn."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from api.forms import TokenForm
from api.models import ApiToken
from api.tokens import Made, TokenRefused, make_token


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """GET lists them; POST makes one, and answers with the one page that shows it."""
    assert isinstance(request.user, User), "nobody comes here without a login"
    form = TokenForm(request.POST if request.method == "POST" else None)
    made: Made | None = None
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
