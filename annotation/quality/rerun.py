"""A policy held against the answers that are there: whom it would exclude. Nothing is changed.

Checks and times are first summed up in the database, and only the answers of those who break a limit are read one by
one; where the policy asks for rows and patterns, everybody's are.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import timedelta
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, F, Q, QuerySet

from annotation.models import Assignment, Item, Study
from annotation.quality.evidence import Evidence, held_against
from annotation.quality.policy import Policy
from annotation.quality.reading import CHECKS, answered, read_given, with_times
from annotation.tasktypes.contract import Scale


def rejudge(study: Study, policy: Policy, *, among: Collection[int] | None = None) -> dict[int, Evidence]:
    """The evidence of every annotator whose answers break a rule of the policy, whatever was decided before.

    `among`: only of these is it asked.
    """
    scale, answers = study.task.scale, answered(study)
    if among is not None:
        answers = answers.filter(annotator__in=among)
    if not policy.orders:
        suspects = _by_checks(answers, policy, scale) | _by_times(answers, policy)
        answers = answers.filter(annotator__in=suspects)
    found = {}
    for annotator, given in groupby(read_given(answers, policy), key=itemgetter(0)):
        evidence = held_against(policy, [one for _, one in given], scale)
        if evidence.broken_rule is not None:
            found[annotator] = evidence
    return found


def _by_checks(answers: QuerySet[Assignment], policy: Policy, scale: Scale) -> set[int]:
    """Those who fail more attention checks than allowed, or a larger share of gold."""
    rows = (
        answers.filter(item__kind__in=CHECKS)
        .values_list("annotator", "item__kind", "item__reference", "judgment__answer")
        .annotate(count=Count("pk"))
    )
    failed, gold, far = defaultdict[int, int](int), defaultdict[int, int](int), defaultdict[int, int](int)
    for annotator, kind, reference, answer, count in rows:
        assert reference is not None  # the database holds checks to it
        if kind == Item.Kind.ATTENTION:
            failed[annotator] += count * (answer != reference)
        else:
            gold[annotator] += count
            far[annotator] += count * (scale.distance(reference, answer) >= policy.gold_distance)
    inattentive = {who for who, count in failed.items() if count > policy.max_attention_failures}
    return inattentive | {who for who, count in far.items() if count > policy.gold_tolerance * gold[who]}


def _by_times(answers: QuerySet[Assignment], policy: Policy) -> set[int]:
    """Those of whom enough answers are below a floor, by browser or by server; those given elsewhere have no time."""
    if not policy.times:
        return set()
    timed = with_times(answers.exclude(state=Assignment.State.DECLINED).filter(sitting__source__isnull=True))
    of_all = (
        timed.values_list("annotator")
        .annotate(timed=Count("pk"), below=Count("pk", filter=_below(policy.item_floor_ms)))
        .values_list("annotator", "timed", "below")
    )
    of_sittings = (
        timed.values_list("annotator", "sitting")
        .annotate(timed=Count("pk"), below=Count("pk", filter=_below(policy.sitting_floor_ms)))
        .values_list("annotator", "timed", "below")
    )
    quick = {who for who, count, below in of_all if below > policy.quick_tolerance * count}
    return quick | {who for who, count, below in of_sittings if 2 * below > count}


def _below(floor: int) -> Q:
    """Quicker than so many milliseconds: as the browser said, or since no more had passed when it was answered."""
    served_later = Q(first_at__lt=F("shown_at") + timedelta(milliseconds=floor))
    return Q(claimed_ms__lt=floor) | served_later | Q(shown_at=None)
