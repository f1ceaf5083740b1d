"""The intensifier construction: what is a hit, what is dropped and why, what is chosen, and the folder it makes."""

import bz2
import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.studyfile import read_study
from corpus.errors import SourceError
from stimuli.constructions.intensifiers import build as building
from stimuli.constructions.intensifiers.bigrams import NOT_FOUND, Bigram, Bigrams, packaged_bigrams, read_bigrams
from stimuli.constructions.intensifiers.build import LEAST, MOST, RANDOM, Combinations, chosen
from stimuli.constructions.intensifiers.cleaning import Candidate, cleaned
from stimuli.constructions.intensifiers.options import ADVERBS, CLASSES, read_adjectives, read_adverbs
from tests.shared_data import shared

COMMENTS = "text/goemotions_reddit/goemotions_comments.txt.gz"
TREES = "text/ud_ewt/en_ewt-dev.conllu.gz"
TABLE = "intensifiers/adverb_adjective_bigrams.csv"


def hit(sentence: str, before: str = "", **changes: Any) -> dict[str, Any]:
    found = {"place": "a.txt:1", "adverb": "very", "adjective": "cold", "sentence": sentence, "before": before}
    return found | {"attachment": "adjective", "negation": "natural"} | changes


# The packaged table is large, and each build reads it.
packaged = cache(packaged_bigrams)
LONG = "The water in the lake behind the old mill was very cold."


def test_there_are_three_classes_of_eight():
    assert [len(adverbs) for adverbs in CLASSES.values()] == [8, 8, 8]
    assert len(set(ADVERBS)) == 24


def candidate(sentence: str, **changes: Any) -> Candidate:
    made = cleaned(hit(sentence, **changes), keep_offensive=False)
    assert isinstance(made, Candidate)
    return made


class TestCleaning:
    def test_a_long_sentence_stands_alone(self):
        made = cleaned(hit(LONG), keep_offensive=False)
        assert isinstance(made, Candidate)
        assert (made.context, made.sentence) == ("", LONG)
        assert made.sentence[made.at :] == "very cold."

    def test_the_sentence_before_comes_along_where_both_keep_to_the_bounds(self):
        made = cleaned(hit("It was very cold.", "We swam in the lake before breakfast."), keep_offensive=False)
        assert isinstance(made, Candidate)
        assert made.context == "We swam in the lake before breakfast."
        alone = cleaned(hit(LONG, " ".join(["word"] * 30) + "."), keep_offensive=False)
        assert isinstance(alone, Candidate)
        assert alone.context == ""

    def test_marks_in_front_and_half_pairs_at_the_ends_go(self):
        made = cleaned(hit(f'> - "{LONG}'), keep_offensive=False)
        assert isinstance(made, Candidate)
        assert made.sentence == LONG

    @pytest.mark.parametrize(
        ("found", "why"),
        [
            (hit("It was very cold."), "not 10 to 40 words"),
            (hit(" ".join(["word"] * 39) + " very cold."), "not 10 to 40 words"),
            (hit(f"See http://a.b: {LONG}"), "markup"),
            (hit(f"[NAME] says: {LONG}"), "markup"),
            (hit(f"THIS IS ALL true: {LONG}"), "shouted"),
            (hit(LONG.replace("water", 'wa"ter')), "unbalanced"),
            (hit(LONG.replace("lake behind", "laek behnid")), "not English"),
            (hit(LONG.replace("old mill", "shitty mill")), "offensive"),
            (hit(LONG.replace("old mill", "old sh1t")), "offensive"),
            (hit(LONG.replace("cold", "colld"), adjective="colld"), "misspelled"),
            (hit(LONG.replace("cold", "Cold")), "capitals"),
            (hit(LONG.replace("was very", "its very")), "its for it's"),
        ],
    )
    def test_dropped_with_a_reason(self, found, why):
        outcome = cleaned(found, keep_offensive=False)
        assert isinstance(outcome, str)
        assert why in outcome

    def test_offensive_words_stay_when_asked(self):
        assert isinstance(cleaned(hit(LONG.replace("old mill", "shitty mill")), keep_offensive=True), Candidate)


