"""`train_classifier`: what it refuses, a grid in this process, and that it never waits for nobody."""

import re
import time
from datetime import timedelta
from functools import partialmethod

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from tqdm import tqdm

from annotation.loading import load_study
from scoring.models import LanguageModel
from scoring.scorers.recipes import recipe
from tests.scoring.scorers.little.bert import adept_rows, write_encoder
from tests.studies import write_study
from tests.training.classifier.cast import give_training
from training.classifier import trainer, watching
from training.classifier.bases import find_base
from training.classifier.collecting import find_studies
from training.classifier.settings import ADEPT
from training.classifier.starting import prepare, start_training
from training.classifier.watching import NobodyTrains, report, watch
from training.management.commands.train_classifier import Command
from training.models import Training

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FAST = {"learning_rate": [5e-3], "epochs": [1], "batch_size": [16], "held_out": 0.25}


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    settings.VAR_DIR = tmp_path / "var"
    settings.MODELS_DIR = tmp_path / "var" / "models"


@pytest.fixture
def encoder(tmp_path):
    load_study(write_study(tmp_path / "adept", adept_rows(), slug="adept"))
    return str(write_encoder(tmp_path / "little-bert"))


@pytest.mark.parametrize(
    ("slug", "options", "sentence"),
    [
        ("nonesuch", {}, "There is no study 'nonesuch'. Available: adept."),
        ("adept", {"recipe": "boolq"}, "boolq reads yes_no items, but adept has plausibility."),
        ("\udcff", {}, r"There is no study '\udcff'. Available: adept."),
        ("adept", {"apart_from": ["\udcff"]}, r"There is no study '\udcff'."),
        ("adept", {"base": "gpt"}, "There is no encoder 'gpt'."),
        ("adept", {"base": "~nobody-here/x"}, "There is no encoder '~nobody-here/x'."),
        ("adept", {"base": "x" * 300}, "There is no encoder 'xxx"),
        ("adept", {"base": "\0"}, r"There is no encoder '\x00'."),
        ("adept", {"base": "minilm-l6"}, "run manage.py fetch_models --only minilm-l6 first"),
        ("adept", {"epochs": [0, 1]}, "Epochs: '0' is not a whole number from 1 to 1000."),
        ("adept", {"without": ["probable"]}, "There is no label 'probable' to leave out. Available: impossible, less"),
        ("adept", {"max_length": 30}, "adept reads no passage to cut"),
        ("adept", {"apart_from": ["adept"]}, "0 training items and 0 held-out items (48 left out"),
    ],
)
def test_arguments_that_do_not_fit_are_answered_with_exit_code_2(encoder, slug, options, sentence):
    with pytest.raises(CommandError) as refused:
        call_command("train_classifier", slug, **{"recipe": "adept", "base": encoder, "here": True} | options)
    assert sentence in str(refused.value)
    assert refused.value.returncode == 2
    assert not Training.objects.exists()


def test_a_grid_here_keeps_the_best_and_is_finished_the_second_time(encoder, capsys):
    call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **FAST | {"seed": [1, 2]})
    told = capsys.readouterr().out
    assert (
        "36 training items, 12 held out to choose the best epoch (the most common label is right on 25.00% of them)"
        in told
    )
    assert "best of 2: adept from little-bert, 0.005 × 1 epoch × 16, seed" in told
    assert told.count("weights not kept") == 1
    before = list(Training.objects.values().order_by("pk"))
    call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **FAST | {"seed": [1, 2]})
    assert list(Training.objects.values().order_by("pk")) == before
    assert capsys.readouterr().out == told


def test_a_grid_of_probes_and_whole_networks_without_a_label(encoder):
    options = FAST | {"learns": ["all", "new"], "without": ["impossible"]}
    call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **options)
    assert {one.settings["learns"] for one in Training.objects.all()} == {"all", "new"}
    assert all("impossible" not in one.labels for one in Training.objects.all())
    assert "without impossible" in LanguageModel.objects.get(family="classifier").name


def test_a_grid_over_the_label_left_out_has_other_items_for_each_and_keeps_each_one_s_best(encoder, capsys):
    command = ["train_classifier", "adept", "--recipe", "adept", "--base", encoder, "--here", "--epochs", "1"]
    command += ["--learning-rate", "0.005", "--batch-size", "16", "--held-out", "0.25"]
    call_command(*command, "--without", "none", "impossible")
    told = capsys.readouterr().out
    assert "36 training items" in told and "\nwithout impossible:\n" in told
    five, four = (Training.objects.get(settings__without=label) for label in (None, "impossible"))
    assert (len(five.labels), len(four.labels)) == (5, 4)
    assert four.left_out and five.train_items > four.train_items
    assert five.contest != four.contest
    assert {one.model is not None for one in (five, four)} == {True}
    call_command(*command, "--without", "impossible")
    assert Training.objects.count() == 2, "the same point alone is the one that is there"


