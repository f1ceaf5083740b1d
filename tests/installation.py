"""An installation of a test's own: a database, a command line and workers in processes of their own."""

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from tests import forked
from tests.forked import PATIENCE
from tests.migrated import migrated_file

Found = TypeVar("Found")


class Installation:
    """Below `var`, migrated, with the queue at `redis_url`. Whoever starts a worker ends it, by its process group."""

    def __init__(self, var: Path, redis_url: str, **environment: str) -> None:
        var.mkdir(parents=True, exist_ok=True)
        self.database = Path(shutil.copyfile(migrated_file(), var / "parallax.sqlite3"))
        self.log = var / "worker.log"
        self.env = os.environ | {
            "PARALLAX_VAR": str(var),
            "PARALLAX_LOCAL": "1",
            "SECRET_KEY": "only-for-tests",
            "REDIS_URL": redis_url,
            # All addresses and their views: a second of each process, and nothing of what is tested.
            "CELERY_SKIP_CHECKS": "1",
            "DATABASE_URL": f"sqlite:///{self.database}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **environment,
        }

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Python with these arguments, whatever comes of it."""
        return forked.run(*arguments, env=self.env)

    def manage(self, *arguments: str) -> str:
        """What a command of manage.py that goes well prints."""
        done = self.run("manage.py", *arguments, "--skip-checks")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def call(self, *commands: Sequence[str]) -> None:
        """Some of manage.py's commands, in one process: each start takes seconds."""
        done = self.run(
            "-c",
            "import django; django.setup()\nfrom django.core.management import call_command\n"
            f"for command in {[list(command) for command in commands]!r}: call_command(*command)",
        )
        assert done.returncode == 0, done.stderr

    def row(self, query: str) -> dict[str, Any]:
        """The first row of a query on the database as it is now, past Django, which takes seconds to start."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as connection:
            connection.row_factory = sqlite3.Row
            return dict(connection.execute(query).fetchone())

    def worker(self, queues: str, *, app: str = "config", processes: int = 1, name: str = "test") -> forked.Forked:
        """Of two at a time each has its name."""
        options = ["--concurrency", str(processes), "--loglevel", "INFO", "--hostname", f"{name}@%h"]
        command = ["-m", "celery", "--app", app, "worker", "--queues", queues, *options]
        return forked.begin(*command, env=self.env, log=self.log, new_session=True)

    def wait_for(self, reached: Callable[[], Found | None]) -> Found:
        """What `reached` gives once it is something."""
        deadline = time.monotonic() + PATIENCE
        while not (found := reached()):
            time.sleep(0.02)
            assert time.monotonic() < deadline, self.log.read_text()[-3000:]
        return found
