"""Marvin and Linzen's pairs by the notebook's rule, and BLiMP's: small files of their layouts, and the real ones."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from annotation.studyfile import read_study
from annotation.tasktypes.contract import Cloze
from stimuli.datasets.marvin_linzen import Slotted, slotted
from tests.shared_data import shared

TSV = (
    "simple\tsing_MS_MV\tthe bird sings\tthe bird sing\n"
    "simple\tplur_MS_MV\tthe birds fly\tthe birds flies\n"
    "coord\tsing_MS_MV_MV\tthe bird sings and flies\tthe birds sing and flies\n"
    "coord\tsing_MS_MV_MV\tthe bird sings\tthe bird does sing\n"
)


def entry(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "sentence_good": f"Bird {number} sings.",
        "sentence_bad": f"Bird {number} sing.",
        "field": "morphology",
        "linguistics_term": "agreement",
        "UID": "small_paradigm",
        "simple_LM_method": True,
        "one_prefix_method": False,
        "two_prefix_method": True,
        "lexically_identical": False,
        "pairID": str(number),
    } | changes


def jsonl(*entries: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in entries)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def run(what: str, source: Path, out: Path, *options: str) -> Any:
    call_command("import_study", what, str(source), *options, "--no-load", "--out", str(out))
    return read_study(out)


def manifest(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "manifest.json").read_text())
    return found


class TestTheRule:
    def test_one_differing_token_is_the_slot_and_a_point_follows(self):
        assert slotted("the bird sings now", "the bird sing now") == Slotted("the bird ____ now .", "sings", "sing")

    def test_other_pairs_say_why(self):
        assert slotted("the bird sings", "the birds sing") == "the sentences differ in 2 tokens instead of one"
        assert slotted("the bird sings", "the bird does sing") == "the sentences differ in length"


class TestMarvinLinzen:
    def test_pairs_that_fail_the_rule_are_set_aside_and_counted(self, tmp_path):
        study = run("marvin-linzen", written(tmp_path / "small.tsv", TSV), tmp_path / "out")
        assert [row.id for row in study.items] == ["simple-1", "simple-2"]
        assert study.items[0].content == {
            "sentence": "the bird ____ .",
            "options": {"grammatical": "sings", "ungrammatical": "sing"},
        }
        assert study.items[0].attributes == {"phenomenon": "simple", "template": "sing_MS_MV", "number": "singular"}
        assert manifest(tmp_path / "out")["dropped"] == [
            {"why": "the sentences differ in 2 tokens instead of one", "pairs": 1, "lines": [3]},
            {"why": "the sentences differ in length", "pairs": 1, "lines": [4]},
        ]

    def test_phenomena_and_templates_can_be_chosen(self, tmp_path):
        source = written(tmp_path / "small.tsv", TSV)
        study = run("marvin-linzen", source, tmp_path / "out", "--phenomenon", "simple", "--template", "plur_MS_MV")
        assert [row.id for row in study.items] == ["simple-2"]

    def test_candidates_that_a_vocabulary_lacks_are_set_aside(self, tmp_path):
        words = written(tmp_path / "vocab.txt", "sings\nsing\nfly\n##flies\n")
        source = written(tmp_path / "small.tsv", TSV)
        study = run("marvin-linzen", source, tmp_path / "out", "--phenomenon", "simple", "--vocabulary", str(words))
        assert [row.id for row in study.items] == ["simple-1"]
        (dropped,) = manifest(tmp_path / "out")["dropped"]
        assert dropped["why"] == "the candidate 'flies' is not a whole word of the vocabulary"

    @pytest.mark.parametrize(
        ("text", "options", "message"),
        [
            (TSV.replace("\tplur_MS_MV", ""), [], "line 2: has 3 cells instead of 4"),
            (TSV.replace("the birds fly", " "), [], "line 2, column “good”: is empty"),
            (TSV.replace("birds flies", "birds fly"), [], "line 2, column “bad”: is the same sentence as the good one"),
            (TSV[:-4], [], "line 4: may be truncated: it has no line break"),
            (TSV[: TSV.rindex("\t")], [], "line 4: has 3 cells instead of 4"),
            ("", [], "file: contains no rows"),
            (TSV, ["--phenomenon", "simpel"], "case: there is no 'simpel'; there are: simple, coord"),
            (TSV, ["--phenomenon", "coord"], "file: leaves no items: 1 set aside"),
        ],
    )
    @pytest.mark.django_db
    def test_faults_are_named_and_nothing_is_left(self, tmp_path, text, options, message):
        source = written(tmp_path / "small.tsv", text)
        with pytest.raises(CommandError) as caught:
            call_command("import_study", "marvin-linzen", str(source), "--out", str(tmp_path / "out"), *options)
        assert message in str(caught.value)
        assert not (tmp_path / "out").exists()
        assert not Study.objects.exists()

    def test_simple_agreement_has_the_notebooks_120(self, tmp_path):
        simple = shared("marvin_linzen/simple_agrmt.tsv")
        whole = run("marvin-linzen", simple, tmp_path / "whole")
        assert len(whole.items) == 140
        study = run("marvin-linzen", simple, tmp_path / "out", "--leave-out", "swims")
        assert len(study.items) == 120
        (dropped,) = manifest(tmp_path / "out")["dropped"]
        assert dropped["pairs"] == 20
        for row in study.items:
            (request,) = study.task.requests(row.content, "cloze")
            assert isinstance(request, Cloze)
            assert request.text.endswith(" .")

    @pytest.mark.slow
    def test_six_phenomena_pass_the_rule_whole(self, tmp_path):
        run("marvin-linzen", shared("marvin_linzen/marvin_linzen_small.tsv"), tmp_path / "out")
        assert manifest(tmp_path / "out")["counts"]["items_by_phenomenon"] == {
            "long_vp_coord": 400,
            "reflexive_sent_comp": 3360,
            "sent_comp": 1680,
            "simple_agrmt": 140,
            "simple_reflexives": 280,
            "vp_coord": 840,
        }


class TestBlimp:
    def test_a_file_becomes_whole_sentences(self, tmp_path):
        study = run("blimp", written(tmp_path / "small.jsonl", jsonl(entry(0), entry(1))), tmp_path / "out")
        assert [row.id for row in study.items] == ["small_paradigm-0", "small_paradigm-1"]
        assert study.items[0].content == {"options": {"grammatical": "Bird 0 sings.", "ungrammatical": "Bird 0 sing."}}
        assert study.items[0].attributes == {
            "phenomenon": "agreement",
            "field": "morphology",
            "paradigm": "small_paradigm",
            "methods": "simple, two prefix",
            "same_words": "no",
        }

    def test_a_folder_is_read_in_the_order_of_its_names(self, tmp_path):
        for name in ("b", "a"):
            written(tmp_path / "all" / f"{name}.jsonl", jsonl(entry(0, UID=name), entry(1, UID=name)))
        study = run("blimp", tmp_path / "all", tmp_path / "out", "--limit", "1")
        assert [row.id for row in study.items] == ["a-0", "b-0"]

    def test_a_pair_of_one_sentence_is_set_aside(self, tmp_path):
        source = written(tmp_path / "s.jsonl", jsonl(entry(0), entry(1, sentence_bad="Bird 1 sings.")))
        assert len(run("blimp", source, tmp_path / "out").items) == 1
        assert manifest(tmp_path / "out")["dropped"] == [
            {"file": "s.jsonl", "line": 2, "why": "the two sentences are the same"}
        ]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (jsonl(entry(0)).replace("sentence_bad", "bad"), "line 1, field “sentence_bad”: is missing"),
            (jsonl(entry(0), entry(1, field="")), "line 2, field “field”: must be non-empty text"),
            (
                jsonl(entry(0), entry(1, simple_LM_method="yes")),
                "line 2, field “simple_LM_method”: must be true or false",
            ),
            (jsonl(entry(0), entry(0)), "line 2, field “pairID”: small_paradigm-0 was already used on line 1"),
            (jsonl(entry(0), entry(1, pairID="1/2")), "line 2, field “pairID”: '1/2' must be letters"),
            (jsonl(entry(0), entry(1))[:-30], "line 2: the file is cut off here"),
            ("", "file: contains no pairs"),
        ],
    )
    @pytest.mark.django_db
    def test_faults_are_named_and_nothing_is_left(self, tmp_path, text, message):
        source = written(tmp_path / "s.jsonl", text)
        with pytest.raises(CommandError) as caught:
            call_command("import_study", "blimp", str(source), "--out", str(tmp_path / "out"))
        assert message in str(caught.value)
        assert not (tmp_path / "out").exists()
        assert not Study.objects.exists()

    @pytest.mark.slow
    def test_a_thousand_pairs_a_paradigm(self, tmp_path):
        blimp = shared("blimp/data")
        study = run("blimp", blimp, tmp_path / "out")
        counts = manifest(tmp_path / "out")["counts"]
        assert set(counts["items_by_paradigm"].values()) == {1000}
        assert len(counts["items_by_paradigm"]) == len(list(blimp.glob("*.jsonl")))
        assert len({row.attributes["phenomenon"] for row in study.items}) == 4
