"""Items of a table, as the command makes them."""

import json

import pytest
from django.core.management import call_command


@pytest.fixture
def make(tmp_path, capsys):
    def made(text, *more, name="items.csv"):
        """The items of such a file, and what the command says."""
        source, out = tmp_path / name, tmp_path / "out"
        source.write_text(text, encoding="utf-8", newline="")
        call_command("import_study", "table", str(source), *more, "--out", str(out), "--no-load")
        rows = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
        return rows, capsys.readouterr().out

    return made
