"""Counts that others have made as a store: the same PPMI as of the text that they were made of."""

import math
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.errors import BuildError, SourceError
from scoring.baselines.associations.counting import Counted, take_counts
from scoring.baselines.associations.events import Argument, Event
from scoring.baselines.associations.ppmi import syntactic
from scoring.baselines.associations.reading import open_store
from scoring.models import LanguageModel
from tests.scoring.baselines.associations.stores import quiet

LINES = ["arrest\tcop\tsbj\t6", "arrest\tthief\tobj\t4", "eat\tthief\tsbj\t2", "eat\tcop\tobj\t1", "eat\tsoup\tdobj\t8"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "freqs.txt"
    path.write_text("\n".join(LINES) + "\n")
    return path


def taken(path: Path, store: Path) -> Counted:
    return take_counts(path, store, columns={}, header=False, keep_earlier=False, say=quiet)


def test_ppmi_of_counts_by_hand(file, tmp_path):
    made = taken(file, tmp_path / "store")
    store = open_store(tmp_path / "store", made.manifest.content)
    # Those met once are no triples: 20 are left.
    assert store.totals["triples"] == 20
    assert (store.triple("obj", "eat", "cop"), store.triple("obj", "eat", "soup")) == (0, 8)
    parts = syntactic(store, Event("arrest", 1, (Argument("nsubj", "cop", 0), Argument("obj", "thief", 2))))
    # log2(6 · 20 / (6 · 6)) and log2(4 · 20 / (4 · 4)).
    assert [value for _, value in parts] == [pytest.approx(math.log2(120 / 36)), pytest.approx(math.log2(5))]


def test_the_same_file_changes_nothing_and_another_is_refused(file, tmp_path):
    made = taken(file, tmp_path / "store")
    again = taken(file, tmp_path / "store")
    assert (again.manifest, again.added) == (made.manifest, [])
    file.write_text(file.read_text() + "eat\tmeal\tobj\t3\n")
    with pytest.raises(BuildError, match="holds other counts already"):
        taken(file, tmp_path / "store")


def test_columns_may_have_other_names(tmp_path):
    path = tmp_path / "freqs.csv"
    path.write_text("freq;rel;head;dep\n5;obj;Eat;Soup\n")
    columns = {"verb": "head", "noun": "dep", "relation": "rel", "count": "freq"}
    made = take_counts(path, tmp_path / "store", columns=columns, header=True, keep_earlier=False, say=quiet)
    assert open_store(tmp_path / "store", made.manifest.content).triple("obj", "eat", "soup") == 5


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("eat\tsoup\tobj\tmany", "line 6, column “count”: 'many' is not a whole number from 1"),
        ("eat\tsoup\tobj\t0", "line 6, column “count”: '0' is not"),
        ("eat\t\tobj\t2", "line 6, column “noun”: is empty"),
        ("eat\tsoup\tobj", "line 6: has 3 cells"),
    ],
)
def test_faults_are_named_by_line_and_nothing_is_kept(file, tmp_path, line, message):
    file.write_text(file.read_text() + line + "\n")
    with pytest.raises(SourceError, match=message):
        taken(file, tmp_path / "store")
    assert not list((tmp_path / "store").glob("*.sqlite3"))


@pytest.mark.django_db
def test_the_command_registers_what_triples_give(file, tmp_path, settings, capsys):
    settings.VAR_DIR = tmp_path
    call_command("count_corpus", "drive", "--counts", str(file), "--no-header")
    said = capsys.readouterr().out
    assert {model.method for model in LanguageModel.objects.filter(source="drive")} >= {"ppmi_syntax"}
    assert "no thematic_fit: too few words for word vectors" in said
    assert "no ppmi_unstructured: the file of counts has no words near each other" in said
    with pytest.raises(CommandError, match="Name text files or one"):
        call_command("count_corpus", "nowhere")
    with pytest.raises(CommandError, match="'verb' is not WHAT=COLUMN"):
        call_command("count_corpus", "other", "--counts", str(file), "--map", "verb")
