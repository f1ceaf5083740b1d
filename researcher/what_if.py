"""What another quality policy would do to the answers that a study has: whom and which labels it would exclude, and
what would be left. Nothing is changed. Used by the page and by the command `whatif`.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from django import forms
from numpy.typing import NDArray
from pydantic import TypeAdapter

from annotation.models import Assignment, Exclusion, Item, Study
from annotation.quality.policy import LIMITS, Policy
from annotation.quality.rerun import rejudge
from annotation.quality.rules import Evidence
from annotation.quality.sentences import because
from comparison.frame import selected
from comparison.frame.cache.computing import Computing, WorkerTask, start
from comparison.frame.cache.gathered import Gathered, read_one
from comparison.frame.cache.remembered import known, remembered
from comparison.statistics.agreement.alpha import krippendorff_alpha
from comparison.statistics.agreement.from_counts import percent_agreement
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample, grouped
from researcher.setup.part_form import field_for
from researcher.studies.current_figures import Shown

TRY_POLICY = WorkerTask(name="what if")

State = Assignment.State
BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Standing:
    """Labels that count; items below their number, and how many labels they lack; agreement."""

    labels: int
    below: int
    missing: int
    alpha: Estimate
    percent: Estimate


def standing(counts: Ints, wanted: Ints, *, ordered: bool, sample: Sample) -> Standing:
    """Of counts (items, values) and the labels that each item wants."""
    lacking = np.maximum(wanted - counts.sum(axis=1), 0)
    return Standing(
        labels=int(counts.sum()),
        below=int((lacking > 0).sum()),
        missing=int(lacking.sum()),
        alpha=krippendorff_alpha(counts, level="ordinal" if ordered else "nominal", sample=sample),
        percent=percent_agreement(counts, sample=sample),
    )


def without(counts: Ints, items: Ints, labels: Ints) -> Ints:
    """The counts less these labels.

    >>> without(np.array([[2, 1]]), np.array([0]), np.array([0])).tolist()
    [[1, 1]]
    """
    left = counts.copy()
    np.subtract.at(left, (items, labels), 1)
    return left


def with_room(counts: Ints, room: Ints, items: Ints, labels: Ints) -> Ints:
    """The counts and these labels, in turn, each where its item still has room.

    >>> with_room(np.array([[1, 0]]), np.array([1]), np.array([0, 0]), np.array([1, 0])).tolist()
    [[1, 1]]
    """
    more, left = counts.copy(), room.copy()
    for item, label in zip(items.tolist(), labels.tolist(), strict=True):
        if left[item] > 0:
            left[item] -= 1
            more[item, label] += 1
    return more


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator who is excluded now, or would be. `now` and `then` say why; empty: their labels count."""

    name: str
    now: str
    then: str

    @property
    def change(self) -> str:
        if self.now and self.then:
            return "stays excluded"
        return "would be excluded" if self.then else "would count again"


@dataclass(frozen=True, slots=True)
class WhatIf:
    """`lifted`: those who break the policy and whom a researcher has let back in, which stands."""

    people: tuple[Person, ...]
    lifted: int
    stopping: int
    returning: int
    before: Standing
    after: Standing

    @property
    def changing(self) -> tuple[Person, ...]:
        return tuple(one for one in self.people if not (one.now and one.then))

    @property
    def is_same(self) -> bool:
        return not self.changing


WHAT_IF = TypeAdapter(WhatIf)


def parts(policy: Policy, gathered: Gathered) -> list[object]:
    """What it is remembered by."""
    return ["what if", asdict(policy), gathered.version]


def what_if(study: Study, policy: Policy, gathered: Gathered) -> WhatIf:
    return remembered(WHAT_IF, parts(policy, gathered), lambda: _what_if(study, policy))


def _what_if(study: Study, policy: Policy) -> WhatIf:
    verdicts = {one.annotator_id: one for one in study.exclusions.all()}
    now = {who: one for who, one in verdicts.items() if one.lifted_at is None}
    broken = rejudge(study, policy)
    lifted = {who for who in broken if who in verdicts and who not in now and not verdicts[who].lifted_by_policy}
    then = {who: _why(found) for who, found in broken.items() if who not in lifted}
    # What a researcher has decided is no matter of the policy.
    then |= {who: _said(one) for who, one in now.items() if one.rule == Exclusion.Rule.RESEARCHER}
    names = study.annotator_numbers.names(now.keys() | then.keys())
    people = [Person(name, _said(now[who]) if who in now else "", then.get(who, "")) for who, name in names.items()]
    return _with_effect(study, tuple(sorted(people, key=lambda one: bool(one.now and one.then))), lifted, now, then)


