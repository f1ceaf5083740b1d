"""What commands write to standard output: a reader who has gone is no error, and a full disk is one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import OutputWrapper

from comparison.exports.cells import write_out
from tests.installation import Installation
from tests.studies import plausibility_rows, write_study

FULL = Path("/dev/full")
has_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full on this machine")


def test_a_reader_who_has_gone_ends_it_without_a_word():
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe, pytest.raises(SystemExit) as ended:
        write_out(["one\n", "two\n"], out=None, stdout=OutputWrapper(pipe))
    assert ended.value.code == 141


def test_what_the_lines_are_read_from_is_let_go_when_the_reader_has_gone():
    ended = []

    def lines():
        try:
            while True:
                yield "one more line\n"
        finally:
            ended.append(True)

    reader, writer = os.pipe()
    os.close(reader)
    endless = lines()
    with os.fdopen(writer, "w") as pipe, pytest.raises(SystemExit):
        write_out(endless, out=None, stdout=OutputWrapper(pipe))
    assert ended


@has_full
def test_a_full_disk_is_one_sentence():
    with FULL.open("w") as full, pytest.raises(CommandError) as refused:
        write_out(["one\n"], out=None, stdout=OutputWrapper(full))
    assert str(refused.value) == "Standard output cannot be written: No space left on device."
    assert refused.value.returncode == 1


@has_full
def test_so_it_is_where_the_file_is_named():
    with pytest.raises(CommandError, match=r"^/dev/full cannot be written: No space left on device\.$"):
        write_out(["one\n"], out=FULL, stdout=OutputWrapper(sys.stdout))


@pytest.mark.slow
@has_full
def test_the_commands_end_so(tmp_path):
    place = Installation(tmp_path, "redis://nowhere.invalid")

    def manage(*arguments, stdout):
        command = [sys.executable, "manage.py", *arguments, "--skip-checks"]
        return subprocess.run(
            command, cwd=settings.BASE_DIR, env=place.env, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
        )

    # More scores than are fetched at once, so that the reader goes while the database still has some.
    folder = write_study(tmp_path / "study", plausibility_rows(3000))
    scores = tmp_path / "scores.csv"
    scores.write_text("item,score\n" + "".join(f"target-{number},{number}\n" for number in range(1, 3001)))
    imported = ["import_scores", "small", str(scores), "--name", "theirs", "--source", "a test"]
    place.call(["load_study", str(folder)], imported)
    with FULL.open("w") as full:
        ended = manage("accuracy_table", "small", stdout=full)
    words = "Standard output cannot be written: No space left on device.\n"
    assert (ended.returncode, ended.stderr.removeprefix("CommandError: ")) == (1, words)
    assert left_after_some_lines("small", "scores", env=place.env) == (141, b"")


def left_after_some_lines(*arguments, env):
    """Exit code and complaints of an export whose reader goes as head does, once it has some lines."""
    command = [sys.executable, "manage.py", "export", *arguments, "--skip-checks"]
    with subprocess.Popen(
        command, cwd=settings.BASE_DIR, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as begun:
        assert begun.stdout is not None
        assert begun.stderr is not None
        assert begun.stdout.read(100)
        begun.stdout.close()
        complaints = begun.stderr.read()
    return begun.returncode, complaints
