"""`score` and `score_defaults`: what they refuse, with which exit code, and that they never wait for nobody."""

import os
import signal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.library.installation import install_baselines
from scoring.management.commands import score
from scoring.models import Run
from tests.installation import Installation
from tests.studies import open_small_study, plausibility_row, plausibility_rows, write_study

INSTALL = "from scoring.library.installation import install_baselines; install_baselines()"


@pytest.fixture
def study(tmp_path, db):
    install_baselines()
    return open_small_study(tmp_path, plausibility_rows(2))


@pytest.mark.parametrize(
    ("slug", "model", "metric", "sentence"),
    [
        ("nonesuch", "random", "label", "There is no study 'nonesuch'. Available: small."),
        ("small", "nonesuch", "label", "There is no model 'nonesuch'. Available: majority, normative, random."),
        ("small", "random", "bleu", "There is no metric 'bleu'. Available: cloze"),
        ("small", "random", "causal", "is a baseline, which has no metric causal. Its metrics: label."),
        ("small", "normative", "label", "small lists no non-subsective adjectives"),
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
def waiting(transactional_db, queue, tmp_path, monkeypatch):
    """One study, the baselines, and a queue that no worker reads: who waits there soon asks whether one works."""
    monkeypatch.setattr(score, "PATIENCE_SECONDS", 0.1)
    install_baselines()
    return open_small_study(tmp_path / "study", plausibility_rows(2))


def random_label(slug, **options):
    """What `score` writes on standard output, and on standard error, whether or not it ends well."""
    out, err = StringIO(), StringIO()
    try:
        call_command("score", slug, model="random", metric=["label"], stdout=out, stderr=err, **options)
    except CommandError as error:
        assert error.returncode == 1
        return "", f"{err.getvalue()}{error}"
    return out.getvalue(), err.getvalue()


@pytest.mark.slow
def test_without_a_worker_score_says_so_and_the_run_is_kept(waiting):
    assert "No worker is running. The run is stored" in random_label("small")[1]
    assert "queued, 0 of 2 items done" in random_label("small", no_wait=True)[0]


@pytest.mark.slow
def test_score_says_for_how_many_runs_it_waits(waiting, tmp_path):
    for name in ("second", "third"):
        open_small_study(tmp_path / name, plausibility_rows(2), slug=name)
    for slug in ("small", "second"):
        assert "before it" not in random_label(slug, no_wait=True)[1]
    out, err = random_label("third")
    assert out == ""
    assert err.count("Random label · label waits for 2 runs ahead of it.") == 1


@pytest.mark.slow
def test_score_defaults_says_that_no_worker_answers(waiting):
    silent, later = StringIO(), StringIO()
    with pytest.raises(CommandError, match=r"No worker is running\. The runs are stored") as refused:
        call_command("score_defaults", "small", stdout=silent)
    assert refused.value.returncode == 1
    call_command("score_defaults", "small", unattended=True, stdout=later)
    assert later.getvalue() == silent.getvalue() != ""


@pytest.mark.slow
def test_score_defaults_is_content_where_a_worker_answers(tmp_path, valkey_url):
    installation = Installation(tmp_path, valkey_url)
    write_study(tmp_path / "study", plausibility_rows(2))
    installation.call(["load_study", str(tmp_path / "study")])
    installation.run("-c", f"import django; django.setup(); {INSTALL}")
    # Baselines wait on the other queue, so that there is something left to do.
    worker = installation.worker("scoring")
    try:
        installation.wait_for(lambda: "ready." in installation.log.read_text())
        answered = installation.run("manage.py", "score_defaults", "small", "--skip-checks")
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
    with pytest.raises(CommandError, match=r"Not queued: 2 of 2 runs\. The task queue cannot be reached") as refused:
        call_command("score_defaults", "small", unattended=True)
    assert refused.value.returncode == 1
    assert sorted(Run.objects.values_list("model__key", "state")) == [("majority", "queued"), ("random", "queued")]
