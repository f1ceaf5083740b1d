"""Whose jobs a page may show, and what it shows of one: how far it is, at which rate, what came of it, and the command
that does the same.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import Reader, studies_for
from annotation.models import Study
from researcher.imports.registry import KINDS, columns_address
from researcher.jobs.starting import UNREAD
from researcher.models import Job
from stimuli.making.options import Kind, declared
from work.progress import Progress, per_second

COMMANDS = {Job.Kind.CONSTRUCTION: "build_study", Job.Kind.DATA_SET: "import_study"}
FORMS = {Job.Kind.CONSTRUCTION: "construction", Job.Kind.DATA_SET: "data_set"}


@dataclass(frozen=True)
class JobPage:
    job: Job
    now: datetime
    studies: Sequence[Study] = ()
    # Whether the reader is its owner.
    is_own: bool = True

    @property
    def is_counted(self) -> bool:
        return self.job.of > 0

    @property
    def progress(self) -> Progress:
        """Its rate is that of the step that it is at."""
        job, pace = self.job, None
        if job.state == Job.State.RUNNING and job.step_at is not None:
            pace = per_second(job.done, (self.now - job.step_at).total_seconds())
        return Progress(done=job.done, of=job.of, per_second=pace, unit=job.unit)

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
        """Where its owner chooses the columns of files that wait or have failed; else empty."""
        waits = self.job.state == Job.State.PREPARED or self.job.can_start_again
        return columns_address(self.job) if self.is_own and waits and UNREAD not in self.job.given else ""

    @property
    def imported_into(self) -> str:
        """Where the study has what was imported into it; empty where nothing was."""
        if self.job.study is None or self.job.state != Job.State.FINISHED:
            return ""
        kind = KINDS.get(self.job.kind)
        return reverse(kind.page if kind else "study", args=[self.job.study.slug])

    @property
    def command(self) -> str:
        """The command that does this job; empty where there is none."""
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


def read_job_page(job: Job, reader: Reader) -> JobPage:
    made = (
        job.made.annotate(figures_made=Count("made_figures")).order_by("slug")
        if job.state == Job.State.FINISHED
        else ()
    )
    return JobPage(job, timezone.now(), list(made), is_own=job.owner_id == reader.pk)


def jobs_for(user: Reader) -> QuerySet[Job]:
    """Those that the user asked for, in studies in which they may still ask for it; a superuser's are all."""
    if not isinstance(user, User) or not user.is_active:
        return Job.objects.none()
    if user.is_superuser:
        return Job.objects.all()
    allowed = Q(study=None) | Q(kind=Job.Kind.ITEMS, study__in=studies_for(user, Right.EDIT))
    # What bringing something into a study asks for there, also of whoever only looks at how far it is.
    for key, kind in KINDS.items():
        allowed |= Q(kind=key, study__in=studies_for(user, kind.right))
    return Job.objects.filter(allowed, owner=user)
