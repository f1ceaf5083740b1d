"""The web process stays light: serving every address there is, it never loads torch or transformers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

# Run in a process of its own, on a database of its own, with a study in it, so that pages have something to show.
VISIT = """
import sys
from pathlib import Path
import django
django.setup()
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver
from annotation.models import Study
from scoring.library.installation import install_baselines
from tests.house.addresses import patterns
from tests.studies import open_small_study, plausibility_rows

call_command("migrate", verbosity=0)
study = open_small_study(Path(sys.argv[1]), plausibility_rows(3), slug="x")
install_baselines()
client = Client(raise_request_exception=False)
client.force_login(get_user_model().objects.create_superuser("root"))
link = study.links.get()
visited = [("welcome", link.get_absolute_url()), *patterns(get_resolver())]
visited += [("export", f"/studies/x/export/{what}.csv") for what in ("judgments", "scores", "items", "report")]
visited += [("comparison_item", "/studies/x/items/target-1/"), ("admin", "/admin/")]
visited += [("run_start", "/studies/x/runs/start/")]
for name, address in visited:
    for method in (client.get, client.post):
        answer = method(address, {"choice": "random label"}) if name == "run_start" else method(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code < 500, (name, address, answer.status_code, body[:500])
    if name == "logout":
        client.force_login(get_user_model().objects.get())
assert Study.objects.filter(slug="x").exists()
print(len(visited), "addresses")
print("loaded:", sorted({"torch", "transformers", "tensorflow", "accelerate"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_no_address_loads_torch_or_transformers(tmp_path: Path):
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PARALLAX_VAR": str(tmp_path / "var"),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'web.sqlite3'}",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-c", VISIT, str(tmp_path / "study")]
    visit = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert visit.returncode == 0, visit.stderr[-3000:]
    assert "loaded: []" in visit.stdout, visit.stdout
