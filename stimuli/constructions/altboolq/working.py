"""The work on each document, on all cores; what is finished is kept, so that a killed build goes on from there."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.sweep import in_order
from corpus.workplace import Bar, Finished, OnProgress
from stimuli.constructions.altboolq.documents import REDACTED, Document, may_change
from stimuli.constructions.altboolq.vectors import Group, NewGroup, Space, replace_group

# Documents handed to a process at once, and how many such portions wait for each.
PORTION = 8


def torn(forms: dict[str, set[str]], selection: Sequence[Group]) -> list[list[str]]:
    """The forms of each lemma that are not all in one group, or of which only some were selected."""
    group_of = {word: number for number, group in enumerate(selection) for word in group}
    errors = [sorted(words) for words in forms.values() if len({group_of.get(word, -1) for word in words}) > 1]
    return sorted(errors)


@dataclass(frozen=True, slots=True)
class Job:
    """One document with the groups of its words that change."""

    document: Document
    selection: list[Group]
    # Each lemma with its forms in the document, and the kind of each selected word.
    forms: dict[str, set[str]]
    kinds: dict[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is the same for all documents."""

    space: Space
    seed: int
    keep_lemma_errors: bool


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """One document's outcome. `new_words` is empty where lemma errors set the document aside."""

    id: str
    lemma_errors: list[list[str]]
    groups: list[NewGroup]
    selected: list[str]
    unknown: list[str]

    @property
    def new_words(self) -> dict[str, str]:
        """Old word → new word. Selected words that found no replacement are redacted like unknown ones."""
        found = dict.fromkeys([*self.unknown, *self.selected], REDACTED)
        for group in self.groups:
            found.update(zip(group.words, group.new, strict=True))
        return found

    def as_json(self) -> dict[str, Any]:
        groups = [
            [one.words, one.new, one.cluster_match, one.similarity, one.of_kind, one.in_band] for one in self.groups
        ]
        return {
            "id": self.id,
            "lemma_errors": self.lemma_errors,
            "groups": groups,
            "selected": self.selected,
            "unknown": self.unknown,
        }


def from_json(value: dict[str, Any]) -> DocumentOutcome:
    groups = [NewGroup(tuple(words), tuple(new), *figures) for words, new, *figures in value["groups"]]
    return DocumentOutcome(value["id"], value["lemma_errors"], groups, value["selected"], value["unknown"])


def work(job: Job, plan: Plan) -> DocumentOutcome:
    """One document: its lemma errors, and new words unless those set it aside. Depends on no other document."""
    known = plan.space.vectors.index
    # Structural words are kept even where the vectors have none for them: without `the`, nothing is a passage.
    may_be_unknown = job.document.counts.keys() - known.keys() - plan.space.structural
    unknown = sorted(word for word in may_be_unknown if may_change(word))
    selected = [word for group in job.selection for word in group]
    errors = torn(job.forms, job.selection)
    found: list[NewGroup] = []
    if not errors or plan.keep_lemma_errors:
        rng = random.Random(f"{plan.seed}/{job.document.id}")
        avoid = set(job.document.counts)
        for group in job.selection:
            new = replace_group(group, plan.space, avoid=avoid, rng=rng, kinds=job.kinds)
            if new is not None:
                found.append(new)
                avoid.update(new.new)
    return DocumentOutcome(job.document.id, errors, found, selected, unknown)


def finished_work(
    jobs: Sequence[Job],
    plan: Plan,
    path: Path,
    about: dict[str, Any],
    *,
    processes: int,
    afresh: bool,
    told: OnProgress,
) -> tuple[list[DocumentOutcome], int]:
    """`work` for all jobs, in their order, and how many of them were in `path` from an earlier build."""
    with Finished(path, about, afresh=afresh) as finished:
        # A longer build may have been here before; only as many as are asked for are taken.
        made = [from_json(value) for value, _ in zip(finished, jobs, strict=False)]
        earlier = len(made)
        with Bar("documents", len(jobs), unit="doc", told=told, done=earlier) as bar:
            for one in _done(jobs[earlier:], plan, processes):
                finished.add(one.as_json())
                made.append(one)
                bar.update()
    return made, earlier


def _done(jobs: Sequence[Job], plan: Plan, processes: int) -> Iterator[DocumentOutcome]:
    portions = [jobs[start : start + PORTION] for start in range(0, len(jobs), PORTION)]
    if processes == 1 or len(portions) == 1:
        yield from (work(job, plan) for job in jobs)
        return
    for made in in_order(portions, _work_on, processes=processes, begin=_begin, arguments=(plan,)):
        yield from made


_at_work: list[Plan] = []


def _begin(plan: Plan) -> None:
    from threadpoolctl import threadpool_limits

    # A process for each core leaves no core for threads; and sums of several threads depend on their number.
    threadpool_limits(1)
    _at_work[:] = [plan]


def _work_on(jobs: Sequence[Job]) -> list[DocumentOutcome]:
    (plan,) = _at_work
    return [work(job, plan) for job in jobs]
