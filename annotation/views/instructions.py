"""The instructions as people read them."""

import re


def paragraphs(text: str) -> list[str]:
    """Plain text as the study file writes it: a blank line starts a new paragraph."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
