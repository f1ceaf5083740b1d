"""Files that a page gives away, each with an act of it."""

from django.http import HttpRequest

from annotation.audit.acts import taken_out
from annotation.models import Study


def sent(request: HttpRequest, study: Study, what: str) -> None:
    """This file of the study's is about to be sent to the reader. A HEAD asks only whether it is there.

    Of filters only that there are any: what they name may be somebody in an imported label file.
    """
    if request.method != "HEAD":
        taken_out(study, what, filtered="yes" if request.method == "GET" and request.GET else "")
