"""The adjectives builder's parts: ConceptNet's files, modifiers, checks, counts."""

import gzip
import json
import random
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from annotation.tasktypes import task_type
from corpus.errors import BuildError, SourceError
from stimuli.constructions.adjectives.counts import ModifierFinder, Tally
from stimuli.constructions.adjectives.entries import EXAMPLES, Dropped
from stimuli.constructions.adjectives.lexicon import Lexicon, lexicon
from stimuli.constructions.adjectives.modifiers import Capitals, CountedModifier, draw, why_not
from stimuli.constructions.adjectives.rows import check_rows, read_checks
from stimuli.constructions.adjectives.triples import RELATIONS, Triple, read_knowledge
from stimuli.datasets.adjective_list import AdjectiveList
from tests.shared_data import shared
from tests.stimuli.constructions.adjective_words import small_lexicon


@pytest.fixture
def words() -> Lexicon:
    return small_lexicon()


def assertion(relation: str, start: str, end: str, **facts: object) -> str:
    about = {"weight": 2.0, "surfaceText": "[[a dog]] can [[bark]]"} | facts
    return "\t".join(["/a/[x]", f"/r/{relation}", start, end, json.dumps(about)])


class TestKnowledge:
    def read(self, path: Path, *lines: str, weight: float = 1.0):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return read_knowledge([path], minimum_weight=weight)

    def refused(self, path: Path, data: bytes) -> str:
        path.write_bytes(data)
        with pytest.raises(SourceError) as caught:
            read_knowledge([path], minimum_weight=1.0)
        return str(caught.value)

    def test_lemmatized_triples(self, tmp_path):
        known = self.read(
            tmp_path / "t.txt",
            "CapableOf\tdog\tbark\t1",
            "hasa\tdog\ttail\t1",
            "CapableOf\tdog\tfly\t0",
            "CapableOf\tbig dog\tbark",
            "AtLocation\tdog\tkennel",
            "CapableOf\tdog\tbark",
            "IsA\twaiter\tperson",
        )
        assert known.triples == [Triple("dog", "CapableOf", "bark"), Triple("dog", "HasA", "tail")]
        assert known.persons == {"waiter"}
        assert known.counts["corrupted_on_purpose"] == 1
        assert known.counts["head_is_not_one_word"] == 1

    def test_windows_lines_and_a_mark_at_the_start(self, tmp_path):
        (tmp_path / "t.txt").write_bytes("\ufeffCapableOf\tdog\tbark\r\n".encode())
        assert read_knowledge([tmp_path / "t.txt"], minimum_weight=1.0).triples == [Triple("dog", "CapableOf", "bark")]

    def test_a_dump_packed_or_not(self, tmp_path):
        lines = [
            assertion("CapableOf", "/c/en/dog/n", "/c/en/bark/v"),
            assertion("CapableOf", "/c/fr/chien", "/c/fr/aboyer"),
            assertion("CapableOf", "/c/en/cat", "/c/en/meow", weight=0.5),
            assertion("HasA", "/c/en/dog", "/c/en/tail", surfaceText=None),
            assertion("Synonym", "/c/en/dog", "/c/en/hound"),
        ]
        (tmp_path / "a.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
        known = read_knowledge([tmp_path / "a.csv.gz"], minimum_weight=1.0)
        assert known.triples == [Triple("dog", "CapableOf", "bark", "[[a dog]] can [[bark]]")]
        assert known.counts["below_the_minimum_weight"] == 1
        assert known.counts["another_relation_or_language_or_no_text"] == 3

    def test_every_fault_has_its_line(self, tmp_path):
        data = b"CapableOf\tdog\tbark\nCapableOf\tdog\nHasA\tdog\ttail\t2\nHasA\t\ttail\n"
        data += b"/a/x\t/r/HasA\t/c/en/dog\t/c/en/tail\t{\n"
        message = self.refused(tmp_path / "t.txt", data)
        assert "4 problems" in message
        assert "line 2: has 2 columns" in message
        assert "line 3: column 4: '2' is not 0 or 1" in message
        assert "line 4: has an empty column" in message
        assert "line 5: column 5: is not JSON" in message

    def test_encoding_cut_file_and_nothing_of_use(self, tmp_path):
        assert "line 2: is not UTF-8" in self.refused(tmp_path / "t.txt", b"HasA\tdog\ttail\nHasA\tcaf\xe9\tchair\n")
        packed = gzip.compress(b"HasA\tdog\ttail\n" * 2000)
        assert "cut off" in self.refused(tmp_path / "t.gz", packed[:-20])
        assert "is empty" in self.refused(tmp_path / "t.txt", b"")
        assert "holds nothing under CapableOf" in self.refused(tmp_path / "t.txt", b"AtLocation\tdog\tkennel\n")
        with pytest.raises(SourceError, match="cannot be read"):
            read_knowledge([tmp_path / "none"], minimum_weight=1.0)

    @pytest.mark.slow
    def test_the_published_triples(self):
        known = read_knowledge([shared("conceptnet/train_old.txt")], minimum_weight=1.0)
        assert known.counts["lines"] == 100_000
        assert known.counts["of_the_five_relations"] == 9894 + 7901 + 3404 + 3504 + 13221
        assert {triple.relation for triple in known.triples} == set(RELATIONS)
        dev = read_knowledge([shared("conceptnet/dev2.txt")], minimum_weight=1.0)
        assert (dev.counts["lines"], dev.counts["corrupted_on_purpose"]) == (1200, 600)


class TestModifiers:
    adjectives = AdjectiveList({"fake": "privative", "alleged": "plain", "former": "privative", "deputy": "privative"})

    def drawn(self, names: str, seed: int) -> list[str]:
        candidates = [CountedModifier(name, 10) for name in names.split()]
        return [one.text for one in draw(candidates, self.adjectives, random.Random(seed))]

    def test_up_to_two_non_subsective_ones_then_others(self):
        for seed in range(20):
            chosen = self.drawn("red big fake alleged former small", seed)
            assert len(set(chosen)) == 4
            assert sum(name in self.adjectives.subclasses for name in chosen) == 2
        assert "fake" in self.drawn("red big fake small old new green", 1)
        assert sorted(self.drawn("red big small old", 1)) == ["big", "old", "red", "small"]

    def test_every_non_subsective_one_has_a_chance(self):
        seen = {name for seed in range(40) for name in self.drawn("red big fake alleged former small", seed)}
        assert {"fake", "alleged", "former"} <= seen

    @pytest.mark.parametrize(
        ("modifier", "noun", "why"),
        [
            ("old", "dog", ""),
            ("talking", "dog", ""),
            ("deputy", "dog", ""),
            ("other", "dog", "determines"),
            ("first", "dog", "determines"),
            ("shutter", "dog", "noun or a verb"),
            ("rechargable", "dog", "common English"),
            ("shitty", "dog", "offend"),
            ("fast", "dog", "name"),
            ("little", "water", "not counted"),
            ("little", "dog", ""),
            ("american", "woman", "group of people"),
            ("black", "woman", "group of people"),
            ("black", "dog", ""),
        ],
    )
    @pytest.mark.slow
    def test_which_may_stand_before_a_noun(self, words, modifier, noun, why):
        capitals = Capitals({"american": 0.7, "fast": 0.3})
        found = why_not(modifier, noun, words, capitals, self.adjectives)
        assert why in found
        assert bool(found) == bool(why)

    def test_capitals_of_names(self):
        capitals = Capitals({"american": 0.7, "anglo-saxon": 0.9, "old": 0.01})
        assert capitals.spelling_of("american") == "American"
        assert capitals.spelling_of("anglo-saxon") == "Anglo-Saxon"
        assert capitals.spelling_of("old") == "old"


class TestChecks:
    task = task_type("plausibility").configured({})

    def test_they_are_sound_and_spread_over_the_degrees(self):
        rows = read_checks(self.task)
        gold = [row for row in rows if row.kind == "gold"]
        assert len(gold) == 30
        assert Counter(row.reference for row in gold) == dict.fromkeys(self.task.scale.values, 6)
        for row in (row for row in rows if row.kind == "attention"):
            assert f'"{self.task.scale.text(str(row.reference))}"' in row.content["modified"]

    def test_both_sentences_differ_by_the_modifier_alone(self):
        for row in read_checks(self.task):
            bare = [word for word in row.content["modified"].lower().split() if word not in ("a", "an")]
            bare.remove(row.content["modifier"])
            assert bare == [word for word in row.content["original"].lower().split() if word not in ("a", "an")]

    def test_drawn_evenly_and_by_seed(self):
        first = check_rows(self.task, gold=10, attention=5, seed=1)
        assert first == check_rows(self.task, gold=10, attention=5, seed=1)
        assert first != check_rows(self.task, gold=10, attention=5, seed=2)
        gold = [str(row.reference) for row in first if row.kind == "gold"]
        assert sorted(gold) == sorted([*self.task.scale.values] * 2)
        assert sum(row.kind == "attention" for row in first) == 5
        assert sum(row.kind == "practice" for row in first) == 2

    def test_no_more_than_there_are(self):
        with pytest.raises(BuildError, match="There are 10 attention items, not 11"):
            check_rows(self.task, gold=10, attention=11, seed=1)


class TestCounting:
    def test_sums_over_blocks(self):
        with closing(Tally()) as tally:
            tally.add("pairs", {"dog old": 3, "dog big": 1})
            tally.add("pairs", {"dog old": 4})
            tally.add("uses", {"dog NN": 9})
            assert list(tally.items("pairs")) == [("dog big", 1), ("dog old", 7)]
            assert list(tally.items("pairs", least=2)) == [("dog old", 7)]
            assert tally.totals("pairs") == (2, 8)
            assert tally.totals("none") == (0, 0)

    def test_how_nouns_are_counted(self, words):
        numbers = {noun: words.number(noun) for noun in ("dog", "water", "sky", "rarity", "bone")}
        assert numbers == {"dog": "count", "water": "mass", "sky": "definite", "rarity": "", "bone": "count"}
        assert words.is_mostly_plural("bone")
        assert not words.is_mostly_plural("dog")

    def test_a_lexicon_of_counts(self):
        found = lexicon([("dog NN", 9), ("dog a", 4), ("run VB", 3)], bigrams={})
        assert found.share("dog", "NN") == 1.0
        assert found.share("run", "VB") == 0.0

    def test_reasons_with_examples(self):
        dropped = Dropped()
        for n in range(9):
            dropped.add("nouns", "too rare", str(n))
        assert dropped.listed() == [
            {"stage": "nouns", "why": "too rare", "count": 9, "examples": [str(n) for n in range(EXAMPLES)]}
        ]
        assert dropped.total("nouns") == 9

    def test_settings_tell_vocabularies_apart(self):
        one = ModifierFinder(("dog",), ("dog",), (("dogs", "dog"),), ())
        two = ModifierFinder(("cat",), ("dog",), (("dogs", "dog"),), ())
        assert one.settings() != two.settings()
