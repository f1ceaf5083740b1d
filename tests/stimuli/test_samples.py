"""The sample studies: how many items, of which kinds, and what each README promises about them."""

import re
from collections import Counter, defaultdict
from itertools import chain

import pytest
from django.conf import settings

from annotation.itemfile import ItemRow, read_items, write_items
from annotation.studyfile import READ_BY_TABLE, StudyFile, read_study
from annotation.tasktypes.contract import SLOT, Cloze
from stimuli.constructions.agreement.lexicon import items as agreement_items
from tests.shared_data import shared

SAMPLES = settings.BASE_DIR / "stimuli" / "samples"
TARGETS = {"intensifiers": 48, "adjectives": 50, "agreement": 60, "events": 40, "passages": 16}
ADVERBS = {
    "temporal": "never sometimes already often generally usually frequently always",
    "epistemic": "maybe perhaps possibly probably actually really certainly definitely",
    "neutral": "hardly slightly basically quite pretty very seriously completely",
}


def sample(slug: str) -> StudyFile:
    return read_study(SAMPLES / slug)


def of_kind(study: StudyFile, kind: str) -> list[ItemRow]:
    return [row for row in study.items if row.kind == kind]


def targets(slug: str) -> list[ItemRow]:
    return of_kind(sample(slug), "target")


def differing(one: str, other: str) -> list[tuple[str, str]]:
    words, others = one.split(), other.split()
    assert len(words) == len(others), (one, other)
    return [pair for pair in zip(words, others, strict=True) if pair[0] != pair[1]]


def content_words(text: str) -> list[str]:
    """Words without articles and capitals."""
    return [word for word in re.findall(r"[\w'’-]+", text.casefold()) if word not in ("a", "an")]


def test_there_is_one_folder_for_each_task_beside_what_people_answered():
    assert {path.name for path in SAMPLES.iterdir() if path.is_dir()} == {*TARGETS, "blimp"}
    assert sorted(path.name for path in (SAMPLES / "blimp").iterdir()) == ["README.md", "forced_choice.csv.xz"]
    assert "CC BY 4.0" in (SAMPLES / "blimp" / "README.md").read_text()


@pytest.mark.parametrize("slug", TARGETS)
class TestEverySample:
    def test_counts_of_each_kind(self, slug):
        study = sample(slug)
        assert study.slug == slug
        assert len(of_kind(study, "target")) == TARGETS[slug]
        assert len(of_kind(study, "gold")) >= 4
        assert len(of_kind(study, "attention")) >= 3
        assert 1 <= len(of_kind(study, "practice")) <= 2

    def test_the_item_file_alone_is_valid(self, slug):
        assert read_items(SAMPLES / slug / "items.jsonl", sample(slug).task) == sample(slug).items

    def test_written_again_it_is_the_same_file(self, slug, tmp_path):
        write_items(tmp_path / "items.jsonl", sample(slug).items)
        assert (tmp_path / "items.jsonl").read_bytes() == (SAMPLES / slug / "items.jsonl").read_bytes()

    def test_every_item_has_a_reference_and_every_target_the_same_attributes(self, slug):
        study = sample(slug)
        assert all(row.reference in study.task.scale.values for row in study.items)
        assert len({tuple(row.attributes) for row in of_kind(study, "target")}) == 1

    def test_no_text_occurs_twice(self, slug):
        """But for a passage, which two questions share, and words offered for a slot."""
        texts: list[str] = []
        for row in sample(slug).items:
            texts += [
                row.content[name] for name in ("context", "sentence", "question", "modified") if name in row.content
            ]
            if "sentence" not in row.content:
                texts += row.content.get("options", {}).values()
        assert [text for text, times in Counter(texts).items() if times > 1] == []

    def test_attention_items_want_more_than_one_answer_and_look_like_targets(self, slug):
        study = sample(slug)
        attention = of_kind(study, "attention")
        assert len({row.reference for row in attention}) > 1
        assert {tuple(row.content) for row in attention} <= {tuple(row.content) for row in of_kind(study, "target")}

    def test_quality_policy_is_adepts(self, slug):
        study = sample(slug)
        plain = {name: setting.default for name, setting in READ_BY_TABLE["quality"].items()}
        assert study.quality == plain | {
            "max_attention_failures": 0,
            "gold_tolerance": 0.10,
            "gold_distance": 2 if study.task.scale.ordered else 1,
        }
        assert study.collection["labels_per_item"] == 3

    def test_there_is_a_readme(self, slug):
        assert (SAMPLES / slug / "README.md").is_file()

    def test_whole_sentences_can_be_scored(self, slug):
        study = sample(slug)
        for row in study.items:
            assert len(study.task.requests(row.content, "sentence")) == 2

    def test_cloze_is_declared_where_every_target_has_a_single_slot(self, slug):
        study = sample(slug)
        if "cloze" not in study.scoring["metrics"]:
            assert slug == "events"
            return
        for row in of_kind(study, "target"):
            requests = study.task.requests(row.content, "cloze")
            assert len(requests) == 1 + ("neutral" in row.content)
            for request in requests:
                assert isinstance(request, Cloze)
                assert request.text.count(SLOT) == 1


