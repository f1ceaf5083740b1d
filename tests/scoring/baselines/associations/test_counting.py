"""Counting into a store: the same whatever the processes, kills and order, and nothing counted twice."""

import os
import shutil
import signal
import sqlite3

import pytest

from corpus import sweep as sweeping
from corpus.errors import BuildError, SourceError
from scoring.baselines.associations import counting, places
from scoring.baselines.associations.counting import GROWING, WORK, Wanted, count
from scoring.baselines.associations.reading import StoreError, open_store
from scoring.library.locks import FolderInUse, exclusive_folder
from tests import forked
from tests.scoring.baselines.associations.stores import TEXT, quiet

pytestmark = pytest.mark.slow


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.setattr(sweeping, "BLOCK", 300)
    path = tmp_path / "first.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def other(tmp_path):
    path = tmp_path / "second.txt"
    path.write_text("The cop arrested the robber.\nThe robber was arrested by the cop.\nThe cop tasted the soup.\n")
    return path


def counted(store, *sources, **options):
    return count(Wanted(sources=sources, **options), store, say=quiet)


def test_one_process_and_two_give_the_same_content(corpus, tmp_path):
    one = counted(tmp_path / "one", corpus)
    two = counted(tmp_path / "two", corpus, processes=2)
    assert one.manifest.content == two.manifest.content
    assert one.manifest.totals == two.manifest.totals
    [source] = one.manifest.sources
    assert (source["name"], source["lines"]) == ("first.txt", TEXT.count("\n"))
    store = open_store(tmp_path / "one", one.manifest.content)
    assert store.triple("obj", "arrest", "thief") == 3
    assert store.lemma("chef", "N") == 5


def test_files_added_later_give_what_all_at_once_give(corpus, other, tmp_path):
    counted(tmp_path / "grown", corpus)
    grown = counted(tmp_path / "grown", other)
    at_once = counted(tmp_path / "at-once", other, corpus)
    assert grown.manifest.content == at_once.manifest.content
    assert [source.name for source in grown.added] == ["second.txt"]


def test_a_file_is_counted_once_whatever_its_name(corpus, tmp_path):
    before = counted(tmp_path / "store", corpus)
    twin = tmp_path / "twin.txt"
    twin.write_bytes(corpus.read_bytes())
    after = counted(tmp_path / "store", corpus, twin)
    assert after.manifest == before.manifest
    assert not after.added
    assert counted(tmp_path / "both", corpus, twin).manifest.content == before.manifest.content


