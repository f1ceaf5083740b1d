"""The ADEPT importer on small files of its layout, good and bad; on the published file where it is present."""

import csv
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from annotation.models import Item, Study
from annotation.studyfile import read_study
from annotation.tasktypes.plausibility import DEGREES
from corpus.errors import SourceError
from stimuli.datasets.adjective_list import NON_SUBSECTIVE, read_adjectives
from stimuli.making.registry import importer
from tests.shared_data import shared
from tests.stimuli.datasets.importing import import_study, refused_import

VAL = "adept/val.json"
SIXTY = "lexicons/nonsubsective_adjectives.tsv"
FIFTY_FIVE = "adept/nonsubsective_adjectives.csv"


def entry(idx: int, **changes: Any) -> dict[str, Any]:
    return {
        "sentence1": f"A kettle holds water number {idx}.",
        "sentence2": f"A fake kettle holds water number {idx}.",
        "modifier": "fake",
        "noun": "kettle",
        "label": idx % 5,
        "idx": idx,
    } | changes


def write(path: Path, entries: list[Any]) -> Path:
    """In ADEPT's layout: a JSON array with one object a line."""
    path.write_text("[\n" + ",\n".join(json.dumps(one) for one in entries) + "\n]\n", encoding="utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny.json", [entry(idx) for idx in (7, 3, 11, 5, 9)])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "studies" / "tiny"


run, refused = partial(import_study, "adept"), partial(refused_import, "adept")


class TestFolder:
    def test_entries_become_items_in_the_files_order(self, source, out):
        run(source, out, "--no-load")
        study = read_study(out)
        assert study.slug == "adept-tiny"
        assert [row.id for row in study.items] == ["adept-7", "adept-3", "adept-11", "adept-5", "adept-9"]
        assert [row.reference for row in study.items] == [DEGREES.values[n] for n in (2, 3, 1, 0, 4)]
        assert study.items[0].content["modified"] == "A fake kettle holds water number 7."
        assert study.items[0].attributes == {"modifier": "fake", "noun": "kettle"}

    def test_it_is_the_same_to_the_byte_when_made_again(self, source, out, tmp_path):
        run(source, out, "--no-load")
        run(source, tmp_path / "again", "--no-load")
        first = {path.name: path.read_bytes() for path in out.iterdir()}
        assert first == {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()}
        assert set(first) == {"study.toml", "items.jsonl", "manifest.json"}
        run(source, out, "--no-load")
        assert first == {path.name: path.read_bytes() for path in out.iterdir()}

    def test_slug_title_and_limit(self, source, out):
        run(source, out, "--no-load", "--slug", "mine", "--title", 'Mine: "a\\b"', "--limit", "2")
        study = read_study(out)
        assert (study.slug, study.title, len(study.items)) == ("mine", 'Mine: "a\\b"', 2)

    def test_the_manifest_names_source_and_counts(self, source, out):
        run(source, out, "--no-load", "--limit", "4")
        manifest = json.loads((out / "manifest.json").read_text())
        assert manifest["sources"][0]["name"] == "tiny.json"
        assert len(manifest["sources"][0]["sha256"]) == 64
        assert manifest["counts"]["entries_in_file"] == 5
        assert manifest["counts"]["entries_taken"] == manifest["counts"]["items"] == 4
        assert manifest["counts"]["references"]["impossible"] == 1
        assert set(manifest["files"]) == {"items.jsonl", "study.toml"}

    def test_a_folder_that_is_not_ours_is_left_alone(self, source, out):
        out.mkdir(parents=True)
        (out / "thesis.txt").write_text("years of work")
        with pytest.raises(CommandError, match="was not created by an import"):
            run(source, out, "--no-load")
        assert [path.name for path in out.parent.iterdir()] == ["tiny"]
        assert (out / "thesis.txt").read_text() == "years of work"

    @pytest.mark.parametrize("more", [("--slug", "Not a slug"), ("--limit", "0"), ("--limit", "many")])
    def test_impossible_options(self, source, out, more):
        refused(source, out, *more)


