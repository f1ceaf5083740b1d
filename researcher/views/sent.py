"""A file of a study's as it is sent: for the reader to keep, and written down in the study's history."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from annotation.audit.acts import taken_out
from annotation.models import Study

CSV_TYPE = "text/csv; charset=utf-8"


def record_sent(request: HttpRequest, study: Study, what: str) -> None:
    """This file of the study's is sent to the reader, filtered or not; a HEAD asks only whether it is there."""
    if request.method != "HEAD":
        taken_out(study, what, filtered="yes" if request.method == "GET" and request.GET else "")


def as_file(content: str | bytes | Iterator[str], name: str, content_type: str = CSV_TYPE) -> HttpResponseBase:
    """For the reader to keep under this name. Lines are streamed, so that any number takes little memory."""
    response = HttpResponse if isinstance(content, str | bytes) else StreamingHttpResponse
    return response(
        content, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
