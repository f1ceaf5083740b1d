"""The web process starts runs and never loads a model: importing what it needs brings in no torch."""

import subprocess
import sys

import pytest
from django.conf import settings

MODULES = (
    "scoring.runs.starting",
    "scoring.metrics",
    "scoring.scorers",
    "scoring.baselines",
    "scoring.tasks",
    "scoring.library.packaged",
)


@pytest.mark.slow
def test_importing_the_web_side_loads_no_torch():
    code = (
        "import sys, django; django.setup(); "
        f"import {', '.join(MODULES)}; "
        "print([name for name in ('torch', 'transformers', 'gguf') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
