"""The BoolQ importer on small files of its layout, good and bad; on the published file where it is present."""

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Item
from annotation.studyfile import read_study
from tests.shared_data import shared
from tests.stimuli.datasets.importing import import_study, refused_import

FIRST_2000 = "boolq/dev_first2000.jsonl"


def row(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "question": f"is the lamp number {number} lit",
        "title": "Lamp",
        "answer": number % 2 == 0,
        "passage": f"Lamp number {number} was lit at ``dusk''.",
    } | changes


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "dev.jsonl", [row(number) for number in range(1, 6)])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "studies" / "dev"


run, refused = partial(import_study, "boolq"), partial(refused_import, "boolq")


class TestFolder:
    def test_texts_are_as_published(self, source, out):
        run(source, out, "--no-load")
        study = read_study(out)
        assert study.slug == "boolq-dev"
        assert [item.id for item in study.items] == [f"boolq-{line}" for line in range(1, 6)]
        assert [item.reference for item in study.items] == ["no", "yes", "no", "yes", "no"]
        assert study.items[0].content == {
            "question": "is the lamp number 1 lit",
            "passage": "Lamp number 1 was lit at ``dusk''.",
        }

    def test_without_passage(self, source, out):
        run(source, out, "--no-load", "--without-passage")
        study = read_study(out)
        assert study.slug == "qboolq-dev"
        assert {tuple(item.content) for item in study.items} == {("question",)}

    def test_limit_and_groups_and_repeats(self, out, tmp_path):
        rows = [row(1), row(2, passage=row(1)["passage"]), row(3), row(1, answer=True)]
        run(write(tmp_path / "dev.jsonl", rows), out, "--no-load")
        assert [item.group for item in read_study(out).items] == ["boolq-1", "boolq-1", "", "boolq-1"]
        manifest = json.loads((out / "manifest.json").read_text())
        assert manifest["same_questions"] == [{"lines": [1, 4], "answers": ["no", "yes"]}]
        run(tmp_path / "dev.jsonl", out, "--no-load", "--limit", "2")
        assert len(read_study(out).items) == 2

    def test_windows_line_ends_and_a_byte_order_mark_change_no_item(self, source, out, tmp_path):
        run(source, out, "--no-load")
        before = (out / "items.jsonl").read_bytes()
        source.write_bytes(b"\xef\xbb\xbf" + source.read_bytes().replace(b"\n", b"\r\n"))
        run(source, out, "--no-load")
        assert (out / "items.jsonl").read_bytes() == before

    @pytest.mark.django_db
    def test_loading_twice_is_loading_once(self, source, out):
        run(source, out)
        run(source, out)
        assert Item.objects.filter(study__slug="boolq-dev").count() == 5


class TestRefusals:
    def test_every_fault_has_its_line_and_field(self, out, tmp_path):
        missing = row(2)
        del missing["passage"]
        rows = [row(1), missing, row(3, answer="yes"), row(4, title=" "), row(5, idx=7), "six"]
        message = refused(write(tmp_path / "bad.jsonl", rows), out)
        for fault in (
            "line 2, field “passage”: is missing",
            "line 3, field “answer”: 'yes' is not true or false",
            "line 4, field “title”: must be non-empty text",
            "line 5, field “idx”: is not known",
            "line 6: must be a JSON object, not str",
        ):
            assert fault in message
        assert "5 problems" in message

    def test_a_cut_off_last_line(self, source, out):
        source.write_bytes(source.read_bytes()[:-30])
        assert "line 5: the file is cut off here" in refused(source, out)

    def test_a_field_given_twice(self, source, out):
        source.write_text(source.read_text().replace('"title"', '"answer": true, "title"', 1))
        assert "line 1: is not readable JSON: answer is given twice" in refused(source, out)

    def test_an_empty_file_and_none(self, source, out, tmp_path):
        source.write_text("\n")
        assert "contains no questions" in refused(source, out)
        assert "cannot be read" in refused(tmp_path / "none.jsonl", out)


class TestPublishedFile:
    @pytest.mark.slow
    def test_counts_and_label_shares(self, out):
        run(shared(FIRST_2000), out, "--no-load")
        items = read_study(out).items
        lines = [json.loads(line) for line in shared(FIRST_2000).read_text(encoding="utf-8").splitlines()]
        assert len(items) == len(lines) == 2000
        expected = Counter("yes" if line["answer"] else "no" for line in lines)
        assert Counter(item.reference for item in items) == expected == {"yes": 1256, "no": 744}
        assert [item.content["passage"] for item in items] == [line["passage"] for line in lines]
        assert len({item.group or item.id for item in items}) == len({line["passage"] for line in lines}) == 1864

    @pytest.mark.slow
    def test_a_damaged_copy_leaves_nothing(self, out, tmp_path):
        damaged, whole = tmp_path / "dev.jsonl", shared(FIRST_2000).read_text(encoding="utf-8")
        damaged.write_bytes(whole.encode()[:-100])
        assert "line 2000: the file is cut off here" in refused(damaged, out)
        damaged.write_text(whole.replace('"answer": true', '"answer": "perhaps"', 1))
        assert "'perhaps' is not true or false" in refused(damaged, out)
