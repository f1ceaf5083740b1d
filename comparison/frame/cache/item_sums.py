"""How many items of each kind studies have, and how many labels count: sums over all their items.

Of a small study the database sums at each visit. Of a large one they are remembered: kinds for the state of its items,
labels for the latest answer, and while people are answering for some seconds, so that no visit reads two million rows.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.utils import timezone
from redis.exceptions import RedisError

from annotation.models import Act, Exclusion, Item, Sitting, Study
from corpus.provenance import digest

ITEM_SUMS = {
    "items": Count("pk"),
    "complete": Count("pk", filter=Q(counted__gte=F("target"), target__gt=0)),
    "dropped": Count("pk", filter=Q(target=0, study__as_imported=False)),
    "labels": Sum("counted"),
    "wanted": Sum("target"),
}
KINDS = {kind.value: Count("pk", filter=Q(kind=kind)) for kind in Item.Kind} | {
    # Targets with a reference.
    "keys": Count("pk", filter=Q(kind=Item.Kind.TARGET, reference__isnull=False))
}
# Items from which on sums are remembered, and for how long a sum may lag behind the answers.
MANY = 50_000
LAG_SECONDS = 15
KEPT_SECONDS = 24 * 3600

Row = Mapping[str, Any]


def read_kinds(study: Study) -> Row:
    """Items by kind, and `keys`."""
    key = f"items:kinds:{study.pk}:{study.content_hash}"
    counts: Row | None = _known([key]).get(key)
    if counts is None:
        counts = study.items.order_by().aggregate(**KINDS)
        if sum(counts[kind] for kind in Item.Kind.values) >= MANY:
            _keep({key: counts})
    return counts


def read_sums(studies: Sequence[Study]) -> dict[int, Row]:
    """By study; of one without targets nothing."""
    large = _large(studies)
    keys = {pk: f"items:sums:{state}" for pk, state in _states([one for one in studies if one.pk in large]).items()}
    cached = _known(keys.values())
    sums: dict[int, Row] = {pk: cached[key] for pk, key in keys.items() if key in cached}
    missing = [study for study in studies if study.pk not in sums]
    if missing:
        targets = Item.objects.filter(study__in=missing, kind=Item.Kind.TARGET)
        fresh = grouped(targets.values("study"), **ITEM_SUMS)
        sums |= fresh
        _keep({keys[pk]: {name: row[name] for name in ITEM_SUMS} for pk, row in fresh.items() if pk in keys})
        _keep({_mark(study): True for study in missing if fresh.get(study.pk, {"items": 0})["items"] >= MANY})
    return sums


def _large(studies: Iterable[Study]) -> set[int]:
    """Those that were found to be large when they were last summed; others are summed, and found out then."""
    marks = {study.pk: _mark(study) for study in studies}
    cached = _known(marks.values())
    return {pk for pk, mark in marks.items() if mark in cached}


def _mark(study: Study) -> str:
    return f"items:many:{study.pk}:{study.content_hash}"


def _states(studies: Sequence[Study]) -> dict[int, str]:
    """What the sums of large studies rest on: answers, exclusions, what researchers did, and the study itself."""
    if not studies:
        return {}
    pks = [study.pk for study in studies]
    answered = grouped(Sitting.objects.filter(study__in=pks).values("study"), latest=Max("last_answer_at"))
    out = grouped(
        Exclusion.objects.filter(study__in=pks).values("study"),
        count=Count("pk"),
        made=Max("created_at"),
        lifted=Max("lifted_at"),
    )
    acts = dict(Act.objects.filter(study_pk__in=pks).order_by().values_list("study_pk").annotate(Max("pk")))
    return {
        study.pk: digest(
            [
                *(study.pk, study.content_hash, study.declared, study.as_imported, study.state),
                *(_moment(answered.get(study.pk, {}).get("latest")), str(out.get(study.pk)), acts.get(study.pk)),
            ]
        )
        for study in studies
    }


def _moment(latest: datetime | None) -> str:
    """The latest answer; while they come in, the time in steps."""
    if latest is not None and (timezone.now() - latest).total_seconds() < LAG_SECONDS:
        return f"step {time.time() // LAG_SECONDS:.0f}"
    return str(latest)


def grouped(rows: "QuerySet[Any, Row]", **sums: Any) -> dict[int, Row]:
    # order_by() drops the model's own ordering, which would split the groups.
    return {row["study"]: row for row in rows.order_by().annotate(**sums)}


def _known(keys: Iterable[str]) -> dict[str, Any]:
    """Nothing where the cache's server does not answer: then it is all summed."""
    try:
        return cache.get_many(list(keys))
    except RedisError:
        return {}


def _keep(values: Mapping[str, Any]) -> None:
    try:
        cache.set_many(dict(values), KEPT_SECONDS)
    except RedisError:
        return
