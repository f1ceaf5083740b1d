"""Languages: of annotators' pages those with a catalog in `locale`, of stimuli any that has a tag. Free of Django.

To add a language to the pages: docs/annotators.md, "In another language".
"""

import re
from collections.abc import Iterable
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

# Frequent words of the languages that pages speak, each of them a word of none of the others.
GERMAN = """
der das den dem des ein eine einen einem einer und nicht ist sind wird werden haben mit auf für sich auch dass wie zu
zum zur im vom von sie ich wir ihr nach bei diese dieser dieses diesen welcher welche welches
"""
ENGLISH = """
the a of and to is are that it he she they this these with for not have has had were which how you your by from be been
would there
"""
FREQUENT = {"de": frozenset(GERMAN.split()), "en": frozenset(ENGLISH.split())}
LETTERS = re.compile(r"[^\W\d_]+")
# Of the words of a text, at least this share is as frequent as that.
SHARE = 0.08


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


def guessed(texts: Iterable[str], *, least: int = 3) -> str:
    """The tag of the language that texts are in, by frequent words, `least` of them different; empty where none is."""
    words = LETTERS.findall(" ".join(texts).lower())
    found = {tag: [word for word in words if word in frequent] for tag, frequent in FREQUENT.items()}
    best, other = sorted(found, key=lambda tag: len(found[tag]), reverse=True)[:2]
    is_clear = len(found[best]) > 2 * len(found[other]) and len(found[best]) >= SHARE * len(words)
    return best if is_clear and len({*found[best]}) >= least else ""


def gettext_noop(message: str) -> str:
    """Marks words for the catalogs in modules that know no Django; whoever shows them translates them."""
    return message