def test_the_help_says_that_it_takes_a_label():
    parser = Command().create_parser("manage.py", "train_classifier")
    assert "--without LABEL [LABEL ...]" in parser.format_help()
    assert "--seed N [N ...]" in parser.format_help()


def test_here_the_bar_moves_and_transformers_says_nothing(encoder, capfd, monkeypatch):
    monkeypatch.setattr(trainer, "TELL_SECONDS", 0.0)
    # tqdm draws at most ten times a second.
    monkeypatch.setattr(tqdm, "__init__", partialmethod(tqdm.__init__, mininterval=0))
    call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **FAST | {"seed": [1, 2]})
    told = capfd.readouterr().err.replace("\r", "\n")
    steps = [int(found) for found in re.findall(r" (\d)/6 ", told)]
    assert sorted(steps) == steps
    assert set(steps) == {0, 1, 2, 3, 4, 5, 6}
    assert "loss 1." in told
    assert [line for line in told.splitlines() if line and not line.startswith("training: ")] == []


def test_the_bar_begins_at_the_saved_state_that_a_killed_training_goes_on_from(capfd):
    training = give_training("a", step=8)
    with watching.bar_over([training]) as bar:
        time.sleep(0.2)
        training.step = 6
        watching.show(bar, [training])
        bar.refresh()
    last = capfd.readouterr().err.splitlines()[-1].split("\r")[-1]
    assert " 6/12 " in last
    assert "-" not in last


def test_open_ended_points_are_trained_once(encoder, capsys):
    options = FAST | {"epochs": [1, 2], "schedule": "constant"}
    call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **options)
    assert "1 of 2 grid points are the first epochs of longer ones" in capsys.readouterr().out
    assert Training.objects.get().settings["epochs"] == 2


def test_a_training_that_fails_gives_exit_code_1_and_its_reason(encoder, capsys, monkeypatch):
    def diverging(*_):
        raise trainer.Diverged("the loss is nan at step 1")

    monkeypatch.setattr(trainer.ClassifierTrainer, "training_step", diverging)
    with pytest.raises(CommandError, match=r"1 of 1 trainings did not finish\.") as ended:
        call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **FAST)
    assert ended.value.returncode == 1
    assert "failed, 0 of 3 steps: the loss is nan at step 1" in capsys.readouterr().out


def test_what_another_process_trains_is_waited_for_however_slow_its_steps(encoder, monkeypatch):
    """It renews its lease between steps; nobody asks the queue, which is not there."""
    call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **FAST)
    finished = Training.objects.get().accuracy
    later = timezone.now() + Training.LEASE
    Training.objects.update(state="running", step=1, worker="another", lease_expires_at=later)
    polls: list[float] = []

    def another(_seconds):
        polls.append(time.monotonic())
        if polls[-1] - polls[0] < 1.0:
            Training.objects.update(lease_expires_at=later + timedelta(seconds=len(polls)))
        else:
            Training.objects.update(state="finished", accuracy=finished)

    monkeypatch.setattr(time, "sleep", another)
    monkeypatch.setattr(watching, "PATIENCE_SECONDS", 0.5)
    call_command("train_classifier", "adept", recipe="adept", base=encoder, here=True, **FAST)
    assert len(polls) > 2


def test_a_queue_that_is_gone_while_it_waits_is_told_in_a_sentence(encoder, monkeypatch):
    studies = find_studies(["adept"])
    prepared = prepare(find_base(encoder), recipe("adept"), studies, apart_from=[], settings=ADEPT)
    training = start_training(prepared, ADEPT)
    monkeypatch.setattr(watching, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(watching, "POLL_SECONDS", 0.1)
    with pytest.raises(NobodyTrains, match="The task queue cannot be reached"):
        watch([training])


def test_without_a_worker_it_says_so_and_the_training_is_kept(encoder, queue, monkeypatch):
    monkeypatch.setattr(watching, "PATIENCE_SECONDS", 0.5)
    with pytest.raises(CommandError, match="No worker takes trainings") as refused:
        call_command("train_classifier", "adept", recipe="adept", base=encoder, **FAST)
    assert refused.value.returncode == 1
    assert Training.objects.get().state == "queued"
    call_command("train_classifier", "adept", recipe="adept", base=encoder, no_wait=True, **FAST)


def test_a_grid_that_an_earlier_one_beats_says_which_model_is_better():
    """Later grids on the same items extend the earlier ones, so that a grid may end without a model of its own."""
    model = LanguageModel.objects.create(
        key="adept-best", name="m", family="classifier", method="classifier", location="models", source="m"
    )
    give_training("a", state="finished", accuracy=0.8, epoch=1, in_grid=True, model=model)
    later = [give_training(name, state="finished", accuracy=0.5, epoch=1, in_grid=True) for name in "bc"]
    assert list(report(later))[-1].endswith("weights not kept; adept-best, from the same items, is better")
    model.delete()
    assert list(report(later))[-1].endswith("weights not kept")
