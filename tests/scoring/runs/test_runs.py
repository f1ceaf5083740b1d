"""Runs in the database: planned once, scored once, stopped and taken up again. Baselines do the work here."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.itemfile import ItemRow
from annotation.loading import load_study, replace_item
from annotation.models import Item
from annotation.tasktypes.contract import ClozeNumbers, LabelNumbers, PromptNumbers, SentenceNumbers, Unscored
from scoring.library.installation import install_baselines
from scoring.metrics import METRICS
from scoring.models import Chunk, LanguageModel, Run, Score
from scoring.runs import asking, planning, starting, working
from scoring.runs.fitting import CannotRun, choices_for, defaults_for, find_model
from scoring.runs.starting import start_run, stop_run
from scoring.runs.working import CHUNKS
from scoring.scorers import open_scorer
from tests.scoring.working_off import run_through
from tests.studies import open_small_study, plausibility_row, plausibility_rows, write_study
from work import queue
from work.kinds import MOST_ATTEMPTS
from work.queue import recover

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """What was put on the queue. The queue itself is met in test_worker_kill.py."""
    messages: list[int] = []
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: messages.extend(chunk.pk for chunk in chunks))
    return messages


@pytest.fixture
def study(tmp_path):
    install_baselines()
    rows = [plausibility_row(n, reference="impossible" if n < 3 else "more_likely") for n in range(1, 9)]
    rows += [plausibility_row(1, kind="gold", reference="less_likely")]
    return open_small_study(tmp_path, rows, scoring={"nonsubsective": ["Broken"], "metrics": []})


def test_a_run_scores_targets_only_and_finishes(study):
    run = run_through(start_run(study, find_model("majority"), "label"))
    assert (run.state, run.total, run.scored, run.unscored) == ("finished", 8, 8, 0)
    assert set(run.scores.values_list("decision", flat=True)) == {"more_likely"}
    assert run.settings == {"label": "more_likely", "of": "references", "n": 8, "count": 6}
    assert run.provenance["metric"] == "label"
    assert run.provenance["items_sha256"]
    assert run.finished_at is not None


def test_the_same_run_is_started_once(study, sent):
    run = run_through(start_run(study, find_model("random"), "label"))
    before = list(Score.objects.values())
    again = start_run(study, find_model("random"), METRICS["label"])
    assert (again.pk, again.state) == (run.pk, "finished")
    assert not again.chunks.exists()
    assert list(Score.objects.values()) == before


def test_a_chunk_worked_twice_is_scored_once(study):
    run = start_run(study, find_model("random"), "label")
    (chunk,) = run.chunks.all()
    CHUNKS.work(chunk.pk, worker="one")
    CHUNKS.work(chunk.pk, worker="two")
    run.refresh_from_db()
    assert (run.scored, Score.objects.count()) == (8, 8)


def test_two_workers_with_the_same_items_count_each_once(study):
    """The lease of a slow worker ran out, a second one took over, and both came to the end."""
    run = start_run(study, find_model("random"), "label")
    (chunk,) = run.chunks.all()
    twin = Chunk.objects.create(run=run, item_ids=chunk.item_ids)
    CHUNKS.work(chunk.pk, worker="one")
    CHUNKS.work(twin.pk, worker="two")
    run.refresh_from_db()
    assert (run.state, run.scored, Score.objects.count()) == ("finished", 8, 8)


def test_stopping_keeps_scores_and_starting_goes_on(study, monkeypatch):
    monkeypatch.setitem(planning.CHUNK_WORDS, "baseline", 40)
    run = start_run(study, find_model("random"), "label")
    first, *rest = run.chunks.order_by("pk")
    assert rest
    CHUNKS.work(first.pk, worker="w")
    stop_run(run)
    assert (run.state, run.chunks.count()) == ("stopped", 0)
    done = run.scored
    assert 0 < done < 8
    # A message that was on its way when the run was stopped finds nothing to do.
    CHUNKS.work(rest[0].pk, worker="w")
    assert Score.objects.count() == done
    assert run_through(run).done_before == 0, "none was done when it began"
    run = run_through(start_run(study, find_model("random"), "label"))
    assert (run.state, run.scored, Score.objects.count()) == ("finished", 8, 8)
    assert run.done_before == done


def test_starting_again_while_the_only_chunk_is_worked_on_does_not_hang(study):
    run = start_run(study, find_model("random"), "label")
    chunk = Chunk.objects.claim(run.chunks.get().pk, worker="one", until=timezone.now() + Chunk.LEASE)
    assert chunk is not None
    Run.objects.filter(pk=run.pk).update(state="running")
    assert start_run(study, find_model("random"), "label").state == "running"
    assert Chunk.objects.get() == chunk
    finish(chunk)
    run.refresh_from_db()
    assert (run.state, run.scored) == ("finished", 8)


@pytest.mark.parametrize("start_again", [False, True])
def test_a_run_stopped_in_its_last_chunk_is_finished_by_it(study, start_again):
    run = start_run(study, find_model("random"), "label")
    chunk = Chunk.objects.claim(run.chunks.get().pk, worker="one", until=timezone.now() + Chunk.LEASE)
    assert chunk is not None
    stop_run(run)
    if start_again:
        assert start_run(study, find_model("random"), "label").state == "running"
    finish(chunk)
    run.refresh_from_db()
    assert (run.state, run.scored, run.chunks.count()) == ("finished", 8, 0)


def finish(chunk: Chunk) -> None:
    """What the worker that holds the chunk does next."""
    run = Run.objects.get(pk=chunk.run_id)
    working._write(chunk, working.score_items(run, list(run.study.items.filter(kind="target"))))


@pytest.mark.slow
def test_stops_in_good_order_do_not_count_as_crashes(study):
    run = start_run(study, find_model("random"), "label")
    for _ in range(MOST_ATTEMPTS + 2):
        Chunk.objects.claim(run.chunks.get().pk, worker="here/0", until=timezone.now() + Chunk.LEASE)
        assert recover(worker="here/0", crashed=False) == 1
    assert run_through(run).state == "finished"


def test_a_claimed_chunk_belongs_to_one_worker(study):
    run = start_run(study, find_model("random"), "label")
    (chunk,) = run.chunks.all()
    assert Chunk.objects.claim(chunk.pk, worker="one", until=chunk.run.created_at) is not None
    assert Chunk.objects.claim(chunk.pk, worker="two", until=chunk.run.created_at) is None


def test_a_chunk_whose_lease_ran_out_goes_back(study, sent):
    run = start_run(study, find_model("random"), "label")
    (chunk,) = run.chunks.all()
    Chunk.objects.claim(chunk.pk, worker="gone", until=run.created_at)
    sent.clear()
    assert recover() == 1
    assert sent == [chunk.pk]
    assert run_through(run).state == "finished"


def test_a_worker_that_starts_anew_takes_back_its_own_and_no_other(study, sent):
    run = start_run(study, find_model("random"), "label")
    (chunk,) = run.chunks.all()
    Chunk.objects.claim(chunk.pk, worker="here/0", until=timezone.now() + Chunk.LEASE)
    assert recover(worker="elsewhere/0") == 0
    assert recover(worker="here/0") == 1


@pytest.mark.slow
def test_a_chunk_that_keeps_killing_workers_is_taken_apart(study, sent):
    run = start_run(study, find_model("random"), "label")
    run.chunks.update(attempts=MOST_ATTEMPTS)
    sent.clear()
    run = run_through(run)
    assert (run.state, run.chunks.count(), len(sent)) == ("queued", 8, 8)
    assert run_through(run).state == "finished"
    assert run.unscored == 0


@pytest.mark.slow
def test_an_item_that_keeps_killing_workers_is_left_unscored_and_the_rest_goes_on(study):
    run = start_run(study, find_model("random"), "label")
    run.chunks.update(attempts=MOST_ATTEMPTS)
    run = run_through(run)
    poisoned = run.chunks.order_by("pk")[0]
    Chunk.objects.filter(pk=poisoned.pk).update(attempts=MOST_ATTEMPTS)
    run = run_through(run)
    assert (run.state, run.scored, run.unscored) == ("finished", 7, 1)
    [score] = run.scores.exclude(unscored="")
    assert score.item_id == poisoned.item_ids[0]
    assert score.unscored == "scoring this item was cut off 3 times, by its worker’s crash or by the database"


class Breaks:
    """The random baseline, which breaks on one text, or on all."""

    def __init__(self, scorer, text):
        self.scorer, self.text = scorer, text

    def provenance(self):
        return self.scorer.provenance()

    def score(self, requests):
        texts = (text for request in requests for text in (request.text, request.paired or ""))
        if any(self.text in text for text in texts):
            raise RuntimeError("poison")
        return self.scorer.score(requests)


@pytest.fixture
def breaks_on(monkeypatch):
    def set_up(text):
        monkeypatch.setattr(asking, "open_scorer", lambda *args, **options: Breaks(open_scorer(*args, **options), text))

    return set_up


def test_an_item_that_the_scorer_breaks_on_is_left_unscored_and_the_rest_goes_on(study, breaks_on):
    item = study.items.filter(kind="target")[4]
    breaks_on(item.content["original"])
    run = run_through(start_run(study, find_model("random"), "label"))
    assert (run.state, run.scored, run.unscored) == ("finished", 7, 1)
    assert run.scores.get(item=item).unscored == "the scorer failed on this item (RuntimeError: poison)"


def reworded(study, item):
    content = {**item.content, "original": f"{item.content['original']} Again."}
    return replace_item(study, item, ItemRow(item.external_id, content, reference=item.reference))


def test_an_item_that_is_reworded_while_its_chunk_waits_is_scored_as_it_is_now(study):
    run = start_run(study, find_model("random"), "label")
    fresh = reworded(study, study.items.filter(kind="target")[4])
    assert run_through(run).state == "running"
    run = run_through(run)
    assert (run.state, run.total, run.scored) == ("finished", 8, 8)
    assert run.scores.filter(item=fresh).exists()


def test_an_item_that_is_reworded_while_a_worker_holds_it_is_scored_as_it_is_now(study, monkeypatch):
    run = start_run(study, find_model("random"), "label")
    item, done = study.items.filter(kind="target")[4], list[Item]()

    def opened(*args, **options):
        if not done:
            done.append(reworded(study, item))
        return open_scorer(*args, **options)

    monkeypatch.setattr(asking, "open_scorer", opened)
    assert run_through(run).state == "running"
    run = run_through(run)
    assert (run.state, run.total, run.scored) == ("finished", 8, 8)
    assert run.scores.filter(item=done[0]).exists()


@pytest.mark.parametrize("text", ["original", "modified"])
def test_an_item_that_is_alone_in_its_chunk_does_not_take_the_run_with_it(study, breaks_on, text):
    """As in a second study, where all the others are remembered."""
    item = study.items.filter(kind="target")[0]
    breaks_on(item.content[text])
    run = start_run(study, find_model("random"), "label")
    chunk = run.chunks.get()
    Chunk.objects.create(run=run, item_ids=[item.pk])
    chunk.item_ids.remove(item.pk)
    chunk.save()
    run = run_through(run)
    assert (run.state, run.scored, run.unscored) == ("finished", 7, 1)


def test_a_scorer_that_breaks_on_everything_fails_the_run(study, breaks_on):
    breaks_on("")
    run = start_run(study, find_model("random"), "label")
    with pytest.raises(RuntimeError, match="poison"):
        run_through(run)
    run.refresh_from_db()
    assert (run.state, run.error) == ("failed", "RuntimeError: poison")


def test_new_items_are_scored_by_starting_again(tmp_path, study):
    run_through(start_run(study, find_model("random"), "label"))
    rows = [plausibility_row(n, reference="impossible" if n < 3 else "more_likely") for n in range(1, 9)]
    rows += [plausibility_row(1, kind="gold", reference="less_likely"), plausibility_row(20)]
    load_study(write_study(tmp_path, rows, scoring={"nonsubsective": ["Broken"], "metrics": []}))
    run = start_run(study, find_model("random"), "label")
    assert (run.state, run.total, run.scored) == ("queued", 9, 8)
    assert run_through(run).scored == 9


def test_another_majority_label_is_another_measure(study, monkeypatch):
    monkeypatch.setitem(planning.CHUNK_WORDS, "baseline", 40)
    run = start_run(study, find_model("majority"), "label")
    CHUNKS.work(run.chunks.order_by("pk")[0].pk, worker="w")
    stop_run(run)
    study.items.filter(kind="target").update(reference="impossible")
    study.items.filter(external_id="target-8").update(reference="less_likely")
    run = run_through(start_run(study, find_model("majority"), "label"))
    assert (run.state, run.scored) == ("finished", 8)
    assert set(run.scores.values_list("decision", flat=True)) == {"impossible"}


def test_scores_that_answer_another_question_are_not_written(study):
    """The run was started anew with another majority label while a worker still held its chunk."""
    run = start_run(study, find_model("majority"), "label")
    chunk = Chunk.objects.claim(run.chunks.get().pk, worker="one", until=timezone.now() + Chunk.LEASE)
    assert chunk is not None
    study.items.filter(kind="target").update(reference="impossible")
    study.items.filter(external_id="target-8").update(reference="less_likely")
    start_run(study, find_model("majority"), "label")
    working._write(chunk, working.score_items(chunk.run, list(study.items.filter(kind="target"))))
    run.refresh_from_db()
    assert (run.is_live, run.scored, Score.objects.count()) == (True, 0, 0)
    run = run_through(run)
    assert (run.state, run.scored) == ("finished", 8)
    assert set(run.scores.values_list("decision", flat=True)) == {"impossible"}


def test_a_number_that_is_not_finite_is_no_score():
    nan, sound = float("nan"), SentenceNumbers(-3.0, (("a", -3.0),))
    assert asking.finite(sound) == sound
    for broken in (
        SentenceNumbers(nan, ()),
        SentenceNumbers(-3.0, (("a", nan),)),
        ClozeNumbers((-1.0, float("-inf")), (1, 2), ()),
        ClozeNumbers((-1.0,), (1,), (("a", nan),)),
        PromptNumbers((("yes", "no"),), ((-1.0, nan),)),
        LabelNumbers("yes", {"yes": nan}),
    ):
        assert asking.finite(broken) == Unscored("the model returned a number that is not finite")


def test_an_unknown_model_is_answered_with_those_there_are(study):
    with pytest.raises(CannotRun, match="There is no model 'gpt'. Available: majority, normative, random"):
        find_model("gpt")


def test_an_unknown_metric_is_answered_with_those_there_are(study):
    with pytest.raises(CannotRun, match="There is no metric 'bleu'. Available: cloze, pll"):
        start_run(study, find_model("random"), "bleu")


def test_a_metric_the_family_lacks_is_answered_with_those_it_has(study):
    with pytest.raises(CannotRun, match="is a baseline, which has no metric causal. Its metrics: label"):
        start_run(study, find_model("random"), "causal")
    assert not Run.objects.exists()


def test_the_normative_rule_needs_its_list(tmp_path, study):
    bare = open_small_study(tmp_path / "bare", plausibility_rows(2), slug="bare")
    with pytest.raises(CannotRun, match="lists no non-subsective adjectives"):
        start_run(bare, find_model("normative"), "label")
    assert "normative" not in [model.key for model, _ in choices_for(bare)]


def test_the_normative_rule_reads_the_modifier(study):
    run = run_through(start_run(study, find_model("normative"), "label"))
    assert set(run.scores.values_list("decision", flat=True)) == {"less_likely"}


def test_missing_weights_fail_the_run_and_say_so(tmp_path, study):
    LanguageModel.objects.create(
        key="lost", name="Lost", family="causal", method="causal", location="path", source=str(tmp_path / "nowhere")
    )
    run = run_through(start_run(study, find_model("lost"), "causal"))
    assert run.state == "failed"
    assert "has no model.safetensors" in run.error
    assert not run.scores.exists()


def test_an_unknown_metric_in_the_study_file_is_named(tmp_path, study):
    odd = open_small_study(tmp_path / "odd", plausibility_rows(1), slug="odd", scoring={"metrics": ["bleu"]})
    with pytest.raises(CannotRun, match="odd declares bleu"):
        defaults_for(odd)


@pytest.mark.slow
def test_random_labels_depend_on_the_text_and_not_on_the_order(study, monkeypatch):
    first = dict(run_through(start_run(study, find_model("random"), "label")).scores.values_list("item", "decision"))
    Run.objects.all().delete()
    monkeypatch.setitem(planning.CHUNK_WORDS, "baseline", 1)
    run = start_run(study, find_model("random"), "label")
    for chunk in run.chunks.order_by("-pk"):
        CHUNKS.work(chunk.pk, worker="w")
    assert dict(run.scores.values_list("item", "decision")) == first


@pytest.mark.slow
def test_a_run_asks_as_much_of_the_database_however_many_items_there_are(tmp_path, study):
    def asked(size: int) -> int:
        rows = [plausibility_row(number, reference="impossible") for number in range(size)]
        made = open_small_study(tmp_path / f"of-{size}", rows, slug=f"of-{size}", scoring={"nonsubsective": ["Broken"]})
        with CaptureQueriesContext(connection) as queries:
            start_run(made, find_model("random"), "label")
        return len(queries)

    assert asked(60) == asked(6)
