"""Who comes when: the first half, then a look at the forecast, the second half, and others until nothing is missing."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from django.db import connections
from django.db.models import F, Max
from django.utils import timezone

from annotation.assignment import release_lapsed
from annotation.models import Item, Sitting, Study
from annotation.models.sitting import HOLDING
from bench.crowd.foreseen import Foreseen, foresee
from bench.crowd.personas import LATE, Person, cast
from bench.crowd.study import World
from bench.crowd.walk import Participant, Visit
from tests.annotation.pages.bot import Bot

# More than this would mean that the study cannot fill up.
MOST_WAVES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """How they come: so many at once, each in a browser of their own."""

    study: Study
    world: World
    new_browser: Callable[[], Bot]
    at_once: int = 8

    def come(self, people: list[Person]) -> list[Visit]:
        link = self.study.links.get().get_absolute_url()

        def comes(person: Person) -> Visit:
            someone = Participant(person, world=self.world, link=link, new_browser=self.new_browser)
            try:
                return someone.takes_part(most_targets=self.study.max_items_per_annotator)
            finally:
                # Where the pages are served in this process, each thread has a connection of its own.
                connections.close_all()

        with ThreadPoolExecutor(self.at_once) as pool:
            return list(pool.map(comes, people))


@dataclass(frozen=True, slots=True)
class Came:
    """`planned` of the visits were those of the cast; the others filled up what was missing, and one came too late."""

    visits: list[Visit]
    planned: int
    foreseen: Foreseen


def collect(crowd: Crowd, *, people: int, seed: int, lapse: Callable[[Study], None]) -> Came:
    """`lapse` lets the leases of those who have left run out."""
    study, planned = crowd.study, cast(people, seed=seed)
    half = len(planned) // 2
    visits = crowd.come(planned[:half])
    lapse(study)
    foreseen = foresee(study)
    visits += crowd.come(planned[half:])
    lapse(study)
    further = iter(cast(MOST_WAVES * crowd.at_once, seed=seed, first=len(planned) + 1))
    while is_missing(study) and (wave := list(islice(further, crowd.at_once))):
        visits += crowd.come(wave)
        lapse(study)
    visits += crowd.come([Person(LATE, len(visits) + 1, seed)])
    return Came(visits, len(planned), foreseen)


def is_missing(study: Study) -> bool:
    return study.items.filter(kind=Item.Kind.TARGET, counted__lt=F("target")).exists()


def wait_for_leases(study: Study) -> None:
    """As long as they run; then the slots are released as the clock does every half minute (docs/running.md)."""
    held = study.sittings.filter(state=Sitting.State.ACTIVE, stage__in=HOLDING)
    until = held.aggregate(until=Max("lease_expires_at"))["until"]
    if until is not None:
        time.sleep(max(0.0, (until - timezone.now()).total_seconds() + 0.1))
        release_lapsed(study=study)
