"""Whose a sitting is: the browser's that began it, until it is released or taken over in a way the study allows."""

from collections.abc import Iterable

from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from annotation.arrival.refusals import BegunElsewhere
from annotation.arrival.visitor import Visitor, known_browser
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Annotator, Sitting, Study
from annotation.platforms import Recovery

# With what a sitting's `browser` begins once its annotator's data was erased: nobody goes on with it, and it is not
# released.
ERASED = "erased"


def is_holder(request: HttpRequest, sitting: Sitting) -> bool:
    """Whether this browser has begun the sitting, or taken it over. The sitting's address alone shows nothing."""
    browser = known_browser(request)
    return browser is not None and sitting.browser == browser.key


def was_holder(request: HttpRequest, sitting: Sitting) -> bool:
    """Whether this browser held it when its annotator's data was erased."""
    browser = known_browser(request)
    return browser is not None and constant_time_compare(sitting.browser, _sealed(sitting, browser.key))


def is_erased(sitting: Sitting) -> bool:
    return sitting.browser.startswith(ERASED)


def seal(sittings: Iterable[Sitting]) -> None:
    """Take them away from their browsers, which are told so when they come again."""
    for sitting in sittings:
        if not is_erased(sitting):
            sitting.browser = _sealed(sitting, sitting.browser) if sitting.browser else ERASED
            sitting.save(update_fields=["browser"])


def _sealed(sitting: Sitting, key: str) -> str:
    """A keyed hash, of each sitting another: it does not lead to what the same browser holds elsewhere."""
    return f"{ERASED}:{salted_hmac('annotation.erased', f'{sitting.token}/{key}', algorithm='sha256').hexdigest()[:48]}"


def may_have(visitor: Visitor, sitting: Sitting) -> bool:
    """Whether this browser may go on with what was begun with the visitor's id."""
    return not is_erased(sitting) and (sitting.browser in ("", visitor.browser.key) or _recovers(visitor, sitting))


def _recovers(visitor: Visitor, sitting: Sitting) -> bool:
    """By more than the id, where the study allows it: the platform's session, or a personal link."""
    ways = visitor.link.study.recovery
    session = sitting.platform_session
    same_session = bool(session) and constant_time_compare(session, visitor.platform_session)
    return (Recovery.SESSION in ways and same_session) or (Recovery.PERSONAL_LINK in ways and visitor.is_signed)


def hold(study: Study, annotator: Annotator, visitor: Visitor) -> None:
    """Under the study's lock: make the annotator's sittings this browser's, if they may be. Raises BegunElsewhere.

    All of one annotator are held by one browser, so that the latest speaks for the others.
    """
    sittings = study.sittings.filter(annotator=annotator)
    last = sittings.order_by("-started_at", "-pk").first()
    if last is None:
        return
    if not may_have(visitor, last):
        raise BegunElsewhere
    if last.browser != visitor.browser.key:
        sittings.update(browser=visitor.browser.key)
    if visitor.platform_session and not last.is_over:
        # Who gave a place back and took another goes on with what they began, and hands it in for that one.
        sittings.filter(pk=last.pk).update(**visitor.visit())


def take(visitor: Visitor, annotator: Annotator) -> None:
    """Go on in this browser with what was begun in another. Raises BegunElsewhere."""
    with transaction.atomic():
        hold(Study.objects.select_for_update(no_key=True).get(pk=visitor.link.study_id), annotator, visitor)


def release(study: Study, sittings: Iterable[str]) -> int:
    """Let the annotators of these sittings, by token, go on in another browser: the next that comes with their id.

    Everything of theirs in the study is released. Returns of how many annotators.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        chosen = study.sittings.filter(token__in=list(sittings)).exclude(browser="")
        chosen = chosen.exclude(browser__startswith=ERASED)
        annotators = set(chosen.values_list("annotator", flat=True))
        study.sittings.filter(annotator__in=annotators).update(browser="")
        if annotators:
            record(study, Deed.RELEASED, facts={"annotators": len(annotators)})
    return len(annotators)
