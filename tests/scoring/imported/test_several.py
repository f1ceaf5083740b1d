"""A folder of score files: each becomes its run, one that does not fit is named and leaves nothing behind."""

import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from annotation.models import Study
from scoring.imported.naming import NAMINGS, NotNamed
from scoring.models import LanguageModel, Run
from tests.scoring.imported.score_files import CHOICE, QUALITY, ROWS
from tests.shared_data import shared
from tests.studies import open_small_study

pytestmark = pytest.mark.django_db
LINES = ["The cook fried the egg", "The cook fried the hat", "A dog bit a man", "A hat bit a man"]
OTHER = [
    ItemRow("o1", {"options": {"plausible": "A bird flew.", "implausible": "A stone flew."}}, reference="plausible")
]


@pytest.fixture
def study(tmp_path) -> Study:
    return open_small_study(tmp_path / "study", ROWS, task=CHOICE, quality=QUALITY)


@pytest.fixture
def folder(tmp_path):
    """Names as the authors give them, and one that they do not."""
    made = tmp_path / "scores"
    (made / "sub").mkdir(parents=True)
    plain = "".join(f"{n}\t{text}.\t{-n - 1}\n" for n, text in enumerate(LINES))
    (made / "ev1.roberta-large.sentence-PLL.txt").write_text(plain)
    (made / "ev1.gpt2-xl.sentence-LL.average_byNrWords.txt").write_text(plain)
    (made / "ev1.tinylstm.surprisal_scores.txt").write_text(plain)
    (made / "sub" / "ev1_deps.scores_baseline1.txt").write_text(
        "".join(f"{n}\t{text} .\t1,2\t{9 - n}\r\n" for n, text in enumerate(LINES))
    )
    (made / ".hidden").write_text("no")
    return made


@pytest.mark.slow
def test_every_file_becomes_its_run(study, folder, capsys):
    call_command("import_scores", study.slug, str(folder), "--format", "kauf")
    said = capsys.readouterr().out
    assert "4 files: 4 imported, 0 already there, 0 refused" in said
    found = {str(run): run for run in Run.objects.select_related("model", "source")}
    assert {name: run.model.family for name, run in found.items()} == {
        "roberta-large · sentence-PLL (imported)": "masked",
        "gpt2-xl · sentence-LL.average_byNrWords (imported)": "causal",
        "tinyLSTM · surprisal (imported)": "other",
        "PPMI-syntax · scores_baseline1 (imported)": "other",
    }
    strengths = {
        run.model.name: list(run.scores.order_by("item__position").values_list("strength", flat=True))
        for run in found.values()
    }
    assert strengths == {"roberta-large": [1, 1], "gpt2-xl": [1, 1], "tinyLSTM": [-1, -1], "PPMI-syntax": [1, 1]}
    assert found["tinyLSTM · surprisal (imported)"].source.note.startswith("Kauf, Ivanova")
    call_command("import_scores", study.slug, str(folder), "--format", "kauf")
    assert "4 files: 0 imported, 4 already there, 0 refused" in capsys.readouterr().out


def test_what_does_not_fit_is_named_and_the_rest_is_imported(study, folder, capsys):
    (folder / "README.txt").write_text("scores")
    (folder / "ev1.mpt-7b.sentence-LL.txt").write_text("0\tThe cook fried the egg.\tx\n1\tA dog bit a man.\ty\n")
    (folder / "dtfit.mpt-30b.sentence-LL.txt").write_text("0\tIt rains.\t1\n")
    with pytest.raises(CommandError, match="7 files: 4 imported, 0 already there, 3 refused") as caught:
        call_command("import_scores", study.slug, str(folder), "--format", "kauf")
    assert caught.value.returncode == 1
    told = capsys.readouterr().err
    assert "README.txt: is not named as these files are, such as ev1.roberta-large" in told
    assert "line 2, column 3: 'y' is not a number" in told
    assert "no line names a text of this study" in told
    assert Run.objects.count() == LanguageModel.objects.count() == 4


