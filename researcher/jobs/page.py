"""Whose jobs a page may show, and what it shows of one: how far it is, at which rate, what came of it, and the command
that does the same.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.access.visible import Reader, studies_for
from annotation.models import Study
from researcher.imports.registry import KINDS
from researcher.models import Job
from stimuli.making.options import Kind, declared

# A rate of the first moments says little.
SHORTEST_SECONDS = 2.0
COMMANDS = {Job.Kind.CONSTRUCTION: "build_study", Job.Kind.DATA_SET: "import_study"}
FORMS = {Job.Kind.CONSTRUCTION: "construction", Job.Kind.DATA_SET: "data_set"}
UNITS = {"doc": "documents"}
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class JobPage:
    job: Job
    now: datetime
    studies: Sequence[Study] = ()

    @property
    def is_counted(self) -> bool:
        return self.job.of > 0

    @property
    def count(self) -> str:
        """`1,200 of 3,000 documents`, or `1.2 of 30.5 MB`."""
        done, of, unit = self.job.done, self.job.of, self.job.unit
        if unit == "B":
            return f"{done / MEGABYTE:,.1f} of {of / MEGABYTE:,.1f} MB"
        return f"{done:,} of {of:,} {UNITS.get(unit, unit)}".strip()

    @property
    def rate(self) -> str:
        """What a second brings; empty as long as nobody can say."""
        if (per_second := self._per_second) is None:
            return ""
        if self.job.unit == "B":
            return f"{per_second / MEGABYTE:.2f} MB a second"
        return f"{per_second:,.0f} a second" if per_second >= 10 else f"{per_second:.1f} a second"

    @property
    def left(self) -> str:
        if not (per_second := self._per_second):
            return ""
        seconds = (self.job.of - self.job.done) / per_second
        return f"about {max(1, round(seconds))} s left" if seconds < 90 else f"about {round(seconds / 60):,} min left"

    @cached_property
    def _per_second(self) -> float | None:
        if self.job.state != Job.State.RUNNING or not self.job.done or self.job.step_at is None:
            return None
        seconds = (self.now - self.job.step_at).total_seconds()
        return self.job.done / seconds if seconds >= SHORTEST_SECONDS else None

    @property
    def log(self) -> list[tuple[datetime, str]]:
        return [(datetime.fromisoformat(when), words) for when, words in self.job.log]

    @property
    def took(self) -> str:
        if self.job.took is None:
            return ""
        seconds = self.job.took.total_seconds()
        return f"{seconds:.1f} s" if seconds < 90 else f"{seconds / 60:.0f} min"

    @property
    def form(self) -> str:
        """Where something like it is asked for; empty for what goes into a study."""
        name = FORMS.get(Job.Kind(self.job.kind))
        return f"{reverse(name, args=[self.job.key])}?like={self.job.pk}" if name else ""

    @property
    def columns(self) -> str:
        """Where columns are chosen, of files that are brought into a study and wait or have failed; else empty."""
        job = self.job
        waits = job.state == Job.State.PREPARED or job.can_start_again
        if job.study is None or not waits or job.key in KINDS[job.kind].named:
            return ""
        return reverse(f"{KINDS[job.kind].address}_columns", args=[job.study.slug, job.pk])

    @property
    def is_brought(self) -> bool:
        """Whether something has come into a study that was there."""
        return self.job.state == Job.State.FINISHED and self.job.study is not None

    @property
    def command(self) -> str:
        """The same on the command line; empty for what has none here."""
        if self.job.kind not in COMMANDS:
            return ""
        given = dict(self.job.given)
        parser = declared(self.job.kind, self.job.key)
        for option in parser.options:
            if option.kind is Kind.FILE:
                names = [file["name"] for file in self.job.files if file["option"] == option.name]
                names += self.job.sources.get(option.name, [])
                if names:
                    given[option.name] = names if option.several else names[0] if len(names) == 1 else "FOLDER"
        verb = COMMANDS[Job.Kind(self.job.kind)]
        return shlex.join(["python", "manage.py", verb, self.job.key, *parser.arguments(given)])


def read_job_page(job: Job) -> JobPage:
    made = (
        job.made.annotate(figures_made=Count("made_figures")).order_by("slug")
        if job.state == Job.State.FINISHED
        else ()
    )
    return JobPage(job, timezone.now(), list(made))


def jobs_for(user: Reader) -> QuerySet[Job]:
    """Those that the user asked for, in studies in which they may still ask for it; a superuser's are all."""
    if not isinstance(user, User) or not user.is_active:
        return Job.objects.none()
    if user.is_superuser:
        return Job.objects.all()
    allowed = Q(study=None)
    # What bringing something into a study asks for there, also of whoever only looks at how far it is.
    for key, kind in KINDS.items():
        allowed |= Q(kind=key, study__in=studies_for(user, kind.right))
    return Job.objects.filter(allowed, owner=user)
