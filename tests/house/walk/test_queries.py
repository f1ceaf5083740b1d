"""What a view shows it reaches through what its reader may see, and never through a whole table."""

import re

from tests.house.sources import ROOT, short

VIEWS = sorted((ROOT / "researcher" / "views").rglob("*.py"))
# Rows that belong to a study are reached by it; these are what everything else is reached by.
WHOLE = re.compile(r"\b(?:Study|Membership|Training|LanguageModel)(?:\.objects\b|\._default_manager\b)")
OR_404 = re.compile(r"get_object_or_404\(\s*(?:Study|Membership|Training|LanguageModel)\b")


def whole_tables(text: str) -> list[str]:
    return WHOLE.findall(text) + OR_404.findall(text)


def test_no_view_asks_a_whole_table():
    assert VIEWS
    found = [f"{short(path)}: {one}" for path in VIEWS for one in whole_tables(path.read_text())]
    assert not found, "Begin at found(), studies_for(), trainings_for() or models_for():\n" + "\n".join(found)


def test_the_rule_sees_what_it_forbids():
    assert len(whole_tables("Study.objects.get(pk=1)\nget_object_or_404(\n    Training, pk=pk)")) == 2
    assert not whole_tables("get_object_or_404(trainings_for(user), pk=pk)\nrow.study.runs.get(pk=1)")