class TestIntensifiers:
    def test_two_items_for_each_adverb(self):
        found = Counter((row.attributes["class"], row.attributes["adverb"]) for row in targets("intensifiers"))
        assert found == {(name, adverb): 2 for name, words in ADVERBS.items() for adverb in words.split()}

    def test_an_adverb_has_one_intensity_and_every_class_has_all_three(self):
        by_class: dict[str, set[str]] = defaultdict(set)
        by_adverb: dict[str, set[str]] = defaultdict(set)
        for row in targets("intensifiers"):
            by_class[row.attributes["class"]].add(row.attributes["intensity"])
            by_adverb[row.attributes["adverb"]].add(row.attributes["intensity"])
        assert all(found == {"low", "medium", "high"} for found in by_class.values())
        assert all(len(found) == 1 for found in by_adverb.values())

    @pytest.mark.parametrize("row", sample("intensifiers").items, ids=lambda row: row.id)
    def test_form(self, row):
        assert re.search(rf" is {SLOT} [a-z-]+\.$", row.content["sentence"])
        # Without context: the same slot, and nothing that would say who is meant (docs/metrics.md, C6).
        assert row.content["sentence"].endswith(f" {row.content['neutral']}")
        assert row.content["neutral"].split()[:2] == ["is", SLOT]
        words = f"{row.content['context']} {row.content['sentence']}".split()
        assert 10 <= len(words) <= 40
        assert (
            1 <= len(re.findall(r"[.!?]\W*(?:\s|$)", re.sub(r"\b(Dr|Mr|Mrs|Ms)\.", r"\1", row.content["context"]))) <= 2
        )
        assert row.content["options"]["negation"] == "not"
        if row.kind == "target":
            assert row.content["options"]["intensifier"] == row.attributes["adverb"]
            assert row.reference == "intensifier"
            # Neither word may be given away by the context.
            assert not {"not", row.attributes["adverb"]} & set(content_words(row.content["context"]))

    def test_no_adjective_occurs_twice_among_targets(self):
        adjectives = Counter(row.content["sentence"].rstrip(".").split()[-1] for row in targets("intensifiers"))
        assert max(adjectives.values()) == 1

    def test_always_avoiding_not_fails_the_gold_items(self):
        assert Counter(row.reference for row in of_kind(sample("intensifiers"), "gold")) == {
            "intensifier": 4,
            "negation": 4,
        }


class TestAdjectives:
    def test_each_adjective_has_two_different_references(self):
        references: dict[str, list[str | None]] = defaultdict(list)
        for row in targets("adjectives"):
            references[row.content["modifier"]].append(row.reference)
        assert all(len(found) == 2 and len(set(found)) == 2 for found in references.values())

    def test_every_class_has_all_five_degrees(self):
        found: dict[str, set[str | None]] = defaultdict(set)
        for row in targets("adjectives"):
            found[row.attributes["modifier_class"]].add(row.reference)
        assert {name: len(degrees) for name, degrees in found.items()} == {
            "subsective": 5,
            "non-subsective, privative": 5,
            "non-subsective, plain": 5,
        }

    def test_gold_items_cover_all_five_degrees(self):
        assert len({row.reference for row in of_kind(sample("adjectives"), "gold")}) == 5

    def test_the_study_lists_just_the_nonsubsective_adjectives_that_occur(self):
        occurring = {
            row.attributes["modifier"]
            for row in targets("adjectives")
            if row.attributes["modifier_class"].startswith("non-subsective")
        }
        assert sample("adjectives").scoring["nonsubsective"] == sorted(occurring)

    def test_the_modifier_is_all_that_is_added_and_stands_before_its_noun(self):
        for row in sample("adjectives").items:
            original, modified = (content_words(row.content[name]) for name in ("original", "modified"))
            place = modified.index(row.content["modifier"])
            assert modified[:place] + modified[place + 1 :] == original, row.id
            assert modified[place + 1] == row.content["noun"], row.id

    def test_articles_fit(self):
        texts = [row.content[name] for row in sample("adjectives").items for name in ("original", "modified")]
        misfit = re.compile(r"\ban? (?!\w)|\ba [aeio]|\ban [^aeiou]", re.IGNORECASE)
        assert [text for text in texts if misfit.search(text)] == []


