"""One real worker is killed within work of every kind, and the queue is emptied: the next worker finishes it all.

Within is after the first query of what is done (`tests/work/paused.py`): all of it is begun, little of it is stored.
"""

import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
import transformers
from celery import Celery

from tests.annotation.webhooks.receiving import Receiver, receiving
from tests.installation import Installation
from tests.scoring.library.little_models import SIZE, write_model
from tests.scoring.scorers.endpoint.server import Server, serving
from tests.scoring.scorers.little.bert import adept_rows, write_encoder
from tests.scoring.scorers.weights import MODELS_DIR
from tests.servers import valkey
from tests.studies import plausibility_rows, write_study
from work.queue import leased_models
from work.queues import Queue

pytestmark = pytest.mark.slow

QUEUES = ",".join(Queue)
TARGETS = 6


@dataclass(frozen=True, kw_only=True)
class Case:
    """How a piece of work is asked for, in Python or by a command, and what the database says when all is done."""

    done: str
    asked: str = ""
    command: tuple[str, ...] = ()
    pieces: int = 1


# By kind: each that workers claim has one. `mine` is a study, `mira` a researcher; what else stands in `{}` is a file's
# path or an address of the test.
KINDS = {
    "scoring.Chunk": Case(
        command=("score", "kept", "--model", "random", "--metric", "label", "--no-wait"),
        done="""
        SELECT state = 'finished' AND scored = 6 AND (SELECT COUNT(*) FROM scoring_score) = 6 FROM scoring_run""",
    ),
    "training.Training": Case(
        command=("train_classifier", "adept", "--recipe", "adept", "--base", "{encoder}", "--epochs", "1", "--no-wait"),
        done="SELECT state = 'finished' AND model_id IS NOT NULL FROM training_training",
    ),
    "researcher.Job": Case(
        asked="""
from researcher.jobs.starting import prepare_job, start_job
given = dict(per_cell="1", phenomenon=["simple"], slug="made")
start_job(prepare_job("construction", "agreement", owner=mira, given=given, files=dict()))
""",
        done="""
        SELECT state = 'finished' AND (SELECT COUNT(*) FROM annotation_study WHERE slug = 'made') = 1
        FROM researcher_job""",
    ),
    "scoring.Addition": Case(
        asked="""
from scoring.library import additions
wanted = dict(key="mine", family="masked", name="", dtype="float32", start_token="", license="", revision="")
additions.ask(wanted | dict(source="{model}"), by="mira")
""",
        done="""
        SELECT state = 'finished' AND (SELECT COUNT(*) FROM scoring_languagemodel WHERE key = 'mine') = 1
        FROM scoring_addition""",
    ),
    "scoring.Trial": Case(
        asked="""
from scoring.library.trials import ask_soon
ask_soon("behind", by="mira")
""",
        done="SELECT state = 'finished' FROM scoring_trial",
    ),
    "scoring.CorpusPart": Case(
        asked="""
from pathlib import Path
from corpus.parts import Order, parts
from scoring.baselines.associations.tally import AssociationFinder
from corpus.shared.passing import looked_for
from scoring.corpus_passes.part import CorpusPart
from scoring.corpus_passes.working import store
[part] = parts([(Path("{text}"), "plain")], field="")
order = Order(part, looked_for(AssociationFinder(), store()))
CorpusPart.objects.ask(order.name, order.told())
""",
        done="SELECT COUNT(*) = 0 FROM scoring_corpuspart",
    ),
    "annotation.Delivery": Case(
        asked="""
from annotation.webhooks.declaring import add_webhook, send_test
send_test(add_webhook(mine, address="{hook}", events=["study.complete"]))
""",
        done="SELECT state = 'delivered' FROM annotation_delivery",
    ),
    # One writes a file, which is looked for below, and one deletes a study.
    "work.Errand": Case(
        asked="""
from comparison.exported import EXPORT
from researcher.deleting import ask_for_the_rest, begin
from work.errands import ask
ask(EXPORT.name, mine.pk, "judgments", "", study=mine.pk, is_large=False)
ask_for_the_rest(begin(Study.objects.get(slug="gone")))
""",
        done="SELECT NOT EXISTS (SELECT 1 FROM annotation_study WHERE slug = 'gone' OR deleted_at IS NOT NULL)",
        pieces=2,
    ),
}
PIECES = {label: case.pieces for label, case in KINDS.items()}
TABLES = {label: label.lower().replace(".", "_") for label in KINDS}
HELD = ("claimed", "running", "sending", "held")
LEFT = (*HELD, "waiting", "queued")
ASK = """
import django
django.setup()
from accounts.models import User
from annotation.models import Study
mine, mira = Study.objects.get(slug="kept"), User.objects.create_superuser("mira")
"""