def test_the_same_file_read_in_another_way_is_refused(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("The cop left.\tThe thief left.\n")
    counted(tmp_path / "store", path)
    with pytest.raises(BuildError, match="counted once"):
        counted(tmp_path / "store", path, field="2")


def killed(store, corpus, *, after):
    """A count in another process, which kills itself once it has written `after` transactions."""
    script = store.parent / "killed.py"
    script.write_text(
        "import os, signal\n"
        "from pathlib import Path\n"
        "from scoring.baselines.associations import counting\n"
        "from scoring.baselines.associations.growing import Growing\n"
        "from corpus import sweep\n"
        "sweep.BLOCK, counting.TOGETHER = 300, 1\n"
        "add, done = Growing.add, []\n"
        "def adding(self, tally, *, blocks):\n"
        "    add(self, tally, blocks=blocks)\n"
        "    done.append(blocks)\n"
        f"    if len(done) == {after}:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "Growing.add = adding\n"
        f"wanted = counting.Wanted(sources=[Path({str(corpus)!r})])\n"
        f"counting.count(wanted, Path({str(store)!r}), say=print)\n"
    )
    done = forked.run(str(script), env=os.environ)
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_a_killed_count_goes_on_and_gives_the_same(corpus, tmp_path):
    whole = counted(tmp_path / "whole", corpus)
    store = tmp_path / "store"
    killed(store, corpus, after=3)
    assert places.current(store) is None
    with sqlite3.connect(store / GROWING) as database:
        assert database.execute("SELECT value FROM meta WHERE name = 'blocks'").fetchone() == ("3",)
    assert counted(store, corpus).manifest.content == whole.manifest.content
    assert not (store / GROWING).exists()
    assert not (store / WORK).exists()


def test_a_killed_count_wants_the_same_files_or_afresh(corpus, other, tmp_path):
    store = tmp_path / "store"
    killed(store, corpus, after=2)
    with pytest.raises(BuildError, match=r"first.txt was interrupted.*--afresh"):
        counted(store, other)
    both = counted(store, other, corpus)
    assert both.manifest.content == counted(tmp_path / "at-once", corpus, other).manifest.content


def test_afresh_forgets_the_half_and_keeps_what_is_finished(corpus, other, tmp_path):
    store = tmp_path / "store"
    counted(store, other)
    killed(store, corpus, after=2)
    again = counted(store, other, afresh=True)
    assert [source["name"] for source in again.manifest.sources] == ["second.txt"]


def test_a_kill_while_it_is_forgotten_leaves_nothing_that_another_count_takes_up(corpus, other, tmp_path):
    """--afresh was killed between the removal of the working copy and that of its write-ahead log."""
    store = tmp_path / "store"
    counted(store, other)
    killed(store, corpus, after=2)
    assert (store / (GROWING + "-wal")).stat().st_size > 0
    (store / GROWING).unlink()
    third = tmp_path / "third.txt"
    third.write_text("The soup burned the cop.\n")
    again = counted(store, third)
    assert again.manifest.content == counted(tmp_path / "at-once", other, third).manifest.content


def test_a_file_that_changes_while_it_is_counted_is_refused(corpus, tmp_path, monkeypatch):
    def sweep(*args, **options):
        with corpus.open("a") as file:
            file.write("The mouse chased the cat.\n")
        yield from sweeping.sweep(*args, **options)

    monkeypatch.setattr(counting, "sweep", sweep)
    with pytest.raises(BuildError, match=r"first\.txt changed while it was counted.*--afresh"):
        counted(tmp_path / "store", corpus)
    monkeypatch.undo()
    assert places.current(tmp_path / "store") is None
    monkeypatch.setattr(sweeping, "BLOCK", 300)
    again = counted(tmp_path / "store", corpus, afresh=True)
    assert again.manifest.content == counted(tmp_path / "whole", corpus).manifest.content


@pytest.mark.parametrize(
    ("name", "line", "field"),
    [("a.txt", "The cop left.", "5"), ("a.tsv", "The cop left.\tNo.", "1"), ("a.jsonl", '{"text": "No."}', "text")],
)
def test_a_field_that_says_nothing_new_is_no_other_reading(tmp_path, name, line, field):
    """`count_corpus KEY a.txt b.tsv --field 5` reads a.txt as it was read before."""
    path = tmp_path / name
    path.write_text(line + "\n")
    before = counted(tmp_path / "store", path).manifest
    assert counted(tmp_path / "store", path, field=field).manifest == before
    assert counted(tmp_path / "other", path, field=field).manifest.content == before.content


def test_earlier_states_go_unless_they_are_kept(corpus, other, tmp_path):
    store = tmp_path / "store"
    first = counted(store, corpus).manifest.content
    opened = open_store(store, first)
    second = counted(store, other, keep_earlier=True).manifest.content
    assert places.is_there(store, first)
    third_file = tmp_path / "third.txt"
    third_file.write_text("The soup burned the cop.\n")
    counted(store, third_file)
    assert not places.is_there(store, first)
    assert not places.is_there(store, second)
    # Who has it open reads on.
    assert opened.triple("obj", "arrest", "thief") == 3
    with pytest.raises(StoreError, match="files were added to the store since"):
        open_store(store, second)


def test_a_kill_while_an_earlier_state_is_removed_leaves_no_part_of_it(corpus, other, tmp_path, monkeypatch):
    store = tmp_path / "store"
    first = counted(store, corpus).manifest.content
    remove = shutil.rmtree

    def killed_halfway(folder, **options):
        if (folder / places.MANIFEST).exists():
            (folder / places.MANIFEST).unlink()
            raise KeyboardInterrupt
        remove(folder, **options)

    monkeypatch.setattr(shutil, "rmtree", killed_halfway)
    with pytest.raises(KeyboardInterrupt):
        counted(store, other)
    monkeypatch.undo()
    assert not places.state_folder(store, first).exists()
    now = counted(store, other).manifest.content
    assert sorted(path.name for path in store.iterdir() if path.is_dir()) == [now[:16]]
    assert now == counted(tmp_path / "at-once", corpus, other).manifest.content


def test_a_store_whose_file_has_changed_is_refused(corpus, tmp_path):
    store = tmp_path / "store"
    content = counted(store, corpus).manifest.content
    with (places.state_folder(store, content) / places.COUNTS).open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"x")
    with pytest.raises(StoreError, match=r"is not what was counted: counts\.sqlite3"):
        open_store(store, content)


