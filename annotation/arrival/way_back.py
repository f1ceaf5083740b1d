"""The code and the address that somebody is given at the end, or instead of a beginning.

Where a study has codes, nobody is shown another one: it would contradict the platform's. Where it has none for how
something ended, there is no code, and the way leads to the platform's own pages. Without codes there is one of ours,
except where an address tells the platform how it ended.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotation.arrival.framing import framing_of
from annotation.arrival.visitor import BY_LINK, Visitor
from annotation.models import PlatformId, Sitting, Study
from annotation.platforms import Outcome, filled_in
from annotation.studyfile.leaving import EVERY, HOME


@dataclass(frozen=True, slots=True)
class Form:
    """What the last page posts to a platform that takes its end so."""

    action: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WayBack:
    """`is_own` is a code of ours, which no platform knows; `hands_in` says that the address carries the code."""

    code: str = ""
    is_own: bool = False
    address: str = ""
    hands_in: bool = False
    redirects: bool = False
    form: Form | None = None


def of_sitting(sitting: Sitting, *, given_id: str = "") -> WayBack:
    """For its holder; `given_id` is the id that they have just brought, where it was erased here."""
    outcome = Outcome(sitting.outcome)
    code = code_of(sitting, outcome)
    # In a platform's frame there is no person who invited them, and no address to come back to.
    is_own = _has_own_code(sitting.study, outcome) and framing_of(sitting.study) is None
    found = of_visit(sitting, outcome, given_id=given_id)
    return replace(found, code=code, is_own=is_own, form=_form(sitting, outcome, code))


def code_of(sitting: Sitting, outcome: Outcome) -> str:
    """The one that its holder is shown."""
    if _has_own_code(sitting.study, outcome):
        return sitting.completion_code
    return _declared(sitting.study.codes, outcome)


def gives_code(study: Study) -> bool:
    """Whether who completes a sitting gets a code to hand in."""
    return Outcome.COMPLETED in study.codes or _has_own_code(study, Outcome.COMPLETED)


def _has_own_code(study: Study, outcome: Outcome) -> bool:
    """By what the study declares, so that it stays so when an id that an address carries is erased."""
    return not study.codes and all("{code}" in template for template in _templates(study, outcome))


def _form(sitting: Sitting, outcome: Outcome, code: str) -> Form | None:
    framing = framing_of(sitting.study)
    if framing is None or not (sitting.submits_to and sitting.platform_session):
        return None
    fields = {sitting.study.session_parameter: sitting.platform_session, "outcome": outcome.value, "code": code}
    return Form(framing.submits[sitting.submits_to], fields)


def of_visit(sitting: Sitting, outcome: Outcome | None, *, given_id: str = "") -> WayBack:
    """For its holder, by the study's own codes."""
    given_id = given_id or PlatformId.current(sitting.study_id, sitting.annotator_id)
    return way_back(sitting.study, outcome, given_id=given_id, session=sitting.platform_session)


def of_visitor(visitor: Visitor, outcome: Outcome | None, last: Sitting | None) -> WayBack:
    """For somebody who cannot begin. In the visit in which `last` was held, theirs is that sitting's own."""
    if last is not None and last.is_over and last.platform_session == visitor.platform_session:
        return of_sitting(last)
    study, given_id = visitor.link.study, "" if visitor.platform == BY_LINK else visitor.external_id
    if outcome is Outcome.TOO_LATE and not {Outcome.TOO_LATE, EVERY} & {*study.codes, *study.addresses}:
        # Who has done nothing yet has come to a study that is full, where it does not tell the two apart.
        outcome = Outcome.QUOTA_FULL
    return way_back(study, outcome, given_id=given_id, session=visitor.platform_session)


def way_back(study: Study, outcome: Outcome | None, *, given_id: str = "", session: str = "") -> WayBack:
    """By the study's own codes. Without an outcome, only to where the platform is at home."""
    code = _declared(study.codes, outcome)
    values = {"code": code, "outcome": outcome or "", "id": given_id, "session": session}
    for template in _templates(study, outcome):
        if address := filled_in(template, values):
            return WayBack(code, False, address, bool(code) and "{code}" in template, study.redirects)
    return WayBack(code, False, study.addresses.get(HOME, ""))


def _templates(study: Study, outcome: Outcome | None) -> list[str]:
    """Of addresses that tell how it ended, the outcome's own first."""
    templates = [_declared(study.addresses, outcome), study.addresses.get(EVERY, "") if outcome else ""]
    return [one for one in templates if one]


def _declared(table: Mapping[str, str], outcome: Outcome | None) -> str:
    """Whoever failed checks has done the work: a study that does not tell them apart gives them the same."""
    if outcome is None:
        return ""
    instead = table.get(Outcome.COMPLETED, "") if outcome is Outcome.FAILED_CHECKS else ""
    return table.get(outcome, instead)
