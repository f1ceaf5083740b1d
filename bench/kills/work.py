"""Work of every kind that is always running: when a piece ends, the next one is asked for.

Each ends, or fails in words; nothing waits or is held when all is quiet again.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.db import Error, connection

from accounts.models import User
from annotation.loading import load_study
from annotation.models import Study
from bench.patience import patiently
from comparison.exported import ask_for_report, read_report, report_under_way, reports_of
from comparison.frame.cache.gathered import read_one
from researcher.jobs.starting import TooMany, prepare_job, start_job
from researcher.models import Job
from scoring.models import LanguageModel, Run
from scoring.runs.starting import start_run
from tests.scoring.scorers.little.bert import adept_rows, write_encoder
from tests.studies import plausibility_rows, write_study
from training.models import Training
from work.queue import QueueSilent, leased_models

LOOK_SECONDS = 2.0
TALK = (
    "We had a great day. The food was really good. Her answer was very clear. He said it was absolutely true. "
    "The whole town seemed rather quiet. It is an extremely old house. And that was day {day}.\n"
)
# By which a run is waited for; then it says that it goes on when the queue does.
ENDED = {Run.State.FINISHED, Run.State.FAILED, Run.State.STOPPED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Of one piece: items that are scored, labels that are imported, lines of a corpus, epochs of a training."""

    items: int = 400
    labels: int = 4_000
    lines: int = 1_500
    epochs: int = 40


@dataclass(slots=True)
class Piece:
    """One kind of work. `ask` begins the nth and says how to ask whether it has ended, and in which words it failed:
    None as long as it runs, empty where it went well.
    """

    name: str
    ask: Callable[[int], Callable[[], str | None]]
    asked: int = 0
    ended: Callable[[], str | None] | None = None
    finished: int = 0
    failed: list[str] = field(default_factory=list)

    def look(self, *, again: bool) -> bool:
        """Whether it is running."""
        if self.ended is not None:
            said = self.ended()
            if said is None:
                return True
            self.ended = None
            if said:
                self.failed.append(said)
            else:
                self.finished += 1
        if again:
            self.ended = self.ask(self.asked + 1)
            self.asked += 1
        return self.ended is not None


class Work:
    def __init__(self, folder: Path, size: Size, *, model: str) -> None:
        self.folder, self.size, self.model = folder, size, model
        self.user, _ = User.objects.get_or_create(username="kim", defaults={"is_superuser": True})
        self.encoder = write_encoder(folder / "encoder")
        self.taught = self._study("adept", adept_rows())
        self.reported = self._study("reported", plausibility_rows(60))
        call_command("simulate_annotators", self.reported.slug, "--careful", "3", verbosity=0)
        # With those who label it now.
        self.reported.refresh_from_db()
        self.pieces = [
            Piece("run", self._run),
            Piece("import of labels", self._import),
            Piece("training", self._training),
            Piece("report", self._report),
            Piece("corpus pass", self._corpus),
        ]

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Always something of each kind, until the end; then all of it is waited for elsewhere (`look`)."""
        over = threading.Event()

        def keep() -> None:
            while not over.wait(LOOK_SECONDS):
                self.look(again=True)
            connection.close()

        keeping = threading.Thread(target=keep, name="work")
        keeping.start()
        try:
            yield
        finally:
            over.set()
            keeping.join()

    def look(self, *, again: bool) -> bool:
        """Whether anything is running. What the database or the queue did not take is asked for the next time."""
        busy = False
        for piece in self.pieces:
            try:
                busy |= piece.look(again=again)
            except (Error, OSError):
                # The database is away, or the disk is full.
                connection.close()
                busy = True
        return busy

    def _study(self, slug: str, rows: Any, *, opened: bool = True) -> Study:
        folder = write_study(self.folder / "studies" / slug, rows, slug=slug)
        return patiently(lambda: load_study(folder, open_study=opened)).study

    def _run(self, number: int) -> Callable[[], str | None]:
        first = number * self.size.items
        rows = plausibility_rows(first + self.size.items)[first:]
        study = self._study(f"scored-{number}", rows, opened=False)
        model = LanguageModel.objects.get(key=self.model)
        with _stored():
            start_run(study, model, "pll", asked_by="kim")

        def ended() -> str | None:
            run = Run.objects.filter(study=study).first()
            if run is None:
                start_run(study, model, "pll", asked_by="kim")
                return None
            return (run.error if run.state == Run.State.FAILED else "") if run.state in ENDED else None

        return ended

    def _import(self, number: int) -> Callable[[], str | None]:
        items = self.size.labels // 4
        study = self._study(f"labeled-{number}", plausibility_rows(items), opened=False)
        lines = [f"target-{item},ann{who},impossible\n" for who in range(4) for item in range(1, items + 1)]
        file = ContentFile("".join(["item,annotator,label\n", *lines]).encode(), name="labels.csv")
        return self._job("labels", "", {"as_imported": True}, {"labels": [file]}, study)

    def _corpus(self, number: int) -> Callable[[], str | None]:
        text = "".join(TALK.format(day=number * self.size.lines + day) for day in range(self.size.lines))
        file = ContentFile(text.encode(), name=f"talk-{number}.txt")
        return self._job("construction", "intensifiers", {"slug": f"talk-{number}"}, {"corpus": [file]}, None)

    def _job(self, kind: str, key: str, given: Any, files: Any, study: Study | None) -> Callable[[], str | None]:
        try:
            job = prepare_job(kind, key, owner=self.user, given=given, files=files, study=study)
        except TooMany as error:
            words = str(error)
            return lambda: words
        with _stored():
            start_job(job)

        def ended() -> str | None:
            job.refresh_from_db()
            if job.state == Job.State.PREPARED:
                with _stored():
                    start_job(job)
            return job.error if job.state in (Job.State.FINISHED, Job.State.FAILED, Job.State.STOPPED) else None

        return ended

    def _training(self, number: int) -> Callable[[], str | None]:
        wanted = ["--recipe", "adept", "--base", str(self.encoder), "--epochs", str(self.size.epochs)]

        def ask() -> None:
            call_command("train_classifier", self.taught.slug, *wanted, "--seed", str(number), "--no-wait", verbosity=0)

        before = set(Training.objects.values_list("pk", flat=True))
        with _stored():
            ask()

        def ended() -> str | None:
            mine = Training.objects.exclude(pk__in=before).first()
            if mine is None:
                with _stored():
                    ask()
                return None
            live = mine.state in (Training.State.QUEUED, Training.State.RUNNING)
            return None if live else mine.error

        return ended

    def _report(self, number: int) -> Callable[[], str | None]:
        for old in reports_of(self.reported):
            old.unlink()
        ask_for_report(self.reported)

        def ended() -> str | None:
            line = read_report(self.reported, read_one(self.reported))
            if line.size is not None:
                return ""
            progress = report_under_way(self.reported).progress()
            if progress is not None and progress.failed:
                return progress.words
            if progress is None:
                # The queue's server had forgotten that somebody is at it, or was away; asking again does it once.
                ask_for_report(self.reported)
            return None

        return ended


@contextmanager
def _stored() -> Iterator[None]:
    """What the queue does not take is stored, and goes out when it does."""
    try:
        yield
    except (QueueSilent, CommandError):
        return


def left() -> dict[str, int]:
    """Rows of work that wait or are held, by kind; none, where all is quiet."""
    found = {}
    for model in leased_models():
        found[model._meta.label] = model.objects.filter(state__in=[model.WAITS, model.HELD]).count()
    return {label: count for label, count in found.items() if count}
