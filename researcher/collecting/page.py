"""What the first page of collecting shows: how far a study is, what waits, and how good the answers are so far."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Count

from annotation.models import Assignment, Exclusion, Item, ItemReport, LabelSource, Sitting, Study
from annotation.paying.money import pay_of
from annotation.quality.sentences import warnings
from comparison.frame.cache.gathered import Gathered
from comparison.page.drawn.histogram import Histogram, histogram
from comparison.statistics.accuracy.hits import share
from comparison.statistics.estimate import Estimate
from comparison.statistics.response_times import Times
from researcher.collecting.drawn import Curve, Stack, curve, stack
from researcher.collecting.links import LinksPage, read_links
from researcher.collecting.outlook import Cost, Outlook, read_cost
from researcher.collecting.totals import Collected, Collection, Work
from researcher.collecting.verdicts import because
from researcher.studies.current_figures import Shown, read_given_shown
from researcher.studies.list import StudyLine, read_lines

MOST = 20

# That one person cannot judge an item says little of it.
SEVERAL = 2
MOST_ITEMS = 20


@dataclass(frozen=True, slots=True)
class DeclinedItem:
    item: Item
    text: str
    annotators: int


@dataclass(frozen=True, slots=True)
class Declined:
    """`often`: the items that several could not judge, the most often declined first, MOST_ITEMS of them."""

    times: int = 0
    annotators: int = 0
    items: int = 0
    often: tuple[DeclinedItem, ...] = ()


def read_declined(study: Study) -> Declined | None:
    """Of included annotators, on all items but practice, by an index of these answers alone; None where never asked."""
    excluded = Exclusion.objects.in_force().filter(study=study).values("annotator")
    declined = Assignment.objects.filter(state=Assignment.State.DECLINED, item__study=study).order_by()
    declined = declined.exclude(item__kind=Item.Kind.PRACTICE).exclude(annotator__in=excluded)
    sums = declined.aggregate(
        times=Count("pk"), annotators=Count("annotator", distinct=True), items=Count("item", distinct=True)
    )
    if not sums["times"]:
        return Declined() if study.cannot_judge else None
    counts = declined.values_list("item").annotate(count=Count("pk")).filter(count__gte=SEVERAL)
    often = list(counts.order_by("-count", "item")[:MOST_ITEMS])
    items = study.items.in_bulk([pk for pk, _ in often])
    text = study.task.text
    return Declined(**sums, often=tuple(DeclinedItem(items[pk], text(items[pk].content), count) for pk, count in often))


@dataclass(frozen=True, slots=True)
class ReportLine:
    item: str
    text: str
    annotator: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Reports:
    """How many there are, of how many items, and the newest MOST of them."""

    count: int
    items: int
    newest: Sequence[ReportLine]


def read_reports(study: Study, *, anonymous: bool = False) -> Reports | None:
    """None where the study takes none and there are none. `anonymous`: how many, without what anybody wrote."""
    of_study = ItemReport.objects.filter(item__study=study)
    sums = of_study.order_by().aggregate(count=Count("pk"), items=Count("item", distinct=True))
    if not sums["count"]:
        return Reports(0, 0, ()) if study.report_problem else None
    shown = of_study.select_related("item", "sitting")[: 0 if anonymous else MOST]
    names = study.annotator_numbers.names(one.sitting.annotator_id for one in shown)
    newest = [ReportLine(one.item.external_id, one.text, names[one.sitting.annotator_id], one.at) for one in shown]
    return Reports(sums["count"], sums["items"], newest)


# Annotators who are excluded, beside the rest: the others are on the page of annotators.
EXCLUDED = 8
# Names on a line of what is to do.
NAMED = 3
NOTHING_YET = Collected({}, Collection((), 0))


@dataclass(frozen=True, slots=True)
class ExcludedLine:
    """An exclusion in force, why, and what its annotator had given."""

    exclusion: Exclusion
    name: str
    because: str
    work: Work


@dataclass(frozen=True, slots=True)
class Quality:
    """Answers to checks so far, of everybody: attention checks passed, gold within the study's tolerance."""

    attention: Estimate
    gold: Estimate


