"""What Hugging Face's `datasets` wrote, as records; nothing but pyarrow reads it."""

import io
import json
import zipfile

import pytest

from corpus.formats.reading import read_format
from corpus.formats.registry import recognize
from corpus.formats.source import FormatFault, of_bytes, of_path
from tests.corpus.formats.writing import WRITTEN, records, said

FOLDER = WRITTEN / "hf_dataset"
GIVEN = [("boat", "ann", "no"), ("boat", "bob", "yes"), ("key", "ann", "yes"), ("key", "bob", "yes")]


@pytest.mark.parametrize("form", ["saved", "hub"])
def test_classes_are_told_by_their_names_and_rows_by_their_split(form):
    assert recognize(of_path(FOLDER / form), "labels") == "hf-dataset"
    found = records("hf-dataset", "labels", f"hf_dataset/{form}")
    assert sorted(said(found, "item", "annotator", "label")) == GIVEN
    assert sorted(said(found, "split", "item")) == [
        ("test", "boat"),
        ("test", "boat"),
        ("train", "key"),
        ("train", "key"),
    ]
    assert found.rows[0].where.endswith(", row 1")
    assert len(records("hf-dataset", "items", f"hf_dataset/{form}", split="test").rows) == 2


def test_lines_have_numbers_for_classes():
    assert recognize(of_path(FOLDER / "lines"), "labels") == ""
    found = records("hf-dataset", "labels", "hf_dataset/lines")
    assert sorted(said(found, "item", "label")) == [("boat", 0), ("boat", 1), ("key", 0), ("key", 0)]
    assert found.rows[0].where == "test.jsonl, line 1"


def test_a_packed_folder_is_the_folder(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for path in sorted((FOLDER / "saved").rglob("*")):
            if path.is_file():
                made.write(path, f"mine/{path.relative_to(FOLDER / 'saved')}")
    source = of_bytes("mine.zip", packed.getvalue())
    assert recognize(source, "items") == "hf-dataset"
    assert sorted(said(read_format("hf-dataset", "labels", source), "item", "annotator", "label")) == GIVEN


def test_one_parquet_file_is_a_data_set():
    source = of_path(FOLDER / "hub/data/train-00000-of-00001.parquet")
    assert recognize(source, "labels") == "hf-dataset"
    assert len(read_format("hf-dataset", "labels", source).rows) == 2


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"a.txt": b""}, "contains no state.json, dataset_dict.json"),
        ({"data.parquet": b"PAR1 and no more"}, "data.parquet: is not a Parquet file"),
        ({"dataset_dict.json": b'{"splits": ["train"]}'}, "train/state.json: is missing"),
        ({"state.json": b'{"_data_files": [{"filename": "../../x.arrow"}]}'}, "must list existing .arrow files"),
        ({"state.json": b'{"_indices_data_files": [1]}'}, "save it again after `flatten_indices"),
        ({"state.json": json.dumps({"_data_files": [{"filename": "a.arrow"}]}).encode(), "a.arrow": b"x"}, "an Arrow"),
        ({"train.jsonl": b"{"}, "train.jsonl, line 1: is not JSON"),
    ],
)
def test_what_is_wrong_is_told_by_file(tmp_path, files, fault):
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(FormatFault) as refused:
        read_format("hf-dataset", "labels", of_path(tmp_path))
    assert fault in str(refused.value)
