"""Who asks: the token that was shown, what it may do, and the studies that it reaches."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from accounts.models import User
from annotation.access.matrix import RIGHTS, Right
from annotation.access.visible import refusal, rights_in, studies_for
from annotation.arrival.limits import count
from annotation.audit.acting import by_user
from annotation.audit.deeds import Via
from annotation.models import Study
from api.answering.body import take_body
from api.answering.faults import Refused
from api.models import ApiToken
from api.scopes import scope_for
from comparison.frame.filters.address import SelectionError, not_understood, read_selection
from comparison.frame.filters.selection import ANONYMOUS, Selection

MINUTE = 60


@dataclass(frozen=True)
class Caller:
    """A token acts as its user: it may do what the user may in a study, as far as its scopes let that through."""

    token: ApiToken

    @property
    def user(self) -> User:
        return self.token.user

    @cached_property
    def through(self) -> frozenset[Right]:
        return self.token.rights

    def studies(self, right: Right) -> QuerySet[Study]:
        """Those in which this caller has the right."""
        return studies_for(self.user, right) if right in self.through else Study.objects.none()

    def rights_in(self, study: Study) -> frozenset[Right]:
        return rights_in(study, self.user) & self.through

    def study_or_404(self, slug: str, right: Right) -> Study:
        """Http404 for a study that its user may not see, as for one that is not there; Refused without the right."""
        study = studies_for(self.user, Right.SEE).filter(slug=slug).first()
        if study is None:
            raise Http404(f"There is no study {slug!r} that {self.user.get_username()} can see.")
        if right not in rights_in(study, self.user):
            raise Refused(403, refusal(study, right))
        self.need(right)
        return study

    def need(self, right: Right) -> None:
        """Refused where the token's scopes do not let the right through."""
        if right not in self.through:
            raise Refused(
                403,
                f"The token {self.token} may not {RIGHTS[right].words}: it lacks the scope {scope_for(right)}. "
                f"Create a token with this scope.",
            )

    def selection(self, request: HttpRequest, study: Study) -> Selection:
        """The filters of the address, as on the results' pages; Refused for what is not known.

        Whoever may not see who somebody is has figures without names, whatever the address says.
        """
        query = dict(request.GET.lists())
        if unknown := not_understood(query):
            raise Refused(422, unknown)
        try:
            found = read_selection(query)
        except SelectionError as error:
            raise Refused(422, str(error)) from None
        return found if Right.IDENTIFY in self.rights_in(study) else replace(found, anonymous=ANONYMOUS)


class ApiRequest(HttpRequest):
    """A request that was let in."""

    auth: Caller


class Token(HttpBearer):
    """Reads the token from the header alone: no cookie opens the API, so that no page elsewhere can make use of one."""

    openapi_bearerFormat = "plx_…"  # noqa: N815

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        found = ApiToken.objects.with_secret(token)
        if found is None:
            return None
        limit(found)
        found.stamp_used(timezone.now().date())
        take_body(request)
        request.actor = by_user(found.user, Via.API)  # type: ignore[attr-defined]
        return Caller(found)


def limit(token: ApiToken) -> None:
    """Refused, with the time to wait, where the token has made as many requests within this minute as may."""
    most = settings.API_REQUESTS_PER_MINUTE
    now = timezone.now()
    made = count(f"api:{token.pk}:{int(now.timestamp()) // MINUTE}", seconds=2 * MINUTE) if most else None
    if made is not None and made > most:
        wait = timedelta(seconds=MINUTE - int(now.timestamp()) % MINUTE)
        raise Refused(
            429,
            f"This token has reached its limit of {most:,} requests per minute.",
            headers={"Retry-After": str(int(wait.total_seconds()))},
        )
