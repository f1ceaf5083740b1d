"""Everything that the page of collecting shows, a study's first, read in a constant number of queries: its
links with what each brings, its annotators, and where it stands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Page
from django.db.models import Count, Q
from django.utils import timezone

from annotation.adjudicating import Adjudicated, adjudicated, disputed
from annotation.arrival.limits import turned_away
from annotation.arrival.links import filled_in_by_platform
from annotation.models import LabelSource, Sitting, Study, StudyLink
from annotation.models.sitting import HOLDING, takes_place
from annotation.paying.money import pay_of
from annotation.quality.sentences import policy, warnings
from comparison.frame.cache.gathered import read_one
from researcher.studies.annotators import AnnotatorRow, read_annotators
from researcher.studies.given import Collected, Collection
from researcher.studies.list import StudyLine, read_lines
from researcher.studies.outlook import Cost, Outlook, read_cost
from researcher.studies.payment import PaymentFacts, read_payment_facts
from researcher.studies.problems import Declined, Reports, read_declined, read_reports
from researcher.studies.revision import revisions_at
from researcher.studies.shown import Shown, read_given_shown
from researcher.studies.times import Times
from researcher.studies.verdicts import Verdict, read_verdicts

COUNTED = ("under_way", "before", "unanswered", "finished", "last_hour", "places")

# Annotators on one page.
ROWS = 50
NOTHING_YET = Collected({}, Collection((), 0))


@dataclass(frozen=True, slots=True)
class Arrivals:
    """`most` is how many places there are, 0 for any number. `places` are taken: of those that have `begun`, all but
    those that came to nothing. `refused` is today's by reason, None if it cannot be known.

    Of those under way, `before` have not come to the items, and `unanswered` hold some without an answer yet.
    """

    begun: int
    most: int
    under_way: int
    before: int
    unanswered: int
    finished: int
    last_hour: int
    places: int
    refused: dict[str, int] | None

    @property
    def is_full(self) -> bool:
        return bool(self.most) and self.places >= self.most

    @property
    def refused_most_first(self) -> list[tuple[str, int]]:
        return sorted((self.refused or {}).items(), key=lambda one: (-one[1], one[0]))


def read_arrivals(study: Study, links: list[StudyLink]) -> dict[int, Arrivals]:
    """By link, in one query and one question to the cache."""
    active, now = Q(state=Sitting.State.ACTIVE), timezone.now()
    rows = (
        study.sittings.exclude(link=None)
        .values_list("link")
        .order_by("link")
        .annotate(
            under_way=Count("pk", filter=active),
            before=Count("pk", filter=active & ~Q(stage__in=HOLDING)),
            unanswered=Count("pk", filter=active & Q(has_answered=False, stage__in=HOLDING)),
            finished=Count("pk", filter=Q(state=Sitting.State.FINISHED)),
            last_hour=Count("pk", filter=Q(started_at__gte=now - timedelta(hours=1))),
            places=Count("pk", filter=takes_place(now)),
        )
    )
    counts = {link: dict(zip(COUNTED, counted, strict=True)) for link, *counted in rows}
    refused = turned_away(links)
    nobody = dict.fromkeys(COUNTED, 0)
    return {
        link.pk: Arrivals(
            begun=link.starts,
            most=study.max_starts if link.max_starts is None else link.max_starts,
            refused=None if refused is None else refused[link.pk],
            **counts.get(link.pk, nobody),
        )
        for link in links
    }


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link with the whole address that annotators, or their platform, are given."""

    link: StudyLink
    address: str
    has_expired: bool
    arrivals: Arrivals


@dataclass(frozen=True, slots=True)
class StudyPage:
    """`are_filled_in`: the platform fills in who comes, in the links as they stand."""

    line: StudyLine
    shown: Shown[Collected]
    collection: Collection
    outlook: Outlook | None
    cost: Cost | None
    times: Times | None
    annotators: Page[AnnotatorRow]
    verdicts: list[Verdict]
    payment: PaymentFacts
    links: list[LinkLine]
    are_filled_in: bool
    policy: list[str]
    warnings: list[str]
    barred: int
    to_revise: int
    revised: int
    # None where no item has all its labels yet.
    adjudicated: Adjudicated | None
    # None where nobody was asked.
    declined: Declined | None
    reports: Reports | None
    # The files of labels that were imported.
    sources: list[LabelSource]

    @property
    def to_send(self) -> LinkLine | None:
        """The newest link that has not expired; before that, one that still has a place."""
        valid = [line for line in self.links if not line.has_expired]
        return next((line for line in valid if not line.arrivals.is_full), valid[0] if valid else None)


def read_study_page(
    study: Study,
    *,
    absolute: Callable[[str], str],
    query: Mapping[str, str],
    anonymous: bool = False,
) -> StudyPage:
    """`absolute` makes a whole address of a path; `query` is that of the address, for the pages of long tables.

    `anonymous`: without anything that may say who an annotator is.
    """
    gathered = read_one(study)
    shown = read_given_shown(study, gathered)
    given = shown.found or NOTHING_YET
    to_revise, revised = revisions_at(study)
    return StudyPage(
        line=read_lines([study], {study.pk: gathered})[0],
        shown=shown,
        collection=given.collection,
        annotators=read_annotators(study, given.work, page=query.get("annotators"), size=ROWS, anonymous=anonymous),
        outlook=given.outlook,
        cost=read_cost(given.outlook, query.get("pay", str(pay_of(study) or ""))),
        times=given.times,
        verdicts=read_verdicts(study, anonymous=anonymous),
        payment=read_payment_facts(study),
        links=_links(study, absolute, timezone.now()),
        are_filled_in=bool(filled_in_by_platform(study)),
        policy=policy(study),
        warnings=warnings(study),
        barred=study.barred_ids.count(),
        to_revise=to_revise,
        revised=revised,
        adjudicated=adjudicated(disputed(study)) if study.items.complete().exists() else None,
        declined=read_declined(study),
        reports=read_reports(study, anonymous=anonymous),
        sources=list(study.label_sources.all()),
    )


def _links(study: Study, absolute: Callable[[str], str], now: datetime) -> list[LinkLine]:
    """The newest first, those that have expired last."""
    links = list(study.links.order_by("-created_at", "-pk"))
    arrivals = read_arrivals(study, links)
    filled_in = filled_in_by_platform(study)
    lines = [
        LinkLine(link, absolute(link.get_absolute_url()) + filled_in, link.has_expired(now), arrivals[link.pk])
        for link in links
    ]
    return sorted(lines, key=lambda line: line.has_expired)
