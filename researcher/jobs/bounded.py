"""Uploads are cut off where they grow larger than the setting allows, before they fill the disk."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest


class Bounded(FileUploadHandler):
    """Counts what comes, over all files of a request, and lets nothing more in where it is too much."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self._come = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self._come += len(raw_data)
        if self._come > settings.UPLOAD_MOST_BYTES:
            assert self.request is not None, "it is made for one"
            self.request.upload_is_too_large = True  # type: ignore[attr-defined]
            # What still comes is read and thrown away, so that the page can say why.
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> Any:
        """The next handler keeps it."""
        return None


def is_too_large(request: HttpRequest) -> bool:
    """Whether its files were cut off; to be asked once its form has been read."""
    return bool(getattr(request, "upload_is_too_large", False))
