"""The importer of tables: each kind of file, each task type, and faults by row and column."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from django.core.management import CommandError

from annotation.studyfile import read_study
from tests.stimuli.datasets.importing import import_study, refused_import

PLAUSIBILITY = ["--task", "plausibility", "--map", "id=Nr", "original=First", "modified=Second", "modifier=Adj"]
REFERENCE = ["reference=Score", "attribute.region=Region", "--labels", "0=impossible", "1=less_likely"]
ROWS: list[dict[str, Any]] = [
    {"Nr": 7, "First": "A dog, a big one, barks.", "Second": "A dead dog barks.", "Adj": "dead", "Score": 0}
    | {"Region": "North"},
    {"Nr": 8, "First": 'A "pen" writes.', "Second": 'A dry "pen" writes.', "Adj": "dry", "Score": 1} | {"Region": ""},
]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "studies" / "mine"


def run(source: Path, out: Path, *more: str) -> None:
    import_study("table", source, out, "--no-load", *more)


refused = partial(refused_import, "table")


def cell(value: Any, delimiter: str) -> str:
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if delimiter in text or '"' in text else text


def delimited(path: Path, rows: list[dict[str, Any]], delimiter: str = ",", end: str = "\n") -> Path:
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    text = "".join(delimiter.join(cell(value, delimiter) for value in line) + end for line in lines)
    path.write_bytes(text.encode())
    return path


def saved_dataset(folder: Path, rows: list[dict[str, Any]], files: int = 1) -> Path:
    """As `Dataset.save_to_disk` lays it out: Arrow streams, state.json, dataset_info.json."""
    folder.mkdir(parents=True)
    table = pyarrow.Table.from_pylist(rows)
    names = [f"data-{number:05d}-of-{files:05d}.arrow" for number in range(files)]
    for number, name in enumerate(names):
        part = table.slice(number * len(rows) // files, len(rows) // files)
        with pyarrow.OSFile(str(folder / name), "wb") as sink, pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(part)
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name} for name in names]}))
    (folder / "dataset_info.json").write_text("{}")
    return folder


def files(tmp_path: Path) -> dict[str, Path]:
    """The same two rows in every form."""
    made = {
        "csv": delimited(tmp_path / "mine.csv", ROWS),
        "crlf": delimited(tmp_path / "crlf.csv", ROWS, end="\r\n"),
        "tsv": delimited(tmp_path / "mine.tsv", ROWS, "\t"),
        "jsonl": tmp_path / "mine.jsonl",
        "parquet": tmp_path / "mine.parquet",
        "saved": saved_dataset(tmp_path / "saved", ROWS, files=2),
        "hub": tmp_path / "hub",
    }
    made["csv"].write_bytes(b"\xef\xbb\xbf" + made["csv"].read_bytes())
    made["jsonl"].write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), made["parquet"])
    (made["hub"] / "data").mkdir(parents=True)
    for number, row in enumerate(ROWS):
        part = made["hub"] / "data" / f"train-{number:05d}-of-00002.parquet"
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row]), part)
    return made


class TestForms:
    @pytest.mark.parametrize("form", ["csv", "crlf", "tsv", "jsonl", "parquet", "saved", "hub"])
    def test_the_same_rows_give_the_same_items(self, form, out, tmp_path):
        run(files(tmp_path)[form], out, *PLAUSIBILITY, *REFERENCE)
        first, second = read_study(out).items
        assert first.id == "7"
        assert first.content == {
            "original": "A dog, a big one, barks.",
            "modified": "A dead dog barks.",
            "modifier": "dead",
        }
        assert (first.reference, second.reference) == ("impossible", "less_likely")
        assert (first.attributes, second.attributes) == ({"region": "North"}, {})
        assert second.content["original"] == 'A "pen" writes.'

    def test_a_dataset_of_several_splits(self, out, tmp_path):
        saved_dataset(tmp_path / "mine" / "train", ROWS)
        saved_dataset(tmp_path / "mine" / "test", ROWS[1:])
        (tmp_path / "mine" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
        assert "there are train, test" in refused(tmp_path / "mine", out, *PLAUSIBILITY)
        assert "there is no 'dev'" in refused(tmp_path / "mine", out, *PLAUSIBILITY, "--split", "dev")
        run(tmp_path / "mine", out, *PLAUSIBILITY, "--split", "test")
        assert [item.id for item in read_study(out).items] == ["8"]

    def test_a_name_that_leads_out_of_the_folder(self, out, tmp_path):
        saved_dataset(tmp_path / "mine", ROWS)
        (tmp_path / "mine" / "state.json").write_text('{"_data_files": [{"filename": "../x.arrow"}]}')
        assert "must list the .arrow files" in refused(tmp_path / "mine", out, *PLAUSIBILITY)

    def test_semicolons(self, out, tmp_path):
        source = delimited(tmp_path / "mine.text", ROWS, ";")
        assert "there are Nr;First" in refused(source, out, *PLAUSIBILITY, "--delimiter", ",")
        run(source, out, *PLAUSIBILITY)
        assert len(read_study(out).items) == 2

    @pytest.mark.parametrize("form", ["jsonl", "parquet", "saved"])
    def test_a_file_that_was_cut_off(self, form, out, tmp_path):
        path = files(tmp_path)[form]
        path = sorted(path.glob("*.arrow"))[0] if path.is_dir() else path
        path.write_bytes(path.read_bytes()[:-40])
        message = refused(files_root(path), out, *PLAUSIBILITY)
        assert "truncated" in message or "cut off" in message
        assert path.name in message

    def test_an_ending_in_capitals_is_the_same_format(self, out, tmp_path):
        source = files(tmp_path)["parquet"]
        run(source.rename(tmp_path / "MINE.PARQUET"), out, *PLAUSIBILITY)
        assert [item.id for item in read_study(out).items] == ["7", "8"]

    def test_a_class_stands_there_by_its_name_as_other_importers_read_it(self, out, tmp_path):
        told = {"info": {"features": {"Score": {"_type": "ClassLabel", "names": ["less_likely", "impossible"]}}}}
        table = pyarrow.Table.from_pylist([*ROWS, ROWS[0] | {"Nr": 9, "Score": -1}])
        source = tmp_path / "classes.parquet"
        kept = table.replace_schema_metadata({"huggingface": json.dumps(told)})
        pyarrow.parquet.write_table(kept, source)
        run(source, out, *PLAUSIBILITY, "reference=Score")
        items = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
        assert [item.get("reference") for item in items] == ["less_likely", "impossible", None]

    @pytest.mark.parametrize("form", ["parquet", "hub"])
    @pytest.mark.parametrize("content", [b"", b"PAR1", b"id,label\n7,x\n", b"PAR1" + 40 * b"\x00" + b"PAR1"])
    def test_what_is_no_parquet_file_is_named_in_a_sentence(self, form, content, out, tmp_path):
        path = files(tmp_path)[form]
        broken = sorted(path.glob("data/*.parquet"))[1] if path.is_dir() else path
        broken.write_bytes(content)
        message = refused(path, out, *PLAUSIBILITY)
        said = f"{broken.name} is not a Parquet file: it is another kind of file, or truncated, or damaged"
        assert said in message
        assert "thrift" not in message

    def test_made_twice_is_the_same_to_the_byte(self, out, tmp_path):
        source = files(tmp_path)["parquet"]
        run(source, out, *PLAUSIBILITY, *REFERENCE)
        run(source, tmp_path / "again", *PLAUSIBILITY, *REFERENCE)
        names = ("study.toml", "items.jsonl", "manifest.json")
        assert [(out / name).read_bytes() for name in names] == [
            (tmp_path / "again" / name).read_bytes() for name in names
        ]


def files_root(path: Path) -> Path:
    return path.parent if path.suffix == ".arrow" else path


class TestTasks:
    def test_forced_choice_takes_roles_from_the_map_and_a_slot(self, out, tmp_path):
        rows = [{"s": "The keys [MASK] here.", "choices": ["are", "is"], "right": True, "k": "gold"}] * 2
        source = tmp_path / "mine.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in [rows[0], rows[1] | {"k": None}]))
        fields = ["sentence=s", "options.good=choices.0", "options.bad=choices.1", "reference=right", "kind=k"]
        more = ["--map", *fields, "--labels", "true=good", "--slot", "[MASK]", "--question", "Which word fits?"]
        run(source, out, "--task", "forced_choice", *more)
        study = read_study(out)
        assert study.task.scale.values == ("good", "bad")
        first, second = study.items
        assert first.content == {"sentence": "The keys ____ here.", "options": {"good": "are", "bad": "is"}}
        assert (first.id, first.kind, first.reference, second.kind) == ("row-1", "gold", "good", "target")

    def test_one_option_is_right_in_every_row(self, out, tmp_path):
        source = delimited(tmp_path / "mine.csv", [{"g": "He runs.", "b": "He run."}, {"g": "We go.", "b": "We goes."}])
        more = ["--task", "forced_choice", "--map", "options.good=g", "options.bad=b", "--question", "Which?"]
        assert "--right: must be an option under --map" in refused(source, out, *more, "--right", "fine")
        run(source, out, *more, "--right", "good")
        assert [item.reference for item in read_study(out).items] == ["good", "good"]
        assert json.loads((out / "manifest.json").read_text())["options"]["right"] == "good"

    def test_yes_no(self, out, tmp_path):
        source = delimited(tmp_path / "mine.csv", [{"q": "is it?", "a": "1"}, {"q": "was it?", "a": ""}])
        run(source, out, "--task", "yes_no", "--map", "question=q", "reference=a", "--labels", "1=yes", "0=no")
        assert [item.reference for item in read_study(out).items] == ["yes", None]

    def test_rating_with_published_means(self, out, tmp_path):
        source = delimited(tmp_path / "mine.csv", [{"s": "The cat sleeps.", "mean": "6,5"}])
        more = ["--map", "sentence=s", "strength=mean", "--question", "How plausible?"]
        more += ["--set", "points=7", "low=not at all", "high=completely"]
        run(source, out, "--task", "rating", *more)
        (item,) = read_study(out).items
        assert (item.content, item.strength) == ({"sentence": "The cat sleeps."}, 6.5)
        source.write_text("s,mean\nThe cat sleeps.,high\n")
        assert "line 2, column 'mean': 'high' is not a finite number" in refused(
            source, tmp_path / "b" / "x", "--task", "rating", *more
        )


class TestRefusals:
    def test_faults_are_named_by_line_and_column(self, out, tmp_path):
        bad = [ROWS[0], ROWS[1] | {"Nr": 7}, ROWS[1] | {"Nr": "a/b"}, ROWS[1] | {"Nr": 9, "Adj": "wet"}]
        message = refused(delimited(tmp_path / "mine.csv", bad), out, *PLAUSIBILITY)
        assert "line 3, column 'Nr': “7” was already used on line 2" in message
        assert "line 4, column 'Nr': must not contain a slash" in message
        assert "line 5, column 'Adj': " in message
        assert "3 problems" in message

    def test_lines_are_counted_through_line_breaks_in_cells(self, out, tmp_path):
        source = tmp_path / "mine.csv"
        source.write_text('q,a\n"is\nit?",yes\nwas it?,perhaps\n')
        message = refused(source, out, "--task", "yes_no", "--map", "question=q", "reference=a")
        assert "line 4, column 'a': 'perhaps' is not one of yes, no" in message

    def test_an_unknown_label(self, out, tmp_path):
        source = delimited(tmp_path / "mine.csv", [ROWS[0], ROWS[1] | {"Score": 4}])
        message = refused(source, out, *PLAUSIBILITY, *REFERENCE)
        assert "line 3, column 'Score': '4' is not among the labels that were given: 0, 1" in message

    def test_a_missing_column(self, out, tmp_path):
        source = delimited(tmp_path / "mine.csv", [{"Nr": 1, "First": "x"}])
        message = refused(source, out, *PLAUSIBILITY)
        assert "--map modified: there is no column 'Second'; there are Nr, First" in message
        source = tmp_path / "mine.jsonl"
        source.write_text(json.dumps(ROWS[0]) + "\n" + json.dumps({"Nr": 2}) + "\n")
        assert "line 2, column 'Second': is missing" in refused(source, out, *PLAUSIBILITY)

    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("a,a\n1,2\n", "there is no column 'a'; there are a (column 1), a (column 2)"),
            ("a,b\n1,2\n3\n", "line 3: has 1 cell; the header has 2"),
            ('a,b\n1,2\n3,"four\n', "line 3: starts a quoted cell that is never closed"),
            ("", "is empty"),
        ],
    )
    def test_a_damaged_csv(self, text, wrong, out, tmp_path):
        (tmp_path / "mine.csv").write_text(text)
        assert wrong in refused(tmp_path / "mine.csv", out, "--task", "yes_no", "--map", "question=a")

    def test_another_encoding_is_read_and_told_and_can_be_refused(self, out, tmp_path, capsys):
        (tmp_path / "mine.csv").write_bytes("q\nist es schön?\n".encode("latin-1"))
        run(tmp_path / "mine.csv", out, "--task", "yes_no", "--map", "question=q")
        assert read_study(out).items[0].content == {"question": "ist es schön?"}
        assert "note: Read as Windows-1252" in capsys.readouterr().out
        more = ("--task", "yes_no", "--map", "question=q", "--encoding", "utf-8")
        assert "line 2: is not UTF-8 text" in refused(tmp_path / "mine.csv", tmp_path / "b" / "x", *more)

    def test_lines_that_end_as_old_spreadsheets_end_them(self, out, tmp_path):
        (tmp_path / "mine.csv").write_bytes(b"q\rIs it?\rWas it?\r")
        run(tmp_path / "mine.csv", out, "--task", "yes_no", "--map", "question=q")
        assert [row.content["question"] for row in read_study(out).items] == ["Is it?", "Was it?"]

    def test_lists_are_no_text(self, out, tmp_path):
        (tmp_path / "mine.jsonl").write_text('{"q": ["a", "b"]}\n')
        message = refused(tmp_path / "mine.jsonl", out, "--task", "yes_no", "--map", "question=q")
        assert "line 1, column 'q': contains a list, which is not text; use a part of it, such as q.0" in message

    @pytest.mark.parametrize(
        ("more", "wrong"),
        [
            (["--map", "question"], "'question' must be a name, an equals sign and a value"),
            (["--map", "question=q", "question=r"], "question is given twice"),
            (["--map", "question=q", "--labels", "1=yes"], "needs a reference column"),
            (["--map", "question=q", "--set", "points=7"], "task.points: is not recognized"),
            (["--map", "question=q", "--split", "train"], "a file has no splits"),
            (["--map", "question=q", "--delimiter", ",,"], "must be one character"),
        ],
    )
    def test_impossible_options(self, more, wrong, out, tmp_path):
        (tmp_path / "mine.csv").write_text("q\nis it?\n")
        assert wrong in refused(tmp_path / "mine.csv", out, "--task", "yes_no", *more)


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        ("q,p\nWhy?,x\n", ("question=q", "question.x=p"), "--map: 'question' cannot be a text and have the part 'x'"),
        ("q,p\nWhy?,x\n", ("question=q", "attribute.=p"), "--map: 'attribute.' has no name after the point"),
        ("q,p\nWhy?,x\n", ("question=q", "strength=p"), "line 2, column 'p': 'x' is not a finite number"),
        ("q,p\nWhy?,inf\n", ("question=q", "strength=p"), "line 2, column 'p': 'inf' is not a finite number"),
        ("q,p\nWhy?,1_0\n", ("question=q", "strength=p"), "line 2, column 'p': '1_0' is not a finite number"),
        ("q,p\nWhy?,x\nWho\0?,y\n", ("question=q",), "line 3: contains the character NUL"),
        ("q,p\n", ("question=q",), "file: contains no rows"),
    ],
)
def test_what_cannot_be_mapped_or_stored(tmp_path, text, more, message):
    source = tmp_path / "mine.csv"
    source.write_text(text)
    assert message in refused(source, tmp_path / "b" / "x", "--task", "yes_no", "--map", *more)


def test_half_a_character_in_json_lines(tmp_path):
    source = tmp_path / "mine.jsonl"
    source.write_text('{"q": "Why?"}\n{"q": "Who \\ud83d?"}\n')
    said = refused(source, tmp_path / "b" / "x", "--task", "yes_no", "--map", "question=q")
    assert "line 2: contains half of a character (\\ud83d), which is not text" in said


YES_NO = ["--task", "yes_no", "--map"]


class TestHowColumnsAreNamed:
    def test_by_number_and_put_together(self, tmp_path, out):
        rows = [{"set": "a", "n": 1, "q": "is it?"}, {"set": "b", "n": 1, "q": "was it?"}]
        run(delimited(tmp_path / "mine.csv", rows), out, *YES_NO, "id={set}-{2}", "--map", "question=3")
        made = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
        assert [(row["id"], row["content"]["question"]) for row in made] == [("a-1", "is it?"), ("b-1", "was it?")]

    def test_inside_nested_records(self, tmp_path, out):
        records = [{"meta": {"id": 7}, "qa": [{"question": "is it?", "answer": {"value": True}}]}]
        source = tmp_path / "mine.jsonl"
        source.write_text("".join(json.dumps(one) + "\n" for one in records))
        maps = ["id=q{meta.id}", "question=qa.0.question", "reference=qa.0.answer.value"]
        run(source, out, *YES_NO, *maps, "--labels", "true=yes", "false=no")
        row = json.loads((out / "items.jsonl").read_text())
        assert (row["id"], row["content"], row["reference"]) == ("q7", {"question": "is it?"}, "yes")

    @pytest.mark.parametrize(("name", "delimiter"), [("mine.csv", ";"), ("mine.txt", "\t"), ("mine.tab", "\t")])
    def test_what_parts_cells_is_seen(self, tmp_path, out, name, delimiter):
        source = delimited(tmp_path / name, [{"q": "is it, or not?", "a": "1"}], delimiter)
        run(source, out, *YES_NO, "question=q")
        assert json.loads((out / "items.jsonl").read_text())["content"] == {"question": "is it, or not?"}

    def test_an_id_may_be_long(self, tmp_path, out):
        source = delimited(tmp_path / "mine.csv", [{"i": "x" * 400, "q": "is it?"}])
        run(source, out, *YES_NO, "id=i", "question=q")
        source = delimited(tmp_path / "long.csv", [{"i": "x" * 401, "q": "is it?"}])
        with pytest.raises(CommandError, match="is longer than 400 characters"):
            run(source, out, *YES_NO, "id=i", "question=q")


class TestIncompleteRows:
    ROWS: list[dict[str, Any]] = [
        {"q": "is it?", "a": "yes", "region": ""},
        {"q": "", "a": "no", "region": "North"},
        {"q": "was it?", "a": "", "region": ""},
    ]
    MAPS = (*YES_NO, "question=q", "reference=a", "attribute.region=region")

    def test_they_are_left_out_and_listed(self, tmp_path, out, capsys):
        source = delimited(tmp_path / "mine.csv", self.ROWS)
        run(source, out, *self.MAPS, "--skip-incomplete")
        assert "left out, line 3: empty: question" in capsys.readouterr().out
        assert len((out / "items.jsonl").read_text().splitlines()) == 2
        dropped = json.loads((out / "manifest.json").read_text())["dropped"]
        assert dropped == [{"row": "line 3", "why": "empty: question"}]

    def test_without_being_asked_they_are_faults(self, tmp_path, out):
        message = refused(delimited(tmp_path / "mine.csv", self.ROWS), out, *self.MAPS)
        assert "line 3" in message
        assert message.endswith(
            "1 entry lacks a required value: --skip-incomplete leaves such entries out and lists them."
        )

    def test_what_is_wrong_otherwise_stays_a_fault(self, tmp_path, out):
        rows = [self.ROWS[0], {"q": "is it?", "a": "perhaps", "region": "x"}]
        message = refused(delimited(tmp_path / "mine.csv", rows), out, *self.MAPS, "--skip-incomplete")
        assert "line 3" in message
        assert "'perhaps'" in message
        assert "--skip-incomplete" not in message, "it would help nothing"

    def test_nothing_complete_is_a_fault(self, tmp_path, out):
        source = delimited(tmp_path / "mine.csv", self.ROWS[1:2])
        assert "has no complete row" in refused(source, out, *self.MAPS, "--skip-incomplete")
