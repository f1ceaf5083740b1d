"""Processes that read what a stranger made have nothing of it that settings keep to themselves."""

import re

import pytest

from corpus.own_process import ROOT, SECRETS, started, without_secrets


@pytest.mark.slow
def test_a_process_for_long_work_has_no_secret(monkeypatch, tmp_path):
    for name in (*SECRETS, "CORPUS_STORE"):
        monkeypatch.setenv(name, "said")
    (tmp_path / "told.py").write_text("import os; print(*os.environ)")
    with (tmp_path / "log").open("w+") as log, started("told", folder=tmp_path, log=log) as process:
        told = set(process.communicate()[0].split())
    assert "CORPUS_STORE" in told
    assert not told & set(SECRETS)


def test_only_a_process_that_reads_text_in_stores_has_what_opens_them(monkeypatch):
    for name in ("AWS_SECRET_ACCESS_KEY", "MODEL_STORE", "HF_TOKEN", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "said")
    left = without_secrets(OMP_NUM_THREADS="1")
    assert {"HF_HUB_OFFLINE", "OMP_NUM_THREADS", "PATH"} <= set(left)
    assert not {"AWS_SECRET_ACCESS_KEY", "MODEL_STORE", "HF_TOKEN"} & set(left)
    assert without_secrets(reads_stores=True)["AWS_SECRET_ACCESS_KEY"] == "said"


def test_all_that_settings_keep_secret_is_named():
    settings = (ROOT / "config" / "settings.py").read_text()
    secret = set(re.findall(r'env\.\w+\("(\w*(?:KEY|SECRET|PASSWORD|TOKEN|_URL)\w*)"', settings))
    assert secret == set(SECRETS)


def test_each_process_that_is_started_for_a_strangers_file_has_that_environment():
    """But for pip's, which has its own settings, and the processes of `make run`."""
    rooms = ("annotation", "corpus", "comparison", "researcher", "scoring", "stimuli", "training", "work")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    starting = {path for path in files if re.search(r"subprocess\.(run|Popen)\(", path.read_text())}
    without = {
        path for path in starting if "env=" not in path.read_text() or "without_secrets(" not in path.read_text()
    }
    assert {path.name for path in without} == {"packaged.py"}
