"""`manage.py train_lstm`: what becomes a row, what is refused, and with which exit code."""

import os
import shutil
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from corpus.provenance import digest
from scoring.library.locks import exclusive_folder
from scoring.models import LanguageModel, Run
from scoring.runs import starting, working
from scoring.runs.asking import measurement_of
from scoring.runs.fitting import choices_for, find_model
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from scoring.scorers.lstm_model.folder import CARD, VOCABULARY, WEIGHTS, read_card
from tests import forked
from tests.studies import open_small_study, plausibility_row
from tests.training.lstm.small import SMALL, text
from training.lstm import installing as lstmtraining
from training.lstm.installing import work_folder
from work import queue

pytestmark = pytest.mark.django_db
OPTIONS = {name: value for name, value in SMALL.as_json().items() if name not in ("device", "steps")} | {"steps": 20}


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path / "var")
    monkeypatch.setattr(settings, "MODELS_DIR", tmp_path / "var" / "models")


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(text())
    return path


def train(key, *files, **options):
    call_command("train_lstm", key, *map(str, files), **{**OPTIONS, "heldout": 0.03, **options})


def refusal(code, key, *files, **options):
    with pytest.raises(CommandError) as refused:
        train(key, *files, **options)
    assert refused.value.returncode == code, refused.value
    return str(refused.value)


@pytest.mark.slow
def test_a_corpus_becomes_a_model_that_is_a_row(corpus, capsys):
    train("little", corpus, license="CC0")
    row = LanguageModel.objects.get()
    assert (row.key, row.name, row.family, row.license) == ("little", "LSTM (little)", "baseline", "CC0")
    assert (row.method, row.location, row.source) == ("lstm", "models", "little")
    folder = settings.MODELS_DIR / "little"
    assert row.spec.source == str(folder)
    card = read_card(folder)
    assert row.files == {WEIGHTS: card["weights_sha256"], VOCABULARY: card["vocabulary_sha256"]}
    assert row.file_hash == digest(row.files)
    told = capsys.readouterr().out
    assert "20 steps" in told and "perplexity" in told and "registered" in told
    # What is finished leaves no state behind.
    assert [path.name for path in work_folder("little").iterdir()] == ["lock"]


@pytest.mark.slow
def test_the_same_again_returns_the_model_and_anything_else_is_refused(corpus, tmp_path, capsys):
    train("little", corpus)
    before = (settings.MODELS_DIR / "little" / WEIGHTS).stat().st_mtime_ns
    capsys.readouterr()
    train("little", corpus)
    assert "already there, nothing changed" in capsys.readouterr().out
    assert (settings.MODELS_DIR / "little" / WEIGHTS).stat().st_mtime_ns == before
    assert "its settings differ" in refusal(2, "little", corpus, seed=9)
    assert "its reading differ" in refusal(2, "little", corpus, least=1)
    other = tmp_path / "other.txt"
    other.write_text(text(seed=7))
    assert "its sources differ" in refusal(2, "little", other)
    assert LanguageModel.objects.count() == 1
    # Its row was lost: it is written again, without training.
    LanguageModel.objects.all().delete()
    train("little", corpus)
    assert (settings.MODELS_DIR / "little" / WEIGHTS).stat().st_mtime_ns == before
    assert LanguageModel.objects.count() == 1


@pytest.mark.slow
def test_a_model_whose_folder_was_removed_is_said_to_be_gone(corpus):
    train("little", corpus)
    shutil.rmtree(settings.MODELS_DIR / "little")
    assert f"its folder {settings.MODELS_DIR / 'little'} is missing. Restore it" in refusal(2, "little", corpus)


@pytest.mark.slow
def test_what_another_process_has_finished_meanwhile_is_not_trained_again(corpus, monkeypatch, capsys):
    require_new = lstmtraining._require_new

    def meanwhile(wanted):
        monkeypatch.setattr(lstmtraining, "_require_new", require_new)
        train("little", corpus)
        capsys.readouterr()

    monkeypatch.setattr(lstmtraining, "_require_new", meanwhile)
    train("little", corpus)
    told = capsys.readouterr().out
    assert "already there, nothing changed" in told and "to train on" not in told