class TestQuirks:
    def test_stray_whitespace_goes_and_is_noted(self, out, tmp_path):
        odd = entry(
            1, sentence1="A tire  is made of rubber .", sentence2="A fat tire  is made of rubber .", modifier="fat"
        )
        run(write(tmp_path / "odd.json", [odd]), out, "--no-load")
        (row,) = read_study(out).items
        assert row.content["modified"] == "A fat tire is made of rubber."
        adjusted = json.loads((out / "manifest.json").read_text())["adjusted"]
        assert [(change["idx"], change["field"]) for change in adjusted] == [(1, "sentence1"), (1, "sentence2")]
        assert adjusted[0]["before"] == "A tire  is made of rubber ."

    def test_a_modifier_run_together_with_its_neighbor_is_set_apart(self, out, tmp_path):
        odd = entry(1, sentence2="Someodd kettle holds water.", modifier="odd")
        run(write(tmp_path / "odd.json", [odd]), out, "--no-load")
        (row,) = read_study(out).items
        assert row.content["modified"] == "Some odd kettle holds water."

    def test_a_modifier_that_is_nowhere_is_dropped_aloud(self, out, tmp_path, capsys):
        source = write(tmp_path / "odd.json", [entry(1), entry(2, modifier="absent")])
        run(source, out, "--no-load")
        said = capsys.readouterr().out
        assert "1 of 2 entries taken, 1 items made, 0 of them adjusted, 1 entry dropped" in said
        assert "dropped: idx 2 (line 3)" in said
        manifest = json.loads((out / "manifest.json").read_text())
        assert (manifest["counts"]["entries_taken"], manifest["counts"]["dropped"]) == (1, 1)
        assert manifest["dropped"][0]["idx"] == 2

    def test_repeated_pairs_stay_and_are_noted(self, out, tmp_path):
        twin = {"sentence1": "A pen writes.", "sentence2": "A fake pen writes.", "noun": "pen"}
        run(write(tmp_path / "odd.json", [entry(1, **twin), entry(2), entry(8, **twin)]), out, "--no-load")
        manifest = json.loads((out / "manifest.json").read_text())
        assert manifest["same_sentences"] == [{"idx": [1, 8], "labels": [1, 3]}]
        assert [row.group for row in read_study(out).items] == ["adept-1", "", "adept-1"]

    def test_pairs_that_are_not_minimal_stay_and_are_noted(self, out, tmp_path):
        source = write(tmp_path / "odd.json", [entry(1), entry(2, sentence1="A mug holds water.")])
        run(source, out, "--no-load")
        assert json.loads((out / "manifest.json").read_text())["not_minimal_pairs"] == [2]


