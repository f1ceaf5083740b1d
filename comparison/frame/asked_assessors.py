"""Annotators shown as raters, by the name in the file that brought them, else by number; never by a platform's id."""

import re
from collections.abc import Sequence

from annotation.elsewhere.label_import import external_id
from annotation.models import Annotator, Assignment, Study
from comparison.frame.assessors import MOST, Assessor
from comparison.frame.filters.address import SelectionError
from comparison.frame.names import annotator_name

NUMBERED = re.compile(r"a([0-9]{1,18})")


def read_assessors(
    study: Study, asked: Sequence[str], *, few: Sequence[str] = (), anonymous: bool = False
) -> tuple[Assessor, ...]:
    """Those that are asked for by name or number, in that order, or else the `few`, by their numbers.

    `anonymous`: by number alone, since a file may have a platform's ids for names. SelectionError, saying which, for
    one who has no label that counts in the study, and for more than MOST.
    """
    if len(asked) > MOST:
        raise SelectionError(f"assessors takes at most {MOST} annotators, not {len(asked)}.")
    if asked:
        return tuple(dict.fromkeys(_assessor_named(study, one, anonymous=anonymous) for one in asked))
    return _named(study, [int(key.removeprefix("a")) for key in few], anonymous=anonymous) if few else ()


def _assessor_named(study: Study, asked: str, *, anonymous: bool) -> Assessor:
    """By the name in the file first: a file may call somebody a7 who has another number here."""
    pks = [] if anonymous else _by_name(study, asked)
    if not pks and (number := NUMBERED.fullmatch(asked)):
        pks = [int(number[1])]
    labeled = Assignment.objects.filter(sitting__study=study, state=Assignment.State.COUNTED, annotator__in=pks)
    if not pks or not labeled.exists():
        names = "" if anonymous else "Use names from the imported file, or "
        raise SelectionError(
            f"assessors cannot be {asked!r}: no annotator with that {'' if anonymous else 'name or '}number has a "
            f"label that counts here. {names or 'Use '}numbers from the labels file, such as a12."
        )
    return _named(study, pks, anonymous=anonymous)[0]


def _by_name(study: Study, asked: str) -> list[int]:
    # A database takes no NUL in a text.
    name = external_id(study, asked) if asked.isprintable() else ""
    named = Annotator.objects.filter(platform=Annotator.IMPORTED, external_id=name)
    return list(named.values_list("pk", flat=True))


def _named(study: Study, pks: Sequence[int], *, anonymous: bool) -> tuple[Assessor, ...]:
    """In the order of their numbers."""
    rows = Annotator.objects.filter(pk__in=pks).order_by("pk").values_list("pk", "platform", "external_id")
    prefix = external_id(study, "")
    return tuple(
        Assessor(
            annotator_name(pk),
            name.removeprefix(prefix) if platform == Annotator.IMPORTED and not anonymous else annotator_name(pk),
        )
        for pk, platform, name in rows
    )
