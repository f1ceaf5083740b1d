"""Every page asks for a login unless its view says `login_not_required`."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django_htmx.http import HttpResponseClientRedirect


class AskForLogin(LoginRequiredMiddleware):
    """Django's, but for htmx: it would follow a redirect and put the login page into the part that it asked for."""

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        redirect = super().process_view(request, view_func, view_args, view_kwargs)
        htmx = request.htmx  # type: ignore[attr-defined]
        if redirect is None or not htmx:
            return redirect
        # Back to the page that the part belongs to, not to the part.
        page = htmx.current_url_abs_path or ""
        login = redirect_to_login(page, self.get_login_url(view_func), self.get_redirect_field_name(view_func))
        return HttpResponseClientRedirect(login.url)