class TestSelection:
    BIGRAMS = Bigrams(
        "made", "up", {("very", name): Bigram(-at) for name, at in {"a": 9.0, "b": 3.0, "c": 20.0}.items()}
    )

    def test_the_two_ends_and_the_rest_at_random(self):
        picked = dict(chosen("very", ["a", "b", "c", "x", "y", "z"], self.BIGRAMS, most=4, seed=1))
        assert len(picked) == 4
        assert (picked["b"], picked["c"]) == (MOST, LEAST)
        assert sorted(picked.values()).count(RANDOM) == 2

    def test_not_found_is_never_an_end_and_all_are_taken_where_there_are_no_more(self):
        assert dict(chosen("very", ["x", "a"], self.BIGRAMS, most=40, seed=1)) == {"a": MOST, "x": RANDOM}
        assert dict(chosen("hardly", ["x"], self.BIGRAMS, most=40, seed=1)) == {"x": RANDOM}

    def test_another_seed_draws_others_and_the_same_seed_the_same(self):
        many = [f"w{number}" for number in range(60)]
        draws = [chosen("very", many, self.BIGRAMS, most=5, seed=seed) for seed in (1, 1, 2)]
        assert draws[0] == draws[1] != draws[2]

    def test_the_sentence_is_drawn_whatever_the_order_and_repeats_count_once(self):
        made = [candidate(LONG.replace("mill", word), place=word) for word in ("mill", "barn", "Barn")]
        one, other = Combinations(7), Combinations(7)
        assert [one.add(each) for each in made] == [True, True, False]
        for each in reversed(made[:2]):
            other.add(each)
        assert one.drawn == other.drawn
        assert one.tokens["very", "cold"] == 2

    def test_a_sentence_that_needs_no_revision_comes_first(self):
        words = ["mill", "barn", "house", "tower", "church", "farm"]
        needy = [candidate(LONG.replace("mill", word), place=word, negation="question") for word in words]
        good = candidate(LONG.replace("old mill", "new mill"), place="good")
        made = Combinations(1)
        assert all(made.add(each) for each in [*needy[:3], good, *needy[3:]])
        assert made.drawn["very", "cold"].place == "good"


class TestBigrams:
    @pytest.mark.slow
    def test_the_packaged_table(self):
        table = packaged()
        assert len(table.pairs) == 242_342
        assert "12404830571200" in table.about
        assert table.pairs["very", "good"].ln_frequency > table.pairs["very", "sad"].ln_frequency
        assert table.attributes("very", "zebra") == {"bigram_ln_frequency": NOT_FOUND}

    def test_a_table_of_ones_own(self, tmp_path):
        path = tmp_path / "table.csv"
        path.write_text("adverb,adjective,more,ln_ngram_freq\nvery,cold,1,-12.5\nvery,odd,1,0\nvery,wet,1,\n")
        table = read_bigrams(path)
        assert table.attributes("very", "cold") == {"bigram_ln_frequency": "-12.5000"}
        assert table.attributes("very", "odd") == table.attributes("very", "wet") == {"bigram_ln_frequency": NOT_FOUND}

    def test_every_fault_has_its_line(self, tmp_path):
        path = tmp_path / "table.csv"
        path.write_text("adverb,adjective,ln_ngram_freq\nvery,cold,-1\nvery,cold,-2\nvery,odd,often\nvery,\n")
        with pytest.raises(SourceError) as caught:
            read_bigrams(path)
        assert "line 5: has 2 cells instead of 3" in str(caught.value)
        path.write_text("adverb,adjective,ln_ngram_freq\nvery,cold,-1\nvery,cold,-2\nvery,odd,often\nvery,,-1\n")
        with pytest.raises(SourceError) as caught:
            read_bigrams(path)
        assert [fault.field for fault in caught.value.faults] == ["line 3", "line 4.ln_ngram_freq", "line 5.adjective"]

    @pytest.mark.slow
    def test_the_published_table(self):
        table = read_bigrams(shared(TABLE))
        assert table.pairs["never", "last"].ln_frequency == pytest.approx(-13.846787)
        assert ("definitely", "hyperbolic") not in table.pairs


CORPUS = """\
The soup that they brought us at last was very cold. Nobody ate it.
We drove up to the house. The garden behind it was really quiet.
I have eaten here for years and the soup is always good.
The people who live up there say that the road is very dangerous.
He told us that the bridge over the river would be really dangerous.
It was very cold.
"""