def test_a_store_whose_own_words_cannot_be_read_says_which_file_to_remove(corpus, tmp_path):
    """Half a file, as a power cut leaves it."""
    store = tmp_path / "store"
    content = counted(store, corpus).manifest.content
    manifest = places.state_folder(store, content) / places.MANIFEST
    whole = manifest.read_text()
    manifest.write_text(whole[:100])
    with pytest.raises(StoreError, match=r"store\.json cannot be read"):
        open_store(store, content)
    with pytest.raises(BuildError, match=r"store\.json cannot be read"):
        counted(store, corpus)
    manifest.unlink()
    assert counted(store, corpus).manifest.content == content
    (store / places.CURRENT).write_text("")
    with pytest.raises(BuildError, match=r"current\.json cannot be read"):
        counted(store, corpus)
    (store / places.CURRENT).unlink()
    assert counted(store, corpus).manifest.content == content


def test_two_cannot_count_into_one_store(corpus, tmp_path):
    store = tmp_path / "store"
    with exclusive_folder(store), pytest.raises(FolderInUse, match="Another process is working in"):
        counted(store, corpus)


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("bad.txt", b"fine\n\xff\xfe\n", "line 2: is not UTF-8 text"),
        ("bad.jsonl", b'{"text": "The cop left."}\n' * 99 + b"torn", "line 100: is not JSON"),
        ("bad.tsv", b"one\ttwo\tthree\none\ttwo\n", "line 2: has no column '3'"),
    ],
)
def test_a_file_that_cannot_be_read_leaves_the_store_as_it_was(corpus, tmp_path, name, content, fault):
    before = counted(tmp_path / "store", corpus).manifest
    bad = tmp_path / name
    bad.write_bytes(content)
    with pytest.raises(SourceError, match=fault):
        counted(tmp_path / "store", bad, field="3" if name.endswith("tsv") else "")
    assert places.current(tmp_path / "store") == before
    assert not (tmp_path / "store" / GROWING).exists()


def test_another_parser_is_refused_and_leaves_the_store_as_it_was(corpus, other, tmp_path, monkeypatch):
    before = counted(tmp_path / "store", corpus).manifest
    monkeypatch.setattr(counting, "counted_with", lambda *, window: before.counted_with | {"spacy": "4.0.0"})
    with pytest.raises(BuildError, match=r"and here is .*spacy 4\.0\.0.*: their counts do not add up"):
        counted(tmp_path / "store", other)
    # Asking again for a count that exists makes no new one.
    assert counted(tmp_path / "store", corpus).manifest == before


def test_a_store_has_one_window(corpus, other, tmp_path):
    """What is near counts for PPMI and vectors, so that it is part of what a state is; events know nothing of it."""
    wide, narrow = counted(tmp_path / "wide", corpus), counted(tmp_path / "narrow", corpus, window=2)
    assert (wide.manifest.window, narrow.manifest.window) == (10, 2)
    assert wide.manifest.content != narrow.manifest.content
    near = [open_store(tmp_path / name, one.manifest.content) for name, one in (("wide", wide), ("narrow", narrow))]
    assert [one.window("cop", "thief") > 0 for one in near] == [True, False]
    assert near[0].totals == near[1].totals
    for more in (corpus, other):
        with pytest.raises(BuildError, match="was counted with a window of 2, and 10 is asked for"):
            counted(tmp_path / "narrow", more, window=10)
    assert counted(tmp_path / "narrow", other).manifest.window == 2


def test_a_kill_right_after_the_end_does_not_make_the_state_again(corpus, tmp_path, monkeypatch):
    forget = counting._forget
    monkeypatch.setattr(counting, "_forget", lambda store: None)
    first = counted(tmp_path / "store", corpus).manifest
    file = places.state_folder(tmp_path / "store", first.content) / places.COUNTS
    written = file.stat()
    monkeypatch.setattr(counting, "_forget", forget)
    assert counted(tmp_path / "store", corpus).manifest == first
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    assert not (tmp_path / "store" / GROWING).exists()


def test_a_state_that_was_removed_is_counted_again(corpus, tmp_path):
    first = counted(tmp_path / "store", corpus).manifest
    shutil.rmtree(places.state_folder(tmp_path / "store", first.content))
    again = counted(tmp_path / "store", corpus)
    assert (again.manifest.content, len(again.added)) == (first.content, 1)