def test_a_key_that_is_being_trained_is_refused(corpus):
    with exclusive_folder(work_folder("little")):
        assert "Another process is working in" in refusal(1, "little", corpus)


@pytest.mark.slow
def test_a_model_is_scored_by_its_metrics_and_no_others(corpus, tmp_path, monkeypatch):
    # The queue itself is met in test_worker_kill.py.
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    train("little", corpus)
    study = open_small_study(
        tmp_path / "study",
        [
            plausibility_row(1),
            _sentences("two", "The dog chased the cat.", "The false dog chased the cat."),
        ],
    )
    [(model, metrics)] = choices_for(study)
    assert [metric.key for metric in metrics] == ["lstm", "lstm_unk"]
    run = start_run(study, find_model("little"), "lstm")
    for chunk in run.chunks.all():
        CHUNKS.work(chunk.pk, worker="w")
    run = Run.objects.get()
    assert (run.state, run.scored, run.unscored) == ("finished", 1, 1)
    unknown, known = run.scores.order_by("item__position")
    assert "are not in the model's vocabulary" in unknown.unscored
    assert known.strength is not None
    assert known.detail["options"]["modified"]["tokens"][-1][0] == "</s>"
    assert run.provenance["files_sha256"] == model.files
    assert measurement_of(model, "lstm") is not None


def _sentences(name, original, modified):
    from annotation.itemfile import ItemRow

    return ItemRow(name, {"original": original, "modified": modified, "modifier": "false", "noun": "dog"})


@pytest.mark.parametrize(
    ("key", "files", "options", "code", "said"),
    [
        ("Little", True, {}, 2, "is not a valid key"),
        ("little", False, {}, 2, "Give either FILEs"),
        ("little", True, {"trained": "x"}, 2, "Give either FILEs"),
        ("majority", True, {}, 2, "is reserved for a model of Parallax"),
        ("endpoint-x", True, {}, 2, "is reserved"),
        ("little", True, {"steps": 3, "minutes": 1.0}, 2, "not both"),
        ("little", True, {"least": 10**6}, 1, "too little text"),
    ],
)
def test_what_does_not_fit_is_refused(corpus, key, files, options, code, said):
    assert said in refusal(code, key, *([corpus] if files else []), **options)
    assert not LanguageModel.objects.exists()
    assert not (settings.MODELS_DIR / key).exists()


def test_a_file_that_is_not_there_is_said(tmp_path):
    assert "no such file" in refusal(1, "little", tmp_path / "none.txt")


@pytest.mark.slow
def test_another_model_of_that_key_or_name_is_not_written_over(corpus):
    LanguageModel.objects.create(
        key="mine",
        name="LSTM (little)",
        family="masked",
        method="masked",
        location="path",
        source="x",
        file_hash="0" * 64,
    )
    assert "key 'mine' belongs to another model" in refusal(2, "mine", corpus)
    assert "There is already a model called LSTM (little)" in refusal(2, "little", corpus)
    train("little", corpus, name="Little LSTM")
    assert LanguageModel.objects.get(key="little").name == "Little LSTM"


@pytest.mark.slow
def test_text_prepared_here_is_trained_elsewhere_and_taken_back(corpus, tmp_path, capsys):
    """By the plain program, without Django, to the same bytes."""
    train("here", corpus)
    train("there", corpus, prepare_only=True)
    text_folder = work_folder("there") / "prepared"
    assert str(text_folder) in capsys.readouterr().out
    command = ["-m", "training.lstm", str(text_folder), "--out", str(tmp_path / "made")]
    for name, value in OPTIONS.items():
        command += [f"--{name}", *(map(str, value) if isinstance(value, list) else [str(value)])]
    done = forked.run(*command, env=os.environ)
    assert done.returncode == 0, done.stderr
    train("there", trained=tmp_path / "made")
    folder = settings.MODELS_DIR
    for name in (WEIGHTS, CARD):
        assert (folder / "there" / name).read_bytes() == (folder / "here" / name).read_bytes()
    assert LanguageModel.objects.get(key="there").file_hash == LanguageModel.objects.get(key="here").file_hash


@pytest.mark.slow
def test_the_plain_program_needs_no_django():
    code = (
        "import sys; import training.lstm.__main__; "
        "print(sorted({'django', 'transformers', 'spacy', 'zstandard', 'stimuli'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr
