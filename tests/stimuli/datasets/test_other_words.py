"""Item tables in other words than ours: kinds, ids, answers, markup."""

import pytest
from django.core.management import CommandError

from tests.stimuli.datasets.importing import RATE


def test_kinds_in_other_words_ids_that_look_alike_and_more_markup_are_told(make):
    text = (
        "id,s,type\ncaf\u00e9,A [b]dog[/b].,Filler item\ncafe\u0301,One\\nTwo.,distractor\n"
        "3,C.\x07,warm-up\n4,It costs $5 and $6.,target\n"
    )
    rows, said = make(text, *RATE, "id=id", "sentence=s", "kind=type")
    assert [row.get("kind", "target") for row in rows] == ["target", "target", "practice", "target"]
    assert "“Filler item” (1 row) is read as target" in said
    assert "column “id”: “caf\u00e9” and “cafe\u0301” are treated as different values" in said
    assert "items caf\u00e9 and cafe\u0301: markup such as [/b]" in said
    assert "item 3: invisible characters such as a character (U+0007) are kept" in said


def test_right_answers_in_other_words_are_read_or_are_none(make):
    asked = ("--task", "yes_no", "--map", "question=q", "reference=key")
    text = "q,key\nIs it?,Ja\nWas it?,unclear\n"
    with pytest.raises(CommandError, match="--labels WORDS=LABEL says what its words mean; WORDS= says that"):
        make(text, *asked)
    rows, _ = make(text, *asked, "--labels", "Ja=yes", "unclear=")
    assert [row.get("reference") for row in rows] == ["yes", None]
