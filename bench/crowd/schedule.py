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
from annotation.models import Assignment, Item, Sitting, Study
from annotation.models.sitting import HOLDING
from bench.crowd.personas import LATE, Person, cast
from bench.crowd.study import PAY, World
from bench.crowd.walk import Participant, Visit
from bench.patience import patiently
from comparison.statistics.estimate import Estimate
from researcher.collecting.outlook import Outlook, in_words, read_cost, read_outlook
from tests.annotation.pages.bot import Bot

# More than this would mean that the study cannot fill up.
MOST_WAVES = 30


@dataclass(frozen=True, slots=True)
class Foreseen:
    """`known` are the sittings that there were then."""

    outlook: Outlook
    known: frozenset[int]


@dataclass(frozen=True, slots=True)
class Line:
    """`is_inside`: whether what came lies in the interval; None where there is none."""

    name: str
    forecast: str
    came: float
    is_inside: bool | None


def foresee(study: Study) -> Foreseen:
    return patiently(lambda: Foreseen(read_outlook(study), frozenset(study.sittings.values_list("pk", flat=True))))


def against_what_came(study: Study, foreseen: Foreseen) -> list[Line]:
    """Counted as the forecast counts: sittings with answers that have ended.

    Hours and days are left out: nobody reads here, and the server's clock would measure the machine.
    """
    ended = study.sittings.filter(state__in=[Sitting.State.FINISHED, Sitting.State.LAPSED])
    further = ended.exclude(last_answer_at=None).exclude(pk__in=foreseen.known)
    sittings, left = further.count(), foreseen.outlook.left
    cost = read_cost(foreseen.outlook, PAY)
    labels = Assignment.objects.filter(
        sitting__in=further, state__in=Assignment.ANSWERED, item__kind=Item.Kind.TARGET
    ).count()
    lines = [
        _line("further sittings", left.sittings, sittings),
        _line("labels that they give", left.labels, labels),
    ]
    if cost is not None and cost.estimate is not None:
        lines.append(_line("cost, GBP", cost.estimate, float(PAY) * sittings, decimals=2))
    return lines


def _line(name: str, found: Estimate, came: float, *, decimals: int = 0) -> Line:
    has_ends = found.low is not None and found.high is not None
    inside = found.low <= came <= found.high if has_ends else None  # type: ignore[operator]  # has_ends says so
    return Line(name, in_words(found, decimals=decimals), came, inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """How they come: so many at once, each in a browser of their own."""

    study: Study
    world: World
    new_browser: Callable[[], Bot]
    at_once: int = 8

    def come(self, people: list[Person]) -> list[Visit]:
        link = patiently(lambda: self.study.links.get()).get_absolute_url()

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
    missing = study.items.filter(kind=Item.Kind.TARGET, counted__lt=F("target"))
    return patiently(lambda: missing.exists())


def wait_for_leases(study: Study) -> None:
    """As long as they run; then the slots are released as the clock does every half minute (docs/running.md)."""
    held = study.sittings.filter(state=Sitting.State.ACTIVE, stage__in=HOLDING)
    until = patiently(lambda: held.aggregate(until=Max("lease_expires_at"))["until"])
    if until is not None:
        time.sleep(max(0.0, (until - timezone.now()).total_seconds() + 0.1))
        patiently(lambda: release_lapsed(study=study))
