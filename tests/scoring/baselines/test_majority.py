"""The majority baseline: always the most common label, of references or of what people gave (docs/metrics.md, B1)."""

import pytest

from scoring.library.installation import install_baselines
from scoring.models import Run
from scoring.runs import planning, starting, working
from scoring.runs.fitting import CannotRun, choices_for, find_model
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from tests.comparison.cast import give_labels
from tests.scoring.working_off import run_through
from tests.studies import open_small_study, plausibility_row, plausibility_rows
from work import queue

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def baselines(db, monkeypatch):
    """Registered; nothing is put on the queue."""
    install_baselines()
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)


@pytest.fixture
def bare(tmp_path):
    """Two targets without references, and a gold item with one."""
    return open_small_study(tmp_path, plausibility_rows(2, gold=1), slug="bare")


def test_where_all_references_are_one_label_the_majority_answers_with_it(tmp_path):
    study = open_small_study(tmp_path, [plausibility_row(number, reference="impossible") for number in range(1, 9)])
    run = run_through(start_run(study, find_model("majority"), "label"))
    assert (run.scored, run.unscored) == (8, 0)
    assert set(run.scores.values_list("decision", flat=True)) == {"impossible"}
    assert run.settings == {"label": "impossible", "of": "references", "n": 8, "count": 8}


def test_with_neither_references_nor_labels_the_majority_is_not_offered(bare):
    with pytest.raises(CannotRun, match="bare has no references or valid labels yet"):
        start_run(bare, find_model("majority"), "label")
    assert "majority" not in [model.key for model, _ in choices_for(bare)]
    assert not Run.objects.exists()


@pytest.mark.slow
def test_without_references_the_majority_answers_with_the_label_that_people_give_most(bare):
    given = [("target-1", "p1", "impossible"), ("target-1", "p2", "less_likely"), ("target-2", "p1", "less_likely")]
    give_labels(bare, given)
    assert "majority" in [model.key for model, _ in choices_for(bare)]
    run = run_through(start_run(bare, find_model("majority"), "label"))
    assert set(run.scores.values_list("decision", flat=True)) == {"less_likely"}
    assert run.settings == {"label": "less_likely", "of": "labels", "n": 3, "count": 2}
    # As labels come in it is another measure, redone when it is started again, and not before.
    give_labels(bare, [("target-2", name, "impossible") for name in ("p3", "p4", "p5")])
    run = run_through(run)
    assert run.settings["label"] == "less_likely"
    run = run_through(start_run(bare, find_model("majority"), "label"))
    assert (run.state, run.scored) == ("finished", 2)
    assert set(run.scores.values_list("decision", flat=True)) == {"impossible"}
    assert run.settings == {"label": "impossible", "of": "labels", "n": 6, "count": 4}


def test_labels_that_come_in_while_the_majority_runs_do_not_start_it_anew(bare, monkeypatch):
    monkeypatch.setitem(planning.CHUNK_WORDS, "baseline", 10)
    give_labels(bare, [("target-1", "p1", "impossible")])
    run = start_run(bare, find_model("majority"), "label")
    first, last = run.chunks.order_by("pk")
    CHUNKS.work(first.pk, worker="w")
    give_labels(bare, [("target-2", name, "less_likely") for name in ("p2", "p3")])
    CHUNKS.work(last.pk, worker="w")
    run.refresh_from_db()
    assert (run.state, run.scored, run.settings["label"]) == ("finished", 2, "impossible")
    assert set(run.scores.values_list("decision", flat=True)) == {"impossible"}
