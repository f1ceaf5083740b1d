"""The same submit twice: after a lost line a page sends an answer again, whether or not it had arrived."""

import re
import secrets

from annotation.models import Judgment

# The page's part is made by the server. Behind the dot a script says which of the choices made on that page it is.
SENT = re.compile(r"(?P<page>[\w-]{11})(?:\.(?P<choice>\d{1,4}))?", re.ASCII)


def of_page() -> str:
    """For one showing of one item."""
    return secrets.token_urlsafe(8)


def is_one(text: str) -> bool:
    return SENT.fullmatch(text) is not None


def has_come(current: Judgment, given: Judgment) -> bool:
    """Whether the answer stands already, its submit was taken before, or a later choice on the same page was.

    Without a script, choices on one page are not numbered, and the last that comes is the last that was made.
    """
    page, choice = _parts(given.submission)
    if current.answer == given.answer:
        return True
    if not page:
        return False
    current_page, current_choice = _parts(current.submission)
    if page == current_page:
        return choice < current_choice
    for replaced in current.revisions.filter(submission__startswith=page):
        _, before = _parts(replaced.submission)
        if choice < before or (choice == before and given.answer == replaced.answer):
            return True
    return False


def _parts(submission: str) -> tuple[str, int]:
    found = SENT.fullmatch(submission)
    return (found["page"], int(found["choice"] or 0)) if found else ("", 0)
