"""Whether an id in an address can be one: given, filled in by the platform, and of its form."""

import re

from annotation.arrival.refusals import BadId, NoId, UnfilledId
from annotation.models import Study

LONGEST_ID = 120
# What platforms put in place of an id that they have not filled in: {{%PROLIFIC_PID%}}, ${id}, [ID], <id>, %ID%.
MARKED = re.compile(r"[{}<>\[\]]|\$\w|%\w+%")
# What is one only as a whole, since ids have such signs within them: __ID__, #ID#; and what programs write for nothing.
NOTHING = re.compile(r"__\w+__|#\w+#|undefined|null|none|nan", re.IGNORECASE)


def checked(study: Study, given: str) -> str:
    """The id without spaces around it. Raises BadId, NoId or UnfilledId."""
    external_id, parameter = given.strip(), study.id_parameter
    if not external_id:
        raise NoId(parameter)
    if is_placeholder(external_id):
        raise UnfilledId(parameter)
    if not plain(external_id) or (study.id_pattern and not re.fullmatch(study.id_pattern, external_id)):
        raise BadId(parameter)
    return external_id


def filled(given: str) -> str:
    """A platform's word beside the id, such as its session; empty where there is none, or one that says nothing.

    A placeholder is the same for everybody: it must never pass for somebody's session.
    """
    given = given.strip()
    return given if plain(given) and not is_placeholder(given) else ""


def is_placeholder(text: str) -> bool:
    """Whether all who come by it would come by the same: they would be one person."""
    return MARKED.search(text) is not None or NOTHING.fullmatch(text) is not None


def plain(text: str) -> bool:
    return len(text) <= LONGEST_ID and text.isprintable()
