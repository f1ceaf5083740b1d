"""What a platform is to a study: what [collection] and [return] say for it, unless the study file says otherwise."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# The query parameter of a personal link's signature (annotation/arrival/signing.py).
SIGNATURE = "signature"


class Recovery(StrEnum):
    """By what somebody goes on in another browser, besides the researcher's releasing it."""

    SESSION = "session"
    PERSONAL_LINK = "personal_link"


@dataclass(frozen=True, slots=True)
class Platform:
    key: str
    id_parameter: str
    id_pattern: str
    study_parameter: str
    session_parameter: str
    # Where every outcome leads, as a template, and where its own pages are.
    address: str = ""
    home: str = ""

    @property
    def defaults(self) -> dict[str, dict[str, Any]]:
        """Values of [collection] and [return]. Its participants have an id each, so that nobody comes without."""
        return {
            "collection": {
                "id_parameter": self.id_parameter,
                "id_pattern": self.id_pattern,
                "id_required": True,
                "study_parameter": self.study_parameter,
                "session_parameter": self.session_parameter,
            },
            "return": {"address": self.address, "home": self.home},
        }