@dataclass(frozen=True)
class StudyPage:
    """Of annotators and what they gave: `shown` says how old that is."""

    study: Study
    line: StudyLine
    shown: Shown[Collected]
    links: LinksPage
    excluded: list[ExcludedLine]
    excluded_count: int
    submissions: int
    in_progress: int
    # Names of those whose answers are too fast to have read the items.
    hasty: str
    # The files of labels that were imported.
    sources: list[LabelSource]
    warnings: list[str]
    cost: Cost | None
    # None where nobody was asked.
    declined: Declined | None
    reports: Reports | None

    @property
    def given(self) -> Collected:
        return self.shown.found or NOTHING_YET

    @property
    def outlook(self) -> Outlook | None:
        return self.given.outlook

    @property
    def times(self) -> Times | None:
        return self.given.times

    @cached_property
    def progress(self) -> Curve | None:
        """Valid labels over time, with the target and the forecast; None before the first label."""
        collection = self.given.collection
        ends = None
        if collection.days and self.outlook and self.outlook.left.days.value is not None:
            left = self.outlook.left.days
            ends = [
                collection.days[-1].day + timedelta(days=round(days))
                for days in (left.value, left.low, left.high)
                if days is not None
            ]
        return curve(collection, target=self.line.target, ends=ends or [])

    @cached_property
    def agreement(self) -> Stack | None:
        """Items by how their annotators agree; None before one has all its labels."""
        return stack(self.outlook.kinds, self.line.items) if self.outlook else None

    @property
    def untimed(self) -> int:
        """Answers without a response time: their browser ran no scripts, or they came from elsewhere."""
        return sum(one.labels for one in self.given.work.values()) - (self.times.answers if self.times else 0)

    @cached_property
    def response_times(self) -> Histogram | None:
        return histogram(self.times, floor_ms=self.study.policy.item_floor_ms) if self.times else None

    @property
    def quality(self) -> Quality:
        work = self.given.work.values()
        passed, failed = sum(one.passed for one in work), sum(one.failed for one in work)
        gold = [sum(counts) for counts in zip(*(one.distances for one in work if one.distances), strict=True)]
        near = sum(gold[: self.study.policy.gold_distance])
        return Quality(
            share(passed, passed + failed, reason="no attention check answered"),
            share(near, sum(gold), reason="no gold item answered"),
        )


def read_study_page(
    study: Study,
    gathered: Gathered,
    *,
    absolute: Callable[[str], str],
    query: Mapping[str, str],
    anonymous: bool = False,
) -> StudyPage:
    """`absolute` makes a whole address of a path; `query` is the address's; `anonymous`: no one can be told."""
    shown = read_given_shown(study, gathered)
    outlook = shown.found.outlook if shown.found else None
    work = shown.found.work if shown.found else {}
    in_force = Exclusion.objects.in_force().filter(study=study)
    excluded = in_force.order_by("-created_at", "-pk")[:EXCLUDED]
    names = study.annotator_numbers.names(one.annotator_id for one in excluded)
    return StudyPage(
        study=study,
        line=read_lines([study], {study.pk: gathered})[0],
        shown=shown,
        links=read_links(study, absolute),
        excluded=[
            ExcludedLine(
                one, names[one.annotator_id], because(one, in_full=not anonymous), work.get(one.annotator_id, Work())
            )
            for one in excluded
        ],
        excluded_count=in_force.count(),
        submissions=study.sittings.count(),
        hasty=_hasty(study, shown.found) if shown.found else "",
        in_progress=study.sittings.filter(state=Sitting.State.ACTIVE).count(),
        sources=list(study.label_sources.all()),
        warnings=warnings(study),
        cost=read_cost(outlook, query.get("pay", str(pay_of(study) or ""))),
        declined=read_declined(study),
        reports=read_reports(study, anonymous=anonymous),
    )


def _hasty(study: Study, given: Collected) -> str:
    """Who counts still: the first names, and how many more."""
    if not given.hasty:
        return ""
    out = (
        Exclusion.objects.in_force().filter(study=study, annotator__in=given.hasty).values_list("annotator", flat=True)
    )
    names = list(study.annotator_numbers.names(given.hasty.difference(out)).values())
    more = [f"{len(names) - NAMED:,} more"] if len(names) > NAMED else []
    named = [*names[:NAMED], *more]
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))