class TestRefusals:
    def test_every_fault_is_named_by_entry_line_and_field(self, out, tmp_path):
        missing = entry(3)
        del missing["noun"]
        source = write(
            tmp_path / "bad.json",
            [entry(1), entry(2, label=5), missing, entry(1), entry(4, modifier=" "), entry(5, split="dev"), "six"],
        )
        message = refused(source, out)
        for fault in (
            "entry 2 (line 3), field “label”: 5 is not a whole number from 0 to 4",
            "entry 3 (line 4), field “noun”: is missing",
            "entry 4 (line 5), field “idx”: 1 was already used by entry 1 (line 2)",
            "entry 5 (line 6), field “modifier”: must be non-empty text",
            "entry 6 (line 7), field “split”: is not known",
            "entry 7 (line 8): must be a JSON object, not str",
        ):
            assert fault in message
        assert "6 problems" in message

    @pytest.mark.parametrize("label", ["2", 2.0, True, None, -1])
    def test_labels_are_whole_numbers(self, out, tmp_path, label):
        assert "label" in refused(write(tmp_path / "bad.json", [entry(1, label=label)]), out)

    @pytest.mark.parametrize("kept", [0.3, 0.5, 0.95])
    def test_a_file_that_was_cut_off(self, source, out, kept):
        data = source.read_bytes()
        source.write_bytes(data[: int(len(data) * kept)])
        assert "cut off" in refused(source, out)

    def test_a_file_that_is_written_wrongly(self, source, out):
        source.write_text(source.read_text().replace('"label": 3', '"label": three'))
        assert "entry 2 (line 3): is not JSON" in refused(source, out)

    def test_a_missing_comma_and_a_tail(self, source, out):
        text = source.read_text()
        source.write_text(text.replace("},\n", "}\n", 1))
        assert "entry 1 (line 2): a comma or ] must follow it" in refused(source, out)
        source.write_text(text + '{"and": "more"}]')
        assert "goes on after the array" in refused(source, out)

    @pytest.mark.parametrize("text", ["", "{}", "[]", "null"])
    def test_a_file_of_another_shape(self, out, tmp_path, text):
        (tmp_path / "bad.json").write_text(text)
        refused(tmp_path / "bad.json", out)

    def test_another_encoding(self, source, out):
        source.write_bytes(source.read_bytes().replace(b"number 3", "número 3".encode("latin-1")))
        assert "line 3: is not UTF-8 text (byte 0xfa)" in refused(source, out)

    @pytest.mark.slow
    def test_a_file_that_is_not_there(self, out, tmp_path):
        assert "cannot be read" in refused(tmp_path / "none.json", out)

    def test_an_unknown_data_set(self, source):
        with pytest.raises(CommandError, match="adept"):
            call_command("import_study", "adapt", str(source))
        with pytest.raises(LookupError, match="Available: adept"):
            importer("adapt")


@pytest.mark.django_db
class TestLoading:
    def test_the_study_is_in_the_database(self, source, out):
        run(source, out)
        study = Study.objects.get(slug="adept-tiny")
        assert study.items.count() == 5
        assert study.state == Study.State.DRAFT

    def test_twice_is_once(self, source, out):
        run(source, out)
        run(source, out)
        assert Item.objects.count() == 5

    def test_when_loading_is_refused_the_folder_stays_as_it_was(self, source, out):
        run(source, out)
        before = {path.name: path.read_bytes() for path in out.iterdir()}
        with pytest.raises(CommandError, match="missing from the file"):
            run(source, out, "--limit", "2")
        assert {path.name: path.read_bytes() for path in out.iterdir()} == before
        assert [path.name for path in out.parent.iterdir()] == [out.name]
        assert Item.objects.count() == 5


class TestAdjectiveLists:
    def test_subclasses_prefixes_and_case(self, tmp_path):
        path = tmp_path / "list.tsv"
        path.write_text("anti-\tprivative\nSo-called\tplain\nfake\n\n")
        adjectives = read_adjectives(path)
        assert adjectives.adjectives == ["anti", "fake", "so-called"]
        assert adjectives.modifier_class("anti") == "non-subsective, privative"
        assert adjectives.modifier_class("so-called") == "non-subsective, plain"
        assert adjectives.modifier_class("Fake") == "non-subsective"
        assert adjectives.modifier_class("red") == "subsective"

    def test_a_heading_and_a_selection(self, tmp_path):
        path = tmp_path / "list.csv"
        path.write_text("adjective,from\nfake,here\nformer,there\n")
        assert read_adjectives(path).adjectives == ["fake", "former"]
        assert read_adjectives(path, where="from=there").adjectives == ["former"]

    @pytest.mark.parametrize(
        ("data", "wrong"),
        [
            (b'fake\n"for\nmer\n', "line 2: cannot be read: unexpected end of data"),
            (b"fake\ncaf\xe9\n", "line 2: is not UTF-8 text"),
            (b"fa\0ke\n", "line 1: contains the character NUL"),
        ],
    )
    def test_a_damaged_list_is_named_by_line(self, tmp_path, data, wrong):
        (tmp_path / "list.tsv").write_bytes(data)
        with pytest.raises(SourceError, match=wrong):
            read_adjectives(tmp_path / "list.tsv")

    @pytest.mark.parametrize(
        ("where", "wrong"), [("from", "COLUMN=VALUE"), ("of=x", "use one of"), ("from=x", "no adj")]
    )
    def test_impossible_selections(self, source, out, tmp_path, where, wrong):
        path = tmp_path / "list.csv"
        path.write_text("adjective,from\nfake,here\n")
        message = refused(source, out, "--nonsubsective", str(path), "--nonsubsective-where", where)
        assert wrong in message

    def test_items_and_study_know_them(self, source, out, tmp_path):
        path = tmp_path / "list.txt"
        path.write_text("fake\n")
        run(source, out, "--no-load", "--nonsubsective", str(path))
        study = read_study(out)
        assert study.scoring["nonsubsective"] == ["fake"]
        assert {row.attributes["modifier_class"] for row in study.items} == {NON_SUBSECTIVE}


