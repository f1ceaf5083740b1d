"""The web process stays light: it never loads torch or transformers, nor pandas before it computes a figure."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT
from tests.migrated import migrated_file

# Run in a process of its own, on a database of its own, with a study in it, so that pages have something to show.
VISIT = """
import sys
from pathlib import Path
import django
django.setup()
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import get_resolver
import config.local.web
from annotation.models import Study
from scoring.library.installation import install_baselines
from tests.house.addresses import patterns
from tests.studies import open_small_study, plausibility_rows

FOR_FIGURES = {"pandas", "pyarrow", "statsmodels", "crowdkit", "vl_convert"}

study = open_small_study(Path(sys.argv[1]), plausibility_rows(3), slug="x")
install_baselines()
client = Client(raise_request_exception=False, HTTP_HOST="localhost")
client.force_login(get_user_model().objects.create_superuser("root"))
link = study.links.get()
for what in ("judgments", "scores", "items"):
    assert b"".join(client.get(f"/studies/x/export/{what}.csv").streaming_content)
print("before a figure:", sorted(FOR_FIGURES & set(sys.modules)))
visited = [("welcome", link.get_absolute_url()), *patterns(get_resolver())]
visited += [("export", f"/studies/x/export/{what}.csv") for what in ("judgments", "scores", "items", "report")]
visited += [("comparison_item", "/studies/x/items/target-1/"), ("admin", "/admin/")]
visited += [("run_start", "/studies/x/runs/start/")]
for name, address in visited:
    for method in (client.get, client.post):
        answer = method(address, {"choice": "random label"}) if name == "run_start" else method(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code < 500, (name, address, answer.status_code, body[:500])
    if name in ("logout", "account_logout"):
        client.force_login(get_user_model().objects.get())
assert Study.objects.filter(slug="x").exists()
# An address that is refused loads nothing, and shows nothing.
assert client.get("/studies/x/results/").status_code == 200
print(len(visited), "addresses")
print("loaded:", sorted({"torch", "transformers", "tensorflow", "accelerate", "httpx"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_no_address_loads_torch_or_transformers(tmp_path: Path):
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PARALLAX_VAR": str(tmp_path / "var"),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'web.sqlite3'}",
        "PYTHONPATH": str(ROOT),
    }
    shutil.copyfile(migrated_file(), tmp_path / "web.sqlite3")
    command = [sys.executable, "-c", VISIT, str(tmp_path / "study")]
    visit = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert visit.returncode == 0, visit.stderr[-3000:]
    assert "before a figure: []" in visit.stdout, visit.stdout
    assert "loaded: []" in visit.stdout, visit.stdout
