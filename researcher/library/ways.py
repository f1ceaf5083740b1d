"""The ways in which a model comes to an installation: which are open here, and what the others need."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

FOLDER, HUB, UPLOAD, ENDPOINT = "folder", "hub", "upload", "endpoint"


@dataclass(frozen=True, slots=True)
class Way:
    """`says` is what it takes, in a line; `is_current` where the page shows it."""

    key: str
    title: str
    says: str
    is_current: bool


def ways(current: str) -> list[Way]:
    """All four, so that each can be seen to exist; the page of a closed one says what opens it."""
    most = settings.MODEL_UPLOAD_MOST_BYTES // 1024**2
    shown = (
        (FOLDER, "Folder on the server", "Files already on the server"),
        (HUB, "Model hub", "Owner and name, such as google/bert" if settings.MODEL_HUB else "Off on this server"),
        (UPLOAD, "Your computer", f"Up to {most:,} MB" if most else "Off on this server"),
        (ENDPOINT, "Endpoint", "Models behind an API" if settings.PROMPT_ENDPOINT else "Not set on this server"),
    )
    return [Way(key, title, says, key == current) for key, title, says in shown]


def is_open(way: str) -> bool:
    """Whether the settings open it; for a folder there must be one as well."""
    opened = {HUB: settings.MODEL_HUB, UPLOAD: settings.MODEL_UPLOAD_MOST_BYTES, ENDPOINT: settings.PROMPT_ENDPOINT}
    return bool(opened.get(way))


def way_of(query: Mapping[str, str], sent: Mapping[str, str]) -> str:
    """The one that the address names; else the one that what was sent needs."""
    asked = query.get("way", "")
    if asked in (FOLDER, HUB, UPLOAD, ENDPOINT):
        return asked
    return HUB if sent.get("hub_id") else FOLDER
