"""How heavy each page of the results is on the way to a reader: `make bench-weights`.

For every part of a study's results, all that a first visit loads: its HTML with the charts in it, the stylesheets and
scripts that it names (with what stylesheets import), each compressed by gzip as a server sends them. What a browser
keeps from an earlier page counts again. By default of the sample study that `make run` labels and scores.
"""

import argparse
import gzip
import os
import re
import sys
from pathlib import Path

FILES = re.compile(r'(?:href|src)="/static/([^"?]+\.(?:css|js|svg))"')
IMPORTS = re.compile(r'@import url\("([^"]+)"\)')
# What issue 13 asks of a page.
MOST = 80_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--study", default="adjectives", help="the slug of a study that is there")
    parser.add_argument("--user", default="researcher", help="who looks at it")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.exit(0 if measured(options.study, options.user) else 1)


def measured(slug: str, user: str) -> bool:
    """Print a line a part; whether all are light enough."""
    import django

    django.setup()
    from django.contrib.auth import get_user_model
    from django.test import Client
    from django.urls import reverse

    from researcher.views.comparison import PARTS

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(get_user_model().objects.get(username=user))
    print("| page | HTML | CSS and JS | together |\n|---|---:|---:|---:|")
    light = True
    for part in PARTS:
        address = reverse("results", args=[slug] if part == "overview" else [slug, part])
        html = client.get(address).content
        page, named = compressed(html), weight(html.decode())
        light &= page + named < MOST
        print(f"| {part} | {page:,} | {named:,} | {page + named:,} |")
    return light


def weight(html: str) -> int:
    """The bytes of the files that a page names."""
    paths = (path for name in dict.fromkeys(FILES.findall(html)) for path in with_imports(static(name)))
    return sum(compressed(path.read_bytes()) for path in paths)


def static(name: str) -> Path:
    """Where it lies: names may carry the hash of their content."""
    plain = re.sub(r"\.[0-9a-f]{12}(\.\w+)$", r"\1", name)
    from django.contrib.staticfiles import finders

    found = finders.find(plain)
    if found is None:
        raise LookupError(f"The page names {name}, which is not there.")
    return Path(str(found))


def with_imports(path: Path) -> list[Path]:
    inside = IMPORTS.findall(path.read_text(encoding="utf-8")) if path.suffix == ".css" else []
    return [path, *(path.parent / name for name in inside)]


def compressed(content: bytes) -> int:
    return len(gzip.compress(content, 6))


if __name__ == "__main__":
    main()