class Work:
    """An installation with work of every kind, and what became of it."""

    def __init__(self, place: Path, url: str, hook: Receiver, endpoint: Server) -> None:
        self.url, self.hook, self.var = url, hook, place / "var"
        reached = {"CORPUS_STORE": str(place / "store"), "WEBHOOK_HOSTS": "127.0.0.1"}
        reached |= {"PROMPT_ENDPOINT": f"http://127.0.0.1:{endpoint.server_port}/v1"}
        self.installation = Installation(self.var, url, **reached, PROMPT_ENDPOINT_MODELS="behind", OMP_NUM_THREADS="1")
        # Links, so that what is trained or added stays here, and nothing is converted anew.
        (self.var / "models").mkdir()
        for packaged in MODELS_DIR.glob("*/"):
            (self.var / "models" / packaged.name).symlink_to(packaged)
        encoder = write_encoder(place / "encoder")
        made = transformers.BertForMaskedLM(transformers.BertConfig(**SIZE, initializer_range=0.3))
        model = write_model(self.var / "own-models" / "little", made)
        (text := place / "text.txt").write_text("The chef tasted the soup.\n")
        places = {"encoder": encoder, "model": model, "hook": hook.address, "text": text}
        for slug, rows in (
            ("kept", plausibility_rows(TARGETS)),
            ("gone", plausibility_rows(2)),
            ("adept", adept_rows()),
        ):
            write_study(place / slug, rows, slug=slug)
        self.installation.call(
            *(["load_study", str(place / slug)] for slug in ("kept", "gone", "adept")),
            ["fetch_models"],
            *([part.format(**places) for part in case.command] for case in KINDS.values() if case.command),
        )
        asked = self.installation.run("-c", ASK + "".join(case.asked.format(**places) for case in KINDS.values()))
        assert asked.returncode == 0, asked.stderr

    def rows(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(f"file:{self.installation.database}?mode=ro", uri=True, timeout=30)) as connection:
            return connection.execute(query).fetchall()

    def in_states(self, states: tuple[str, ...]) -> dict[str, int]:
        """By kind, how many rows are in one of them."""
        found = {}
        for label, table in TABLES.items():
            every = self.rows(f"SELECT state FROM {table}")  # noqa: S608 (a table of ours)
            found[label] = sum(state in states for (state,) in every)
        return found

    def worker(self) -> Any:
        """With a process for each piece of work."""
        return self.installation.worker(QUEUES, app="tests.work.paused", processes=sum(PIECES.values()))

    def begun(self) -> dict[str, list[int]]:
        """By kind, how often the work on each row began."""
        found: dict[str, list[int]] = {}
        for path in (self.var / "began").iterdir():
            found.setdefault(path.name.split("-")[0], []).append(len(path.read_text().splitlines()))
        return found

    def is_within_all(self) -> bool:
        """Whether every piece is begun and held. It fails where one has ended, as there is nothing to wait for."""
        ended = [label for label, count in self.in_states(LEFT).items() if count < PIECES[label]]
        assert not ended, f"`do` of {ended} ended without a query outside a transaction: no kill falls within it."
        return self.in_states(HELD) == PIECES and self.begun() == {kind: [1] * many for kind, many in PIECES.items()}

    def wait_for(self, reached: Callable[[], bool]) -> None:
        """The clock strikes until then, so that messages that are due are sent."""

        def struck() -> bool:
            with Celery(broker=self.url, set_as_current=False) as clock:
                clock.send_task("annotation.tasks.send_webhooks", queue=Queue.WEBHOOKS)
            time.sleep(1)
            return reached()

        self.installation.wait_for(struck)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Work]:
    place = tmp_path_factory.mktemp("kill")
    with valkey(place / "valkey") as url, receiving() as hook, serving() as endpoint:
        found = Work(place, url, hook, endpoint)
        worker = found.worker()
        try:
            found.wait_for(found.is_within_all)
            kill(worker)
            redis.Redis.from_url(url.replace("redis+socket://", "unix://")).flushall()
            assert found.in_states(HELD) == PIECES
            worker = found.worker()
            found.wait_for(lambda: not any(found.in_states(LEFT).values()))
            yield found
        finally:
            kill(worker)


def kill(worker: Any) -> None:
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_worker_and_an_emptied_queue_lose_nothing_and_repeat_nothing(work, kind):
    [[done]] = work.rows(KINDS[kind].done)
    assert done


def test_the_work_on_every_row_was_begun_twice(work):
    assert work.begun() == {label: [2] * pieces for label, pieces in PIECES.items()}


def test_what_was_made_is_there_once(work):
    assert len(list((work.var / "exports").glob("kept-judgments-*.csv"))) == 1
    assert len(list((work.var.parent / "store").glob("associations/*.gz"))) == 1
    assert [json.loads(body)["event"] for _, _, body in work.hook.got] == ["test"]


def test_every_kind_of_work_is_among_them():
    assert {model._meta.label for model in leased_models()} == set(KINDS)
