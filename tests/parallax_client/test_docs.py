"""Both scripts of docs/api.md run as they stand, against a web server, a queue and a worker with models."""

import os
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import forked
from tests.forked import PATIENCE
from tests.house.sources import ROOT
from tests.installation import Installation
from tests.parallax_client.serving import answers, free_port
from tests.scoring.scorers.weights import CAUSAL, MASKED, needs_weights, thin
from work.queues import Queue

pytestmark = [pytest.mark.slow, needs_weights]
SCRIPTS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text(), re.DOTALL)


def items_file() -> bytes:
    """50 items as a spreadsheet holds them, with names of its own."""
    lines = ["No.,Plain,With adjective,Adj.,N,Verdict"]
    verdicts = ("Impossible", "Less likely", "Equally likely", "More likely", "Necessarily true")
    for number in range(1, 51):
        said = f"dog barks {number} times."
        lines.append(f"{number},The {said},The wet {said},wet,dog,{verdicts[number % 5]}")
    return "\n".join(lines).encode()


@pytest.fixture
def served(tmp_path: Path, valkey_url: str) -> Iterator[dict[str, str]]:
    """An installation with a model of each kind; what a script needs to ask it."""
    var = tmp_path / "var"
    var.mkdir()
    (var / "models").mkdir()
    for key in (MASKED, CAUSAL):
        (var / "models" / key).symlink_to(thin(key))
    made = Installation(var, valkey_url)
    # One of each kind, as each scores every item.
    models_of_both = ["fetch_models", "--only", MASKED, "--only", CAUSAL]
    made.call(models_of_both, ["collectstatic", "--no-input", "--verbosity", "0"])
    made.run("-c", "import django; django.setup(); from accounts.models import User; User.objects.create_user('ada')")
    scopes = [word for scope in ("read", "write", "score", "collect") for word in ("--scope", scope)]
    token = made.manage("api_token", "ada", "--name", "docs", *scopes).strip()
    port = free_port()
    command = ["-m", "gunicorn", "config.local.web", "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    web = forked.begin(*command, env=made.env, log=tmp_path / "web.log")
    worker = made.worker(",".join((Queue.SCORING, Queue.FIGURES, Queue.LARGE, Queue.UPKEEP)))
    url = f"http://127.0.0.1:{port}"
    try:
        made.wait_for(lambda: answers(url) or None)
        yield {"PARALLAX_URL": url, "PARALLAX_TOKEN": token}
    finally:
        for child in (web, worker):
            child.terminate()
            child.wait(timeout=PATIENCE)


def test_the_scripts_of_the_docs_run_as_they_stand(served, tmp_path, capsys):
    short, whole = SCRIPTS
    assert len(short.strip().splitlines()) <= 10
    assert len([line for line in whole.splitlines() if line.strip()]) <= 30
    (tmp_path / "my items.csv").write_bytes(items_file())
    said = []
    for script in (short, whole):
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | served | {"PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        said.append(done.stdout)
        with capsys.disabled():
            print(f"\n--- {time.monotonic() - begun:.1f} s\n{done.stdout}")
    assert "http://127.0.0.1" in said[0]
    assert "Imported: 50" in said[1]
    assert "finished" in said[1]
    assert "failed" not in said[1]
    assert re.search(r"pll +finished +50", said[1]), "a language model scored every item"
    with zipfile.ZipFile(tmp_path / "my-items.zip") as packed:
        assert any(name.endswith("README.md") for name in packed.namelist())