def _with_effect(
    study: Study, people: tuple[Person, ...], lifted: set[int], now: Mapping[int, Exclusion], then: Mapping[int, str]
) -> WhatIf:
    scale = study.task.scale
    columns = ("pk", "group", "target", "reserved", "tally")
    targets = study.items.filter(kind=Item.Kind.TARGET).order_by("position").values_list(*columns)
    rows: dict[int, int] = {}
    counts, groups, limits = [], [], []
    for place, (pk, group, target, reserved, tally) in enumerate(targets.iterator(chunk_size=BATCH)):
        rows[pk] = place
        counts.append([tally.get(value, 0) for value in scale.values])
        groups.append(group)
        limits.append((target, reserved))
    before = np.array(counts, dtype=np.int64).reshape(len(rows), len(scale.values))
    wanted, reserved = np.array(limits, dtype=np.int64).reshape(len(rows), 2).T
    wanted_then = wanted
    if study.policy.drops:
        after, left_over = _dropping(study, rows, then, shape=before.shape)
        wanted_then = np.where(left_over, 0, study.labels_per_item)
        both = np.minimum(before, after)
        stopping, returning = int((before - both).sum()), int((after - both).sum())
    else:
        out = _labels(study, then.keys() - now.keys(), State.COUNTED, rows)
        back = _labels(study, now.keys() - then.keys(), State.EXCLUDED, rows)
        left = without(before, *out)
        after = with_room(left, wanted - reserved - left.sum(axis=1), *back)
        stopping, returning = len(out[0]), int(after.sum() - left.sum())
    sample = grouped(groups)
    return WhatIf(
        people=people,
        lifted=len(lifted),
        stopping=stopping,
        returning=returning,
        before=standing(before, wanted, ordered=scale.ordered, sample=sample),
        after=standing(after, wanted_then, ordered=scale.ordered, sample=sample),
    )


def _dropping(
    study: Study, rows: Mapping[int, int], then: Mapping[int, str], *, shape: tuple[int, ...]
) -> tuple[Ints, NDArray[np.bool_]]:
    """The counts where an item is dropped that any of those excluded `then` has labeled; and which items these are."""
    codes = {value: code for code, value in enumerate(study.task.scale.values)}
    states = (State.COUNTED, State.EXCLUDED, State.DROPPED)
    given = Assignment.objects.filter(sitting__study=study, state__in=states, item__kind=Item.Kind.TARGET)
    counts, dropped = np.zeros(shape, dtype=np.int64), np.zeros(shape[0], dtype=bool)
    for item, who, answer in given.values_list("item_id", "annotator_id", "judgment__answer").iterator(
        chunk_size=BATCH
    ):
        counts[rows[item], codes[answer]] += 1
        dropped[rows[item]] |= who in then
    counts[dropped] = 0
    return counts, dropped


def _labels(study: Study, annotators: Collection[int], state: str, rows: Mapping[int, int]) -> tuple[Ints, Ints]:
    """The rows of the items and the codes of the labels that these annotators gave to targets, in order."""
    codes = {value: code for code, value in enumerate(study.task.scale.values)}
    given = Assignment.objects.filter(
        sitting__study=study, annotator__in=annotators, state=state, item__kind=Item.Kind.TARGET
    )
    read = given.order_by("pk").values_list("item_id", "judgment__answer").iterator(chunk_size=BATCH)
    found = np.array([(rows[item], codes[answer]) for item, answer in read], dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _said(exclusion: Exclusion) -> str:
    """Why in the words of its rule; what a researcher wrote stands on the study's page, for those who may see it."""
    return because(exclusion.rule, exclusion.evidence, in_full=False)


def _why(found: Evidence) -> str:
    assert found.broken_rule is not None, "only such evidence is a verdict"
    return because(found.broken_rule, found.as_json())


class PolicyForm(forms.Form):
    """A field for each limit; its value must be what study.toml asks for."""

    def __init__(self, asked: Mapping[str, str], *, study: Study) -> None:
        own = {name: str(value) for name, value in asdict(study.policy).items()}
        super().__init__({**own, **{name: asked[name] for name in LIMITS if asked.get(name)}})
        self.after_exclusion = study.policy.after_exclusion
        self.greatest = study.task.scale.greatest_distance
        for name, limit in LIMITS.items():
            self.fields[name] = field_for(limit)
            self.fields[name].required = True

    def clean(self) -> dict[str, Any]:
        for name, value in list(self.cleaned_data.items()):
            if not LIMITS[name].holds(value):
                self.add_error(name, f"It must be {LIMITS[name].must_be}.")
        if self.cleaned_data.get("gold_distance", 0) > self.greatest:
            self.add_error("gold_distance", f"Answers of this task are at most {self.greatest} apart.")
        return self.cleaned_data

    def policy(self) -> Policy:
        return Policy(**self.cleaned_data, after_exclusion=self.after_exclusion)


def read_what_if(study: Study, policy: Policy) -> Shown[WhatIf]:
    gathered = read_one(study)
    if gathered.answers <= selected.QUICK:
        return Shown(what_if(study, policy, gathered))
    found = known(WHAT_IF, {"": parts(policy, gathered)})
    if found:
        return Shown(found[""])
    computing = making_of(study, policy)
    start(computing, TRY_POLICY, study.pk, asdict(policy), answers=gathered.answers)
    return Shown(None, progress=computing.progress())


def make_what_if(study: Study, policy: Policy) -> None:
    """Compute it for the data as they are; the page then has it."""
    gathered, computing = read_one(study), making_of(study, policy)
    computing.report("checking every answer")
    with computing.telling():
        what_if(study, policy, gathered)
        computing.finish(gathered)


def making_of(study: Study, policy: Policy) -> Computing:
    return Computing(study.pk, "what if", json.dumps(asdict(policy), sort_keys=True))
