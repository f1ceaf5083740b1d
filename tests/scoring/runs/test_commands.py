"""`score` and `score_defaults`: what they refuse, with which exit code, and that they never wait for nobody."""

import os
import signal
import time
from functools import partial

import pytest
from django.core.management import CommandError, call_command

from scoring.library.installation import install_baselines
from scoring.models import Run
from tests.installation import Installation
from tests.studies import open_small_study, plausibility_row, plausibility_rows, write_study


@pytest.fixture
def study(tmp_path, db):
    install_baselines()
    return open_small_study(tmp_path, plausibility_rows(2))


@pytest.mark.parametrize(
    ("slug", "model", "metric", "sentence"),
    [
        ("nonesuch", "random", "label", "There is no study 'nonesuch'. There are: small."),
        ("small", "nonesuch", "label", "There is no model 'nonesuch'. There are: majority, normative, random."),
        ("small", "random", "bleu", "There is no metric 'bleu'. There are: cloze"),
        ("small", "random", "causal", "is a baseline, which has no causal. It has: label."),
        ("small", "normative", "label", "small names no non-subsective adjectives"),
    ],
)
def test_arguments_that_do_not_fit_are_answered_with_exit_code_2(study, slug, model, metric, sentence):
    with pytest.raises(CommandError) as refused:
        call_command("score", slug, model=model, metric=[metric])
    assert sentence in str(refused.value)
    assert refused.value.returncode == 2
    assert not Run.objects.exists()


@pytest.mark.parametrize("options", [{}, {"model": "random"}, {"store": "novels", "model": "random"}])
def test_score_wants_a_model_with_metrics_or_a_store(study, options):
    with pytest.raises(CommandError, match="Name a --model and its --metric, or a --store") as refused:
        call_command("score", "small", **options)
    assert refused.value.returncode == 2


def test_a_store_that_is_not_there_is_answered_with_exit_code_2(study, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    with pytest.raises(CommandError, match="There is no store 'novels'") as refused:
        call_command("score", "small", store="novels")
    assert refused.value.returncode == 2


def test_score_defaults_wants_studies_or_all(study):
    for arguments, options in (((), {}), (("small",), {"all": True}), (("nonesuch",), {})):
        with pytest.raises(CommandError) as refused:
            call_command("score_defaults", *arguments, **options)
        assert refused.value.returncode == 2


@pytest.fixture
def installation(tmp_path, valkey_url):
    """With a queue and without a worker, one study and the baselines."""
    made = Installation(tmp_path, valkey_url)
    write_study(tmp_path / "study", plausibility_rows(2))
    made.call(["load_study", str(tmp_path / "study")])
    made.manage(
        "shell", "-v", "0", "-c", "from scoring.library.installation import install_baselines; install_baselines()"
    )
    return made


@pytest.fixture
def manage(installation):
    return partial(installation.run, "manage.py")


@pytest.mark.slow
def test_without_a_worker_score_says_so_and_the_run_is_kept(manage):
    waited = manage("score", "small", "--model", "random", "--metric", "label")
    assert waited.returncode == 1
    assert "No worker answers. The run is stored" in waited.stderr
    told = manage("score", "small", "--model", "random", "--metric", "label", "--no-wait")
    assert told.returncode == 0
    assert "queued, 0 of 2 items done" in told.stdout


@pytest.mark.slow
def test_score_says_for_how_many_runs_it_waits(manage, installation, tmp_path):
    for name in ("second", "third"):
        write_study(tmp_path / name, plausibility_rows(2), slug=name)
        installation.call(["load_study", str(tmp_path / name)])
    for slug in ("small", "second"):
        started = manage("score", slug, "--model", "random", "--metric", "label", "--no-wait")
        assert "before it" not in started.stderr
    waited = manage("score", "third", "--model", "random", "--metric", "label")
    assert waited.returncode == 1
    assert waited.stderr.count("Random label · label waits for 2 runs before it in the queue.") == 1


@pytest.mark.slow
def test_score_defaults_says_whether_a_worker_answers(manage, installation):
    silent = manage("score_defaults", "small")
    assert silent.returncode == 1
    assert "No worker answers. The runs are stored" in silent.stderr
    later = manage("score_defaults", "small", "--unattended")
    assert (later.returncode, later.stdout) == (0, silent.stdout)
    # Baselines wait on the other queue, so that there is something left to do.
    worker = installation.worker("scoring")
    try:
        deadline = time.monotonic() + 90
        while (answered := manage("score_defaults", "small")).returncode and time.monotonic() < deadline:
            pass
        assert answered.returncode == 0, answered.stderr
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_score_defaults_says_that_the_queue_is_silent_and_keeps_the_runs(tmp_path):
    """The tests' settings name a socket that nobody has opened."""
    install_baselines()
    open_small_study(tmp_path / "study", [plausibility_row(number, reference="less_likely") for number in (1, 2)])
    with pytest.raises(CommandError, match=r"Not on the queue: 2 of 2 runs\. The queue does not answer") as refused:
        call_command("score_defaults", "small", unattended=True)
    assert refused.value.returncode == 1
    assert sorted(Run.objects.values_list("model__key", "state")) == [("majority", "queued"), ("random", "queued")]
