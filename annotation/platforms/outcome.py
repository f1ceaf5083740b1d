"""How a sitting ended, in words that a platform can act on: each has its code and its way back."""

from enum import StrEnum


class Outcome(StrEnum):
    COMPLETED = "completed"
    FAILED_CHECKS = "failed_checks"
    SCREENED_OUT = "screened_out"
    NO_CONSENT = "no_consent"
    QUOTA_FULL = "quota_full"
    TOO_LATE = "too_late"
    WITHDRAWN = "withdrawn"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")
