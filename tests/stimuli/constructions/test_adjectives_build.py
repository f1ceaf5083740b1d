"""The adjectives builder whole, with the real parser, on a small corpus made up here."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from annotation.models import Item
from annotation.studyfile import read_study
from tests.stimuli.constructions.adjective_words import ADJECTIVES, TRIPLES, write_sources


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, Path]:
    return write_sources(tmp_path)


@pytest.fixture(autouse=True)
def workplace(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "var"


def run(sources: dict[str, Path], out: Path, *more: str) -> dict[str, bytes]:
    call_command(
        "build_study",
        "adjectives",
        *("--corpus", str(sources["corpus"]), "--conceptnet", str(sources["triples"])),
        *("--nonsubsective", str(sources["adjectives"]), "--out", str(out), *more),
        verbosity=0,
    )
    return content(out)


def content(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what one process builds: `out`, and `four` with four adjectives for each sentence."""
    folder = tmp_path_factory.mktemp("built")
    with override_settings(VAR_DIR=folder / "var"):
        for name, more in (("out", ()), ("four", ("--variants", "4"))):
            run(write_sources(folder), folder / name, "--no-load", "--processes", "1", *more)
    return folder


@pytest.mark.slow
class TestBuild:
    def test_the_folder(self, built):
        study = read_study(built / "four")
        targets = [row for row in study.items if row.kind == "target"]
        originals = {row.content["original"] for row in targets}
        assert {"A dog is loyal.", "A dog has four legs."} <= originals
        assert len(targets) == 4 * len(originals)
        for row in targets:
            modifier = row.content["modifier"]
            assert modifier in row.content["modified"].split()
            bare = [word for word in row.content["modified"].lower().split() if word not in ("a", "an", modifier)]
            assert bare == [word for word in row.content["original"].lower().split() if word not in ("a", "an")]
            assert ("An " in row.content["modified"]) == (modifier[0] in "aeiou")
            assert row.attributes["source"] == "lemmas"
        assert {row.attributes["modifier_class"] for row in targets} == {"subsective", "non-subsective"}
        assert len({row.group for row in targets}) == len(originals)
        kinds = [row.kind for row in study.items]
        assert (kinds.count("gold"), kinds.count("attention"), kinds.count("practice")) == (20, 10, 2)
        assert study.scoring["nonsubsective"] == ["alleged", "fake", "former"]

    def test_every_sentence_has_up_to_two_non_subsective_ones_among_its_four(self, built):
        per_group: dict[str, int] = {}
        for row in read_study(built / "four").items:
            if row.kind == "target":
                is_one = row.attributes["modifier_class"] != "subsective"
                per_group[row.group] = per_group.get(row.group, 0) + is_one
        assert {n for group, n in per_group.items() if group.startswith("dog-")} == {1}
        assert {n for group, n in per_group.items() if group.startswith("house-")} == {2}

    def test_the_manifest_counts_every_stage(self, built):
        manifest = json.loads((built / "out" / "manifest.json").read_text())
        counts = manifest["counts"]
        assert counts["pairs_at_the_minimum_count"] >= 2 * len(ADJECTIVES)
        assert counts["rarer_non_subsective_pairs"] == 3
        assert counts["nouns_kept"] == 2
        assert counts["entries"] == counts["targets"] == counts["entries_possible"]
        assert counts["conceptnet"]["lines"] == len(TRIPLES)
        assert [source["name"] for source in manifest["sources"]] == ["corpus.txt", "triples.txt", "adjectives.txt"]
        assert manifest["seed"] == 0
        assert set(manifest["packages"]) >= {"spacy", "lemminflect", "wordfreq"}
        assert any("common English" in one["why"] and one["count"] == 1 for one in manifest["dropped"])

    def test_the_same_bytes_afresh_and_with_other_processes(self, built, sources, tmp_path):
        first = content(built / "out")
        assert first == run(sources, tmp_path / "two", "--no-load", "--processes", "2", "--afresh")
        assert first == run(sources, tmp_path / "three", "--no-load", "--processes", "1")
        other = run(sources, tmp_path / "four", "--no-load", "--processes", "1", "--seed", "4")
        assert first["items.jsonl"] != other["items.jsonl"]

    def test_fewer_entries_than_there_could_be(self, sources, tmp_path):
        made = run(sources, tmp_path / "out", "--no-load", "--entries", "3", "--processes", "1")
        assert json.loads(made["manifest.json"])["counts"]["entries"] == 3

    def test_a_corpus_that_is_too_small_is_said_to_be(self, sources, tmp_path):
        sources["corpus"].write_text("The old dog sleeps.\n")
        with pytest.raises(CommandError, match="Use a larger corpus or a lower --minimum-count"):
            run(sources, tmp_path / "out", "--no-load", "--processes", "1")
        assert not (tmp_path / "out").exists()

    @pytest.mark.django_db
    def test_it_loads(self, sources, tmp_path):
        run(sources, tmp_path / "out", "--processes", "1")
        assert Item.objects.filter(kind="gold").count() == 20


class TestRefusals:
    def test_damaged_triples_leave_nothing_behind(self, sources, tmp_path):
        sources["triples"].write_text("CapableOf\tdog\tbark\nCapableOf\tdog\n")
        with pytest.raises(CommandError, match="line 2: has 2 columns"):
            run(sources, tmp_path / "out", "--no-load")
        assert not (tmp_path / "out").exists()

    def test_a_missing_list_of_adjectives(self, sources, tmp_path):
        sources["adjectives"] = tmp_path / "none.tsv"
        with pytest.raises(CommandError, match="cannot be read"):
            run(sources, tmp_path / "out", "--no-load")
