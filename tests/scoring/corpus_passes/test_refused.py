"""What a worker refuses, and what the process that asked for it is told."""

from queue import Queue
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpus.errors import BuildError
from corpus.parts import Order, Part, Sought, Start
from corpus.shared.lent import GONE, Lent, Said
from corpus.shared.passing import looked_for
from corpus.workplace import Workplace
from scoring.baselines.associations.tally import AssociationFinder
from scoring.corpus_passes import part as rows
from scoring.corpus_passes.asking import shared_pass
from scoring.corpus_passes.lending import Lender
from scoring.corpus_passes.part import CorpusPart
from scoring.corpus_passes.working import PARTS
from scoring.corpus_passes.working import store as stored

FINDER = AssociationFinder()


@pytest.fixture
def store(tmp_path, settings):
    settings.CORPUS_STORE = str(tmp_path / "store")


def refusal(path="/nowhere.txt"):
    """Of a part of this file, of a worker here."""
    part = Part(path=path, form="plain", field="", start=Start(), blocks=1, characters=9, content="", read=1)
    order = Order(part, Sought.by(FINDER))
    CorpusPart.objects.ask(order.name, order.told())
    row = CorpusPart.objects.get()
    PARTS.work(row.pk, worker="test")
    row.refresh_from_db()
    assert row.state == CorpusPart.State.FAILED
    return row.error


def test_the_web_needs_a_setting_in_the_command_and_at_every_worker(db, queue, store):
    with pytest.raises(CommandError, match="CORPUS_HTTP does not allow addresses of the web"):
        call_command("count_corpus", "web", "https://127.0.0.1:1/a.txt")
    assert "CORPUS_HTTP does not allow addresses of the web" in refusal("https://127.0.0.1:1/a.txt")


def test_the_asker_is_told_on_which_machine_it_failed_and_may_ask_again(db, queue, store, tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("The cop left.\n")
    asked = ([(tmp_path / "a.txt", "plain")], FINDER, "", Workplace(tmp_path, 1, 0))
    with monkeypatch.context() as patch:
        patch.delitem(rows.FINDERS, "associations")
        with pytest.raises(BuildError, match=r"On .+: Nothing is known here of associations\."):
            list(shared_pass(*asked))
    assert not CorpusPart.objects.exists(), "nobody waits for it any more"
    CorpusPart.objects.create(name="part", order={}, state="failed")
    CorpusPart.objects.ask("part", {})
    assert CorpusPart.objects.get().state == CorpusPart.State.WAITING


def test_an_address_that_cannot_be_asked_for_is_named(db, queue, store):
    assert "'s3://x/a\\n.txt' cannot be read" in refusal("s3://x/a\n.txt")


def test_without_a_store_nothing_is_done(db, queue, settings):
    settings.CORPUS_STORE = ""
    assert "CORPUS_STORE is not set here" in refusal()


@pytest.mark.slow
def test_a_process_that_refuses_says_why(db, queue, store, tmp_path):
    (tmp_path / "a.txt").write_text("The cop left.\n")
    looked_for(FINDER, stored())
    assert "a.txt is another file here" in refusal(str(tmp_path / "a.txt"))


def test_who_has_no_rows_is_lent_them(db, queue, store):
    with Lender.called("job-0", lends=False) as deaf:
        assert deaf.hear({Said.ASKS: ["part", {}]}) is None
    assert not CorpusPart.objects.exists()
    with Lender.called("job-0", lends=True) as lender:
        lender.hear({Said.ASKS: ["part", {}]})
        assert lender.hear({Said.WAITS: ["part"]}) == "part"
        lender.hold()
        [row] = CorpusPart.objects.all()
        assert row.worker == lender.name
        assert lender.hear({Said.WAITS: ["other", "part"]}) == GONE
    assert not CorpusPart.objects.exists(), "nobody waits for it any more"
    CorpusPart.objects.create(name="part", order={}, state="failed", error="On far: it is another file here.")
    with pytest.raises(BuildError, match="On far: it is another file here"):
        lender.hear({Said.WAITS: ["part"]})


def test_what_others_have_asked_for_is_left_to_them(db, queue, store):
    CorpusPart.objects.ask("theirs", {})
    with Lender.called("job-0", lends=True) as lender:
        lender.hear({Said.ASKS: ["part", {}]})
        lender.hear({Said.FORGETS: ["theirs"]})
        assert lender.hear({Said.WAITS: ["theirs"]}) == GONE
        assert not CorpusPart.objects.exclude(worker="").exists()
    assert CorpusPart.objects.get(name="theirs").state == CorpusPart.State.WAITING


class EnoughError(Exception):
    """The test has seen what it asks for."""


def test_all_that_another_pass_took_back_is_asked_for_again(db, queue, store, tmp_path):
    files = [(tmp_path / name, "plain") for name in ("a.txt", "b.txt", "c.txt")]
    for path, _ in files:
        path.write_text(f"The cop left {path.name}.\n")
    waited, answers = list[dict[str, Any]](), Queue[str]()
    asked_again = list[str]()
    with Lender.called("job-0", lends=True) as lender:

        def say(told):
            if Said.WAITS in told:
                if waited:
                    asked_again.extend(CorpusPart.objects.values_list("name", flat=True))
                    raise EnoughError
                # Another pass had the same parts, and was stopped.
                CorpusPart.objects.all().delete()
                waited.append(told)
            if (answer := lender.hear(told)) is not None:
                answers.put(answer)

        shared = Lent(["associations"], stored().address, say, answers.get).passes()["associations"]
        with pytest.raises(EnoughError):
            list(shared(files, FINDER, "", Workplace(tmp_path, 1, 0)))
        assert len(asked_again) == len(files)
        CorpusPart.objects.create(name=asked_again[0], order={}, state="failed")
    assert not CorpusPart.objects.exists(), "neither what waits nor what has failed is left"