@pytest.mark.slow
def test_files_go_to_the_study_that_they_are_about(study, folder, tmp_path, capsys):
    other = open_small_study(tmp_path / "other", OTHER, task=CHOICE, quality=QUALITY, slug="other")
    (folder / "dtfit.roberta-large.sentence-PLL.txt").write_text("0\tA bird flew.\t-1\n1\tA stone flew.\t-3\n")
    call_command("import_scores", other.slug, str(folder), "--format", "kauf", "--also", study.slug)
    assert (study.runs.count(), other.runs.count()) == (4, 1)
    assert "5 files: 5 imported" in capsys.readouterr().out


def test_a_folder_of_any_files_is_read_in_one_way(study, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "Big.csv").write_text("item;score\np1;1\np2;2\n")
    (folder / "Small.jsonl").write_text('{"item": "p1", "score": 3}\n{"item": "p2", "score": null}\n')
    call_command("import_scores", study.slug, str(folder), "--source", "us", "--metric-name", "LL")
    found = {run.model.name: (run.metric, run.scored) for run in Run.objects.select_related("model")}
    assert found == {"Big": ("LL", 2), "Small": ("LL", 1)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "kauf", "--column", "3"], "--format replaces"),
        ([], "Give the source of the scores"),
        (["--remove", "--name", "x"], "--remove deletes one run"),
        (["--source", "us", "--map", "a"], "is not WHAT=COLUMN"),
    ],
)
def test_options_that_do_not_fit(study, folder, options, message):
    with pytest.raises(CommandError, match=message):
        call_command("import_scores", study.slug, str(folder), *options)
    assert not Run.objects.exists()


@pytest.mark.parametrize("name", ["README.md", "ev1.txt", "ev1.gpt2.csv", "ev1.gpt2-xl.perplexity.txt"])
def test_other_names_are_none_of_theirs(name, tmp_path):
    with pytest.raises(NotNamed):
        NAMINGS["kauf"].read(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "model", "metric"),
    [
        ("new-EventsAdapt.roberta-large.sentence-l2r-PLL.txt", "roberta-large", "sentence-l2r-PLL"),
        (
            "new-EventsAdapt.gpt2-xl.sentence-LL.average_byNrTokens.txt",
            "gpt2-xl",
            "sentence-LL.average_byNrTokens",
        ),
        ("new-EventsAdapt.tinylstm.surprisal_scores.txt", "tinyLSTM", "surprisal"),
        ("newsentences_EventsAdapt_deps.scores_baseline1.txt", "PPMI-syntax", "scores_baseline1"),
    ],
)
def test_the_files_of_a_set_whose_name_has_a_hyphen_are_theirs(name, model, metric, tmp_path):
    named = NAMINGS["kauf"].read(tmp_path / name)
    assert (named.model, named.metric) == (model, metric)


@pytest.mark.slow
def test_all_published_files_at_once(tmp_path, capsys):
    for events in ("EventsRev", "DTFit"):
        source = shared(f"event_knowledge/clean/clean_{events}_SentenceSet.csv")
        call_command("import_study", "events", str(source), "--set", events.lower(), "--out", str(tmp_path / events))
    folder = shared("event_knowledge/model_scores")
    capsys.readouterr()
    call_command("import_scores", "eventsrev-pairs", str(folder), "--format", "kauf", "--also", "dtfit-pairs")
    assert "30 files: 30 imported, 0 already there, 0 refused" in capsys.readouterr().out
    assert {study.slug: study.runs.count() for study in Study.objects.all()} == {
        "eventsrev-pairs": 25,
        "dtfit-pairs": 5,
    }
    # Of SOURCE.txt: ties are wrong.
    published = {"roberta-large": 30, "tinyLSTM": 19, "SDM": 20, "thematicFit": 26, "PPMI-syntax": 36}
    runs = Run.objects.filter(study__slug="eventsrev-pairs", model__name__in=published).exclude(
        metric__in=["verb-PLL", "last-word-PLL", "sentence-l2r-PLL"]
    )
    assert {run.model.name: run.scores.filter(decision="plausible").count() for run in runs} == published