class TestLists:
    def test_words_and_files_stand_beside_each_other(self, tmp_path):
        path = tmp_path / "list.csv"
        path.write_text("Terribly,ours\n# a note\n\nutterly,\nvery,mine\n")
        assert read_adverbs(["really", str(path), "hardly"]) == {
            "really": "epistemic", "terribly": "ours", "utterly": "", "very": "mine", "hardly": "neutral",
        }  # fmt: skip
        assert read_adjectives([]) == frozenset()
        assert read_adjectives(["Cold", "wet"]) == {"cold", "wet"}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("kind of\n", "line 1: 'kind of' is not one word of letters"),
            ("very,a,b\n", "line 1: has 3 cells; the limit is 2"),
            ("# nothing\n", "file: contains no words"),
        ],
    )
    def test_a_file_that_is_no_list(self, tmp_path, text, message):
        path = tmp_path / "list.txt"
        path.write_text(text)
        with pytest.raises(SourceError, match=message):
            read_adverbs([str(path)])

    @pytest.mark.parametrize("asked", ["nowhere.txt", "very1", "so-called-"])
    def test_what_is_neither_a_word_nor_a_file(self, asked):
        with pytest.raises(SourceError):
            read_adverbs([asked])


@pytest.mark.slow
class TestFolder:
    @pytest.fixture
    def corpus(self, tmp_path: Path) -> Path:
        path = tmp_path / "corpus.txt"
        path.write_text(CORPUS)
        return path

    @pytest.fixture(autouse=True)
    def _own_place(self, settings, tmp_path, monkeypatch):
        settings.VAR_DIR = tmp_path / "var"
        monkeypatch.setattr(building, "packaged_bigrams", packaged)

    def build(self, corpus: Path, out: Path, *more: str) -> None:
        call_command(
            "build_study",
            "intensifiers",
            "--corpus",
            str(corpus),
            "--out",
            str(out),
            "--no-load",
            "--processes",
            "1",
            *more,
        )

    def test_items_of_a_small_corpus(self, corpus, tmp_path, capsys):
        self.build(corpus, tmp_path / "out")
        study = read_study(tmp_path / "out")
        assert [row.id for row in study.items] == [
            "always-good", "really-dangerous", "really-quiet", "very-dangerous", "very-cold",
        ]  # fmt: skip
        rows = {row.id: row for row in study.items}
        assert rows["really-quiet"].content == {
            "context": "We drove up to the house.",
            "sentence": "The garden behind it was ____ quiet.",
            "options": {"intensifier": "really", "negation": "not"},
            "neutral": "is ____ quiet.",
        }
        assert rows["really-quiet"].attributes["class"] == "epistemic"
        assert rows["really-quiet"].attributes["negation"] == "natural"
        assert rows["really-quiet"].revise == ""
        assert rows["really-dangerous"].attributes["negation"] == "be, been or being before the slot"
        assert rows["really-dangerous"].revise == '"not" might not sound natural: be, been or being before the slot'
        assert all(row.reference == "intensifier" for row in study.items)
        manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
        assert manifest["counts"]["texts"] == 6
        assert manifest["counts"]["hits"] == 6
        assert manifest["counts"]["kept"] == 5
        assert manifest["counts"]["by_adverb"]["hardly"]["items"] == 0
        assert "never: the corpus has 0 adjectives, not 40" in capsys.readouterr().out

    def test_twice_is_the_same_to_the_byte(self, corpus, tmp_path):
        for name in ("one", "two"):
            self.build(corpus, tmp_path / name, "--afresh", "--combinations", "2")
        first, second = (
            {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two")
        )
        assert first == second

    def test_a_pass_that_workers_may_share_makes_the_same_bytes(self, corpus, tmp_path, settings, db, queue):
        """No worker is there, and the building process does it, in the same way."""
        settings.VAR_DIR.mkdir()
        self.build(corpus, tmp_path / "alone", "--running", "corpus.txt")
        settings.CORPUS_STORE = str(tmp_path / "store")
        self.build(corpus, tmp_path / "shared", "--running", "corpus.txt")
        alone, shared = (
            {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("alone", "shared")
        )
        assert alone == shared
        assert len(list((tmp_path / "store" / "intensifiers").glob("*.jsonl.gz"))) == 1

    def test_a_folder_for_each_adverb_that_the_corpus_has(self, corpus, tmp_path):
        self.build(corpus, tmp_path / "out", "--by-adverb", "--adverbs", "very", "hardly", "really")
        made = sorted(path.name for path in (tmp_path / "out").iterdir())
        assert made == ["intensifiers-corpus-really", "intensifiers-corpus-very"]

    def test_any_list_of_adverbs_and_adjectives(self, tmp_path):
        corpus = tmp_path / "corpus.txt.BZ2"
        corpus.write_bytes(bz2.compress(CORPUS.replace("very cold", "extremely cold").encode()))
        (tmp_path / "adverbs.tsv").write_text("# of our own\nextremely\tmaximizer\nreally\n")
        (tmp_path / "adjectives.txt").write_text("Cold\nquiet\n")
        lists = ["--adverbs", str(tmp_path / "adverbs.tsv"), "always", "--adjectives", str(tmp_path / "adjectives.txt")]
        self.build(corpus, tmp_path / "out", *lists)
        found = {row.id: row.attributes.get("class") for row in read_study(tmp_path / "out").items}
        assert found == {"extremely-cold": "maximizer", "really-quiet": "epistemic"}
        manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
        assert manifest["options"]["adverbs"] == ["extremely", "really", "always"]
        assert manifest["options"]["adjectives"] == ["cold", "quiet"]
        assert {"adverbs.tsv", "adjectives.txt"} <= {one["name"] for one in manifest["sources"]}

    def test_lines_that_run_on_lend_their_context(self, tmp_path):
        path = tmp_path / "corpus.txt"
        path.write_text("We had swum in the lake before breakfast.\nIt was very cold.\n\nIt was very warm.\n")
        with pytest.raises(CommandError, match="no usable sentence"):
            self.build(path, tmp_path / "out")
        self.build(path, tmp_path / "out", "--running", "corpus.txt")
        (row,) = read_study(tmp_path / "out").items
        assert row.content["context"] == "We had swum in the lake before breakfast."
        with pytest.raises(CommandError, match="nowhere.txt is not in the corpus"):
            self.build(path, tmp_path / "out", "--running", "nowhere.txt")

    def test_a_corpus_that_is_not_text_leaves_nothing(self, tmp_path):
        path = tmp_path / "corpus.txt"
        path.write_bytes(b"The soup is very cold.\n\xff\xfe\n")
        with pytest.raises(CommandError, match="line 2"):
            self.build(path, tmp_path / "out")
        assert not (tmp_path / "out").exists()


@pytest.mark.slow
class TestAgainstAPlainParse:
    """The filters before the parser lose no hit."""

    def test_plain_text(self):
        from corpus.parsing import Parser
        from corpus.texts import Text
        from stimuli.constructions.intensifiers.finder import IntensifierFinder
        from stimuli.constructions.intensifiers.rule import candidates, hits

        with gzip.open(shared(COMMENTS), "rt", encoding="utf-8") as lines:
            texts = [Text(f"c:{n}", " ".join(line.split())) for n, line in zip(range(700), lines, strict=False)]
        parser = Parser()
        found = IntensifierFinder().find([text for text in texts if text.text], parser)["hits"]
        plain = []
        for text in texts:
            doc = parser.nlp(text.text)
            plain += [
                (text.place, adverb.lower_, adjective.lower_) for adverb, adjective, _ in hits(doc, candidates(doc))
            ]
        assert len(plain) >= 10
        assert [(one["place"], one["adverb"], one["adjective"]) for one in found] == plain

    def test_gold_trees_are_used_as_they_are(self):
        from corpus.lines import CorpusFile
        from corpus.parsing import Parser
        from corpus.texts import texts
        from stimuli.constructions.intensifiers.finder import IntensifierFinder

        file = CorpusFile(shared(TREES))
        found = IntensifierFinder().find(list(texts(file, "conllu", field="")), Parser())["hits"]
        file.close()
        assert len(found) >= 10
        # Universal Dependencies hangs the adverb on the adjective.
        assert {one["attachment"] for one in found} == {"adjective"}
