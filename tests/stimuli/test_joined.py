"""A table of attributes joined to items by a key: new attributes, numbers declared, faults by line."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from corpus.errors import SourceError
from stimuli.making.contract import BuiltStudy
from stimuli.making.from_options import Join, join_table


def made(*adverbs):
    rows = [ItemRow(f"i{n}", {}, attributes={"adverb": one}) for n, one in enumerate(adverbs)]
    return BuiltStudy(settings={"slug": "s", "results": {"measure": "accuracy"}}, rows=rows, manifest={"maker": "m"})


def table(folder: Path, text: str, name: str = "scale.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_columns_become_attributes_and_numbers_are_declared(tmp_path):
    path = table(tmp_path, "word,intensity,kind\nvery,0.2,booster\nhardly,-1.5,downtoner\nso,0.3,\n")
    found = join_table(made("very", "hardly", "often"), Join(path, "adverb", "word"))
    assert [row.attributes for row in found.rows] == [
        {"adverb": "very", "intensity": "0.2", "kind": "booster"},
        {"adverb": "hardly", "intensity": "-1.5", "kind": "downtoner"},
        {"adverb": "often"},
    ]
    assert found.settings["results"] == {"measure": "accuracy", "numbers": ["intensity"]}
    (facts,) = found.manifest["joined"]
    assert facts["without"] == ["often"]
    assert facts["table"]["name"] == "scale.csv"
    assert found.summary == [
        "joined intensity, kind of scale.csv on adverb: 2 of 3 values are among its 3; numbers: intensity",
        "not in the table: often",
    ]


def test_a_table_without_heads(tmp_path):
    path = table(tmp_path, "very\t0.2\nhardly\t-1.5\n", "scale.txt")
    found = join_table(made("very"), Join(path, "adverb", "adverb", ("adverb", "intensity")))
    assert found.rows[0].attributes["intensity"] == "0.2"


@pytest.mark.parametrize(("name", "sign"), [("scale.psv", "|"), ("scale.csv", ";"), ("scale.tab", "\t")])
def test_what_parts_its_cells_is_seen(tmp_path, name, sign):
    path = table(tmp_path, "word,intensity\nvery,0.2\nhardly,-1.5\n".replace(",", sign), name)
    found = join_table(made("very"), Join(path, "adverb", "word"))
    assert found.rows[0].attributes["intensity"] == "0.2"


def test_several_tables_one_after_the_other(tmp_path):
    scale = table(tmp_path, "adverb,intensity\nvery,0.2\n")
    second = table(tmp_path, "word,value\nvery,0.293\noften,0\n", "second.csv")
    found = join_table(
        join_table(made("very", "often"), Join(scale, "adverb", "adverb")), Join(second, "adverb", "word")
    )
    assert [row.attributes.get("value") for row in found.rows] == ["0.293", "0"]
    assert found.settings["results"]["numbers"] == ["intensity", "value"]
    assert [one["table"]["name"] for one in found.manifest["joined"]] == ["scale.csv", "second.csv"]


def test_rows_that_are_not_whole_are_left_out_and_listed_if_asked(tmp_path):
    path = table(tmp_path, "very\t0.2\nobvious .03\nlots_of\t\t0.3\n", "scale.txt")
    join = Join(path, "adverb", "word", ("word", "intensity"), skips_incomplete=True)
    found = join_table(made("very"), join)
    (facts,) = found.manifest["joined"]
    assert facts["incomplete"] == [
        "line 2: has 1 cell, not 2: 'obvious .03'",
        "line 3: has 3 cells, not 2: 'lots_of\\t\\t0.3'",
    ]
    assert found.summary[1:] == ["left out of the table, 2:", *(f"  {line}" for line in facts["incomplete"])]


@pytest.mark.parametrize(
    ("options", "code"), [(["--join", "a.csv"], 2), (["--on", "adverb"], 2), (["--columns", "a,b"], 2)]
)
def test_each_table_needs_what_it_is_joined_on(tmp_path, options, code):
    source = tmp_path / "pairs.tsv"
    source.write_text("simple_agrmt\tsing_MS_MV\tthe author laughs\tthe author laugh\n")
    with pytest.raises(CommandError, match="Give one --on per --join") as refused:
        call_command("import_study", "marvin-linzen", str(source), "--no-load", *options)
    assert refused.value.returncode == code


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("adverb,x\nvery,1\nvery\nhardly,2,3\n", "line 3: has 1 cell, not 2: 'very'\n  line 4: has 3 cells, not 2"),
        ("adverb,x\nvery,1\nvery,2\n", "line 3: 'very' is on line 2 already, with other cells"),
        ("word,x\nvery,1\n", "file: has no column 'adverb'; there are: word, x"),
        ("adverb,x\nquite,1\n", "file: has none of the values of 'adverb' that items have"),
        ("adverb,adverb\nvery,1\n", "file: must name every column, and each otherwise"),
        ("adverb\nvery\n", "file: must have a column besides the one to join on"),
        ('adverb,x\n"very,1\n', "line 2: cannot be read"),
    ],
)
def test_faults_are_named_by_line(tmp_path, text, fault):
    with pytest.raises(SourceError) as refused:
        join_table(made("very"), Join(table(tmp_path, text), "adverb", "adverb"))
    assert fault in str(refused.value)


def test_what_items_have_is_not_written_over_and_what_they_lack_is_said(tmp_path):
    path = table(tmp_path, "word,adverb\nvery,1\n")
    with pytest.raises(SourceError, match="adverb: items already have an attribute of this name"):
        join_table(made("very"), Join(path, "adverb", "word"))
    with pytest.raises(SourceError, match="no item has the attribute 'adjective'; there are: adverb"):
        join_table(made("very"), Join(path, "adjective", "word"))
