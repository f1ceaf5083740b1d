"""A table of attributes joined to items by a key: new attributes, numbers declared, faults by line."""

from pathlib import Path

import pytest

from annotation.itemfile import ItemRow
from corpus.errors import SourceError
from stimuli.making.contract import MadeStudy
from stimuli.making.joined import Join, joined


def made(*adverbs):
    rows = [ItemRow(f"i{n}", {}, attributes={"adverb": one}) for n, one in enumerate(adverbs)]
    return MadeStudy(settings={"slug": "s", "results": {"measure": "accuracy"}}, rows=rows, manifest={"maker": "m"})


def table(folder: Path, text: str, name: str = "scale.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_columns_become_attributes_and_numbers_are_declared(tmp_path):
    path = table(tmp_path, "word,intensity,kind\nvery,0.2,booster\nhardly,-1.5,downtoner\nso,0.3,\n")
    found = joined(made("very", "hardly", "often"), Join(path, "adverb", "word"))
    assert [row.attributes for row in found.rows] == [
        {"adverb": "very", "intensity": "0.2", "kind": "booster"},
        {"adverb": "hardly", "intensity": "-1.5", "kind": "downtoner"},
        {"adverb": "often"},
    ]
    assert found.settings["results"] == {"measure": "accuracy", "numbers": ["intensity"]}
    assert found.manifest["joined"]["without"] == ["often"]
    assert found.manifest["joined"]["table"]["name"] == "scale.csv"
    assert found.summary == [
        "joined intensity, kind of scale.csv on adverb: 2 of 3 values are among its 3; numbers: intensity",
        "not in the table: often",
    ]


def test_a_table_without_heads(tmp_path):
    path = table(tmp_path, "very\t0.2\nhardly\t-1.5\n", "scale.txt")
    found = joined(made("very"), Join(path, "adverb", "adverb", ("adverb", "intensity")))
    assert found.rows[0].attributes["intensity"] == "0.2"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("adverb,x\nvery,1\nvery\nhardly,2,3\n", "line 3: has 1 cell, not 2: 'very'\n  line 4: has 3 cells, not 2"),
        ("adverb,x\nvery,1\nvery,2\n", "line 3: 'very' is on line 2 already, with other cells"),
        ("word,x\nvery,1\n", "file: has no column 'adverb'; there are: word, x"),
        ("adverb,x\nquite,1\n", "file: has none of the values of 'adverb' that items have"),
        ("adverb,adverb\nvery,1\n", "file: must name every column, and each otherwise"),
        ("adverb\nvery\n", "file: must have a column besides that of the values to join on"),
        ('adverb,x\n"very,1\n', "line 2: cannot be read"),
    ],
)
def test_faults_are_named_by_line(tmp_path, text, fault):
    with pytest.raises(SourceError) as refused:
        joined(made("very"), Join(table(tmp_path, text), "adverb", "adverb"))
    assert fault in str(refused.value)


def test_what_items_have_is_not_written_over_and_what_they_lack_is_said(tmp_path):
    path = table(tmp_path, "word,adverb\nvery,1\n")
    with pytest.raises(SourceError, match="adverb: items have an attribute of this name already"):
        joined(made("very"), Join(path, "adverb", "word"))
    with pytest.raises(SourceError, match="no item has the attribute 'adjective'; there are: adverb"):
        joined(made("very"), Join(path, "adjective", "word"))
