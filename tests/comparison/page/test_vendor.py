"""The vendored libraries are the files that the README names, and nothing in them points elsewhere."""

import hashlib
import re
from pathlib import Path

import pytest
from django.conf import settings

VENDOR = Path(settings.BASE_DIR) / "static" / "vendor"


@pytest.mark.parametrize("name", ["vega", "vega-lite", "vega-embed"])
def test_files_have_the_sums_of_the_readme(name):
    text = (VENDOR / f"{name}.min.js").read_bytes()
    assert hashlib.sha256(text).hexdigest() in (VENDOR / "README.md").read_text(encoding="utf-8")
    # Hashed static files refuse to collect a script whose map is missing.
    assert not re.search(rb"^//# sourceMappingURL", text, re.MULTILINE)
    assert (VENDOR / f"LICENSE-{name}.txt").read_text(encoding="utf-8").startswith("Copyright")