class TestAgreement:
    def test_the_committed_file_is_what_the_grammar_makes(self):
        assert sample("agreement").items == agreement_items()

    def test_a_pair_differs_in_one_word(self):
        rows = sample("agreement").items
        assert [row.id for row in rows if len(differing(*row.content["options"].values())) != 1] == []

    def test_numbers_are_matched(self):
        rows = targets("agreement")
        assert Counter(row.attributes["head"] for row in rows) == {"singular": 30, "plural": 30}
        cells = Counter(
            (row.attributes["phenomenon"], row.attributes["head"], row.attributes["attractor"]) for row in rows
        )
        phenomena = {phenomenon for phenomenon, _, _ in cells}
        assert len(phenomena) == 5
        for phenomenon in phenomena - {"simple"}:
            for head in ("singular", "plural"):
                assert [cells[phenomenon, head, attractor] for attractor in ("singular", "plural")] == [3, 3]
        assert cells["simple", "singular", "none"] == cells["simple", "plural", "none"] == 6

    def test_a_word_is_as_often_right_as_wrong(self):
        """Within a frame, each form of the verb is grammatical in half of the pairs."""
        right: Counter[tuple[str, str]] = Counter()
        for row in targets("agreement"):
            ((good, bad),) = differing(row.content["options"]["grammatical"], row.content["options"]["ungrammatical"])
            right[row.group, good] += 1
            right[row.group, bad] -= 1
        assert set(right.values()) == {0}


class TestEvents:
    def test_violations(self):
        found = Counter((row.attributes["violation"], row.attributes["contrast"]) for row in targets("events"))
        assert found == {
            ("impossible", "inanimate agent"): 20,
            ("unlikely", "roles exchanged"): 10,
            ("unlikely", "object exchanged"): 10,
        }

    def test_swapped_sentences_have_the_same_words(self):
        for row in targets("events"):
            if row.attributes["contrast"] != "object exchanged":
                one, other = (content_words(text) for text in row.content["options"].values())
                assert sorted(one) == sorted(other)
                assert one != other

    def test_exchanged_objects_are_matched_across_the_two_pairs(self):
        words: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in targets("events"):
            if row.group:
                assert len(differing(*row.content["options"].values())) == 1
                for role, text in row.content["options"].items():
                    words[row.group][role] += content_words(text)
        assert len(words) == 5
        for roles in words.values():
            assert sorted(roles["plausible"]) == sorted(roles["implausible"])


class TestPassages:
    def test_answers_are_balanced_within_each_passage(self):
        rows = targets("passages")
        assert Counter(row.reference for row in rows) == {"yes": 8, "no": 8}
        by_passage: dict[str, list[str | None]] = defaultdict(list)
        for row in rows:
            if "passage" in row.content:
                by_passage[row.content["passage"]].append(row.reference)
        assert [sorted(filter(None, answers)) for answers in by_passage.values()] == [["no", "yes"]] * 7
        assert len(rows) - sum(map(len, by_passage.values())) == 2

    def test_lengths_and_question_marks(self):
        for row in sample("passages").items:
            assert row.content["question"].endswith("?")
            if "passage" in row.content:
                assert 40 <= len(row.content["passage"].split()) <= 90


@pytest.mark.slow
def test_no_sentence_comes_from_the_reference_data():
    """Whole texts, without capitals; archives and the largest files aside."""
    files = [path for path in shared().rglob("*") if path.is_file() and path.suffix not in (".gz", ".zip", ".pdf")]
    corpus = "\n".join(path.read_text(encoding="utf-8", errors="replace").casefold() for path in files)
    for slug in TARGETS:
        for row in sample(slug).items:
            values = chain.from_iterable(
                value.values() if isinstance(value, dict) else [value] for value in row.content.values()
            )
            for text in values:
                if len(text.split()) > 3:
                    assert text.casefold().rstrip(".?") not in corpus, (slug, row.id, text)
