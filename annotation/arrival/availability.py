"""Whether somebody could begin now, for the page that they look at first. Nothing is locked, and nothing stored.

It is `annotation.assignment.start` that decides; this is so that nobody reads all of it, or agrees, for nothing.
"""

from functools import partial

from annotation.arrival.places import arrival_of, refuse_full_link
from annotation.arrival.refusals import LinkFull, TooManyAtOnce
from annotation.arrival.repeats import refuse_repeat
from annotation.arrival.visitor import Visitor
from annotation.assignment import refuse_who_may_not
from annotation.models import Sitting
from annotation.stages.items import nothing_for, open_targets


def refuse_in_vain(visitor: Visitor, last: Sitting | None) -> None:
    """For somebody who would begin; `last` is their latest sitting, which is over. Raises what `start` raises."""
    study, annotator = visitor.link.study, last.annotator if last is not None else visitor.known()
    refuse_who_may_not(study, annotator)
    if last is None:
        refuse_repeat(study, visitor.platform, visitor.known_by)
    # Places and slots of those who have gone are free for whoever begins, and those of the idle may be. Who would give
    # way is asked only where nothing is free: most who look find something.
    arrival = partial(arrival_of, study, visitor.link, visitor.origin, study.sittings.all())
    try:
        refuse_full_link(study, visitor.link, origin=visitor.origin)
    except LinkFull:
        by_link, comes = study.sittings.filter(link=visitor.link), arrival()
        if not comes.evictable(by_link).exists():
            if comes.place_may_come_free(by_link):
                raise TooManyAtOnce from None
            raise
    found, _ = open_targets(study, annotator)
    held = study.sittings.all() if annotator is None else study.sittings.with_items_for(annotator.pk)
    if found.exists() or held.overdue().exists():
        return
    comes = arrival()
    if not comes.evictable(held).exists():
        raise TooManyAtOnce() if comes.may_come_free(held) else nothing_for(study, annotator)
