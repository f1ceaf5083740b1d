"""Who is this visitor? A platform's opaque id from the address, or an opaque id of our own in a cookie."""

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from annotation.models import Annotator, Study

COOKIE = "annotator"
SALT = "annotation.annotator"
COOKIE_SECONDS = 365 * 24 * 60 * 60
LONGEST_ID = 120
# The `platform` of annotators who came by the link alone.
BY_LINK = "link"


class BadIdentity(ValueError):
    """The address carries an id that cannot be one. str() is a sentence for the annotator."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A visitor, before they are an annotator: looking at the first page stores nothing."""

    platform: str
    external_id: str

    def known(self) -> Annotator | None:
        return Annotator.objects.filter(platform=self.platform, external_id=self.external_id).first()

    def annotator(self) -> Annotator:
        """The annotator's row, made if this is the first time."""
        return Annotator.objects.get_or_create(platform=self.platform, external_id=self.external_id)[0]

    def remember(self, response: HttpResponseBase) -> None:
        """Keep an id of our own in the visitor's browser; a platform sends its id each time."""
        if self.platform != BY_LINK:
            return
        response.set_signed_cookie(
            COOKIE,
            self.external_id,
            salt=SALT,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def identify(request: HttpRequest, study: Study) -> Identity:
    """The platform's id in the query string, else the cookie's, else a new one. Raises BadIdentity."""
    given = request.GET.get(study.id_parameter)
    if given is not None:
        return Identity(study.id_parameter, _checked(given.strip(), study.id_parameter))
    remembered = request.get_signed_cookie(COOKIE, default=None, salt=SALT, max_age=COOKIE_SECONDS)
    return Identity(BY_LINK, remembered or secrets.token_urlsafe(16))


def _checked(given: str, parameter: str) -> str:
    if not given or len(given) > LONGEST_ID or not given.isprintable():
        raise BadIdentity(
            f"The address should carry your id after “{parameter}=”, but what stands there cannot be an id. "
            "Please open the study from the platform that sent you."
        )
    return given
