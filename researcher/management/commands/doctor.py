"""manage.py doctor: what is missing or set up wrongly, in sentences."""

import shutil
import sys
import time
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import Error, connection
from django.db.models import Count
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from scoring.library.location import Location
from scoring.library.model_store import by_package, is_stored, read_fault
from scoring.models import LIVE, LanguageModel, Run
from scoring.scoring_workers import ScoringWorker
from training.models import Training, TrainingWorker
from work.queue import leased_models
from work.queues import Queue
from work.watching.health import NEEDED, database, read_faults

LEAST_FREE = 2 * 1024**3
# More seconds between two clocks, and leases and times of answers say what is not so.
MOST_SKEW = 5.0
SHORTEST_SECRET = 50


class Command(BaseCommand):
    help = (
        "Say what is missing or set up wrongly: secret, database, migrations, queue, workers, static files, "
        "disk, models, clocks. Nothing is changed. Exit code 1 if something is wrong."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(faults())
        for fault in found:
            self.stdout.write(fault)
        if found:
            sys.exit(1)
        self.stdout.write("All is well.")


def faults() -> Iterator[str]:
    # Where the database does not answer, nothing can be asked of it.
    asked = read_faults(() if database() else _queues())
    yield from (fault for fault in asked.values() if fault)
    yield from _settings()
    yield from _disk()
    if not asked["queue"]:
        yield from _clocks()
    if not asked["database"] and not asked["migrations"]:
        yield from _models()
        yield from untaken()
        yield from _trainings()


def _queues() -> list[Queue]:
    """Those that must have a worker: all that pages need, and those on which something waits."""
    found = set(NEEDED)
    try:
        for model in leased_models():
            for queue, waiting in model.objects.waiting_by_queue().items():
                if queue and waiting.exists():
                    found.add(Queue(queue))
    except Error:
        # Not migrated, which is said.
        pass
    return sorted(found)


def _settings() -> Iterator[str]:
    if settings.LOCAL:
        return
    if len(settings.SECRET_KEY) < SHORTEST_SECRET:
        yield f"SECRET_KEY is shorter than {SHORTEST_SECRET} characters."
    if all(host in ("localhost", "127.0.0.1", "[::1]") for host in settings.ALLOWED_HOSTS):
        yield "ALLOWED_HOSTS names this machine only: no one else reaches the site."
    if settings.SECURE_PROXY_SSL_HEADER is None:
        yield "HTTPS_BEHIND_PROXY is off: behind a proxy every page redirects to HTTPS endlessly."
    if not settings.ADDRESS_HEADER:
        yield "ADDRESS_HEADER is not set: behind a proxy, starts are not limited by address."
    if not settings.SENDS_MAIL:
        yield "EMAIL_HOST is not set: forgotten passwords and invitations are not mailed."
    if connection.vendor == "sqlite":
        yield "The database is SQLite, which is enough for a small study on one machine. Use PostgreSQL on a server."


def _disk() -> Iterator[str]:
    free = shutil.disk_usage(settings.VAR_DIR).free
    if free < LEAST_FREE:
        yield f"The disk of {settings.VAR_DIR} has {free // 1024**2:,} MB left."
    if settings.VAR_DIR.stat().st_mode & 0o077:
        yield f"Others on this machine can read {settings.VAR_DIR}: run chmod 700."


def _clocks() -> Iterator[str]:
    try:
        with Redis.from_url(str(settings.CACHES["default"]["LOCATION"]), socket_timeout=5) as server:
            seconds, micro = server.time()
            skew = seconds + micro / 1e6 - time.time()
    except RedisError:
        return
    if abs(skew) > MOST_SKEW:
        yield f"The clock of the queue’s server is {skew:+.0f} s off this machine’s."
    if connection.vendor == "postgresql" and not database():
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            skew = (cursor.fetchone()[0] - timezone.now()).total_seconds()
        if abs(skew) > MOST_SKEW:
            yield f"The clock of the database’s server is {skew:+.0f} s off this machine’s."


def _models() -> Iterator[str]:
    kept = LanguageModel.objects.filter(location=Location.MODELS)
    fault = read_fault()
    if fault:
        yield fault
    for model in kept.iterator():
        if (settings.MODELS_DIR / model.source).exists():
            continue
        if not settings.MODEL_STORE:
            yield f"The files of model {model.name} are missing: {settings.MODELS_DIR / model.source}."
        elif not fault and model.source not in by_package() and not is_stored(model.file_hash):
            yield f"The files of model {model.name} are neither here nor in the model store."
    if not kept.exists():
        yield "No model is installed: run manage.py fetch_models."


def untaken() -> Iterator[str]:
    """Models of runs that wait for a worker which takes them, and why each worker does not."""
    workers = list(ScoringWorker.objects.live())
    refused = Run.objects.filter(ScoringWorker.objects.refused_by_all().runs, state__in=LIVE).order_by()
    for key, name, device, waiting in refused.values_list("model__key", "model__name", "device").annotate(Count("pk")):
        why = "; ".join(f"{worker}: {worker.refuses.get(key, 'it has no GPU')}" for worker in workers)
        gpu = " on a GPU" if device == Run.Device.GPU else ""
        yield f"No running worker takes {name}{gpu}, for which runs wait: {waiting} ({why})."


def _trainings() -> Iterator[str]:
    """Those that wait for a worker which has their encoder, and why each worker does not take them."""
    workers = list(TrainingWorker.objects.live())
    for row in Training.objects.waiting().filter(pk__in=TrainingWorker.objects.all_refuse()):
        why = "; ".join(f"{worker}: {worker.refuses.get(str(row.pk))}" for worker in workers)
        yield f"No running worker has {row.base['name']}, from which a training starts: {row} ({why})."
