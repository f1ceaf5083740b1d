"""A request of an annotator's page: what HtmxMiddleware adds to it, and in which language it is answered.

It is the study's language, whatever the browser asks for.
"""

from contextlib import AbstractContextManager

from django.http import HttpRequest
from django.utils.translation import override
from django_htmx.middleware import HtmxDetails

from annotation.models import Study


class HtmxRequest(HttpRequest):
    htmx: HtmxDetails


def speaking_for(study: Study) -> AbstractContextManager[None]:
    """Within it, the study's language is spoken: by templates, refusals and messages alike."""
    return override(study.language)