def normative(rows: list[ItemRow]) -> tuple[int, int]:
    """Items that ADEPT's normative rule gets right, with five degrees and with three."""
    coarse = DEGREES.coarse
    guesses = [
        "less_likely" if row.attributes["modifier_class"].startswith(NON_SUBSECTIVE) else "equally_likely"
        for row in rows
    ]
    five = sum(guess == row.reference for guess, row in zip(guesses, rows, strict=True))
    three = sum(
        guess == coarse.get(str(row.reference), row.reference) for guess, row in zip(guesses, rows, strict=True)
    )
    return five, three


class TestPublishedFile:
    def rows(self, out: Path, *more: str) -> list[ItemRow]:
        run(shared(VAL), out, "--no-load", *more)
        return read_study(out).items

    @pytest.mark.slow
    def test_all_rows_and_the_majority(self, out):
        rows = self.rows(out)
        assert len(rows) == 1611
        assert sum(row.reference == "equally_likely" for row in rows) == 1070

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("adjectives", "more", "five", "three"),
        [
            (SIXTY, [], 61.58, 68.59),
            (FIFTY_FIVE, ["--nonsubsective-where", "provenance=corenlp55"], 62.94, 69.71),
        ],
        ids=["60 adjectives", "55 of CoreNLP"],
    )
    def test_the_normative_rule(self, out, adjectives, more, five, three):
        """SOURCE.txt beside the data gives these four figures."""
        right = normative(self.rows(out, "--nonsubsective", str(shared(adjectives)), *more))
        assert tuple(round(100 * n / 1611, 2) for n in right) == (five, three)

    def test_the_normative_rule_by_direct_computation(self):
        """The same figure without the importer, from the published file itself."""
        listed = {line.split("\t")[0] for line in shared(SIXTY).read_text().splitlines()}
        entries = json.loads(shared(VAL).read_text())
        right = sum(one["label"] == (1 if one["modifier"] in listed else 2) for one in entries)
        assert round(100 * right / 1611, 2) == 61.58

    def test_the_lists_have_the_sizes_they_claim(self):
        assert len(read_adjectives(shared(SIXTY)).adjectives) == 60
        assert len(read_adjectives(shared(FIFTY_FIVE), where="provenance=corenlp55").adjectives) == 55
        with shared(FIFTY_FIVE).open() as lines:
            assert len(read_adjectives(shared(FIFTY_FIVE)).adjectives) == len(list(csv.DictReader(lines)))

    @pytest.mark.slow
    def test_one_training_entry_cannot_be_an_item(self, out):
        run(shared("adept/train.json"), out, "--no-load")
        manifest = json.loads((out / "manifest.json").read_text())
        assert (manifest["counts"]["entries_in_file"], manifest["counts"]["items"]) == (12892, 12891)
        assert [one["idx"] for one in manifest["dropped"]] == [7911]
