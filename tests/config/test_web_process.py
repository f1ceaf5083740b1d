"""The web process stays light: it never loads torch or transformers, nor pandas or scipy for what is known."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT
from tests.migrated import migrated_file

# What only a figure that is computed, or drawn for a file, needs. `import scipy` alone loads none of its parts.
FOR_FIGURES = """
FOR_FIGURES = {"pandas", "pyarrow", "statsmodels", "sklearn", "crowdkit", "vl_convert", "httpx"}
FOR_FIGURES |= {f"scipy.{part}" for part in ("stats", "special", "sparse", "optimize", "signal", "linalg")}
"""
# Each of these is run in a process of its own.
START = """
import sys
import django
django.setup()
import config.local.web
print("at the start:", sorted((FOR_FIGURES | {"torch", "transformers"}) & set(sys.modules)))
"""
# On a database of its own, with a study in it, so that pages have something to show.
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
        # No worker is there, which is what it says.
        assert answer.status_code < 500 or name == "readyz", (name, address, answer.status_code, body[:500])
    if name in ("logout", "account_logout"):
        client.force_login(get_user_model().objects.get())
assert Study.objects.filter(slug="x").exists()
# An address that is refused loads nothing, and shows nothing.
assert client.get("/studies/x/results/").status_code == 200
print(len(visited), "addresses")
print("loaded:", sorted({"torch", "transformers", "tensorflow", "accelerate", "httpx"} & set(sys.modules)))
"""

# Twice, with a cache that both share: what the first computes, the second shows.
RESULTS = """
from pathlib import Path
from django.contrib.auth import get_user_model
from django.test import Client, override_settings
from annotation.models import Study
from researcher.views.comparison import titles
from tests.comparison.cast import give_labels, give_run
from tests.studies import open_small_study, plausibility_rows

def made():
    names = [f"target-{number}" for number in range(1, 13)]
    study = open_small_study(Path(sys.argv[1]), plausibility_rows(12), slug="x")
    give_labels(study, [(name, who, "less_likely") for name in names for who in ("p1", "p2")])
    give_run(study, [(name, "less_likely", None, "") for name in names], key="parrot")
    give_run(study, [(name, "more_likely", None, "") for name in names], key="owl")
    get_user_model().objects.create_superuser("root")

if not Study.objects.exists():
    made()
with override_settings(CACHES={"default": {"BACKEND": FILES, "LOCATION": sys.argv[2]}}):
    client = Client(HTTP_HOST="localhost")
    client.force_login(get_user_model().objects.get())
    for page in titles():
        part = "" if page == "overview" else f"{page}/"
        assert client.get(f"/studies/x/results/{part}").status_code == 200, page
    assert client.get("/studies/x/items/target-1/").status_code == 200
    assert client.get("/studies/x/").status_code == 200
print("by the results:", sorted(FOR_FIGURES & set(sys.modules)))
"""


@pytest.mark.slow
def test_what_is_remembered_is_shown_without_what_computed_it(tmp_path: Path):
    script = FOR_FIGURES + START + 'FILES = "django.core.cache.backends.filebased.FileBasedCache"\n' + RESULTS
    computed, shown = (said_by(script, tmp_path, str(tmp_path / "cache")) for _ in range(2))
    assert "scipy.stats" in computed
    assert "at the start: []" in shown, shown
    assert "by the results: []" in shown, shown


@pytest.mark.slow
def test_no_address_loads_torch_or_transformers(tmp_path: Path):
    said = said_by(FOR_FIGURES + VISIT, tmp_path)
    assert "before a figure: []" in said, said
    assert "loaded: []" in said, said


def said_by(script: str, tmp_path: Path, *given: str) -> str:
    """What it prints; it finds a database with all migrations, and the folder of a study in its arguments."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PARALLAX_VAR": str(tmp_path / "var"),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'web.sqlite3'}",
        "PYTHONPATH": str(ROOT),
    }
    if not (tmp_path / "web.sqlite3").exists():
        shutil.copyfile(migrated_file(), tmp_path / "web.sqlite3")
    command = [sys.executable, "-c", script, str(tmp_path / "study"), *given]
    visit = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert visit.returncode == 0, visit.stderr[-3000:]
    return visit.stdout
