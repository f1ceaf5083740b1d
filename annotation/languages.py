"""Languages: of annotators' pages those with a catalog in `locale`, of stimuli any that has a tag. Free of Django.

To add a language to the pages: docs/annotators.md, "In another language".
"""

import re
from functools import cache
from pathlib import Path

CATALOGS = Path(__file__).resolve().parent.parent / "locale"
DEFAULT = "en"
# The form of BCP 47: a language, and after it what says more, such as a script or a country.
TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
LONGEST_TAG = 35
# Written from right to left, unless their tag names another script.
RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"})
SCRIPTS_RIGHT_TO_LEFT = frozenset({"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"})


@cache
def of_pages() -> tuple[str, ...]:
    """The tags of those that annotators' pages speak, sorted."""
    found = CATALOGS.glob("*/LC_MESSAGES/django.mo")
    return tuple(sorted(path.parent.parent.name.replace("_", "-") for path in found))


def is_tag(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TAG and TAG.fullmatch(value) is not None


def direction(tag: str) -> str:
    """What HTML's `dir` says of a text in this language: by the script that the tag names, else by the language."""
    language, *further = tag.lower().split("-")
    script = next((part for part in further if len(part) == 4 and part.isalpha()), "")
    right_to_left = script in SCRIPTS_RIGHT_TO_LEFT if script else language in RIGHT_TO_LEFT
    return "rtl" if right_to_left else "ltr"


def gettext_noop(message: str) -> str:
    """Marks words for the catalogs in modules that know no Django; whoever shows them translates them."""
    return message
