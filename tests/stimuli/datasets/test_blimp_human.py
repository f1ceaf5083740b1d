"""BLiMP's human validation, as the sample study has it: counts, faults, and the accuracies of people as published."""

import lzma
from collections import Counter
from statistics import mean

import pytest
from django.conf import settings

from corpus.errors import SourceError
from stimuli.datasets.blimp_human import CHECK, COLUMNS, IMPORTER, PARADIGMS, PHENOMENA, UNPUBLISHED, read
from tests.shared_data import shared

SAMPLE = settings.BASE_DIR / "stimuli" / "samples" / "blimp" / "forced_choice.csv.xz"
# Warstadt et al. (2020), table 3, the row of people: percent of single choices, by phenomenon.
PUBLISHED = {
    "anaphor_agreement": 97.5,
    "argument_structure": 90.0,
    "binding": 87.3,
    "control_raising": 83.9,
    "determiner_noun_agreement": 92.2,
    "ellipsis": 85.0,
    "filler_gap_dependency": 86.9,
    "irregular_forms": 97.0,
    "island_effects": 84.9,
    "npi_licensing": 88.1,
    "quantifiers": 86.6,
    "subject_verb_agreement": 90.9,
}
# The pairs of each whose majority chose the acceptable sentence, of five a paradigm: column `accepted` of
# raw_results/summary/human_validation_summary.csv in alexwarstadt/blimp. All others have five.
FOUR_ACCEPTED = {
    "animate_subject_passive", "existential_there_quantifiers_2", "inchoative", "passive_2", "principle_A_domain_2",
    "principle_A_domain_3", "principle_A_reconstruction", "sentential_subject_island", "tough_vs_raising_1",
    "tough_vs_raising_2", "wh_vs_that_with_gap", "wh_vs_that_with_gap_long_distance",
}  # fmt: skip


@pytest.fixture(scope="module")
def sample():
    return read(SAMPLE, None, {})


@pytest.fixture(scope="module")
def pairs(sample):
    return {row.id: row.attributes for row in sample.rows if row.kind == "target"}


@pytest.fixture(scope="module")
def chosen(sample, pairs):
    """By pair: whether each person chose the acceptable sentence."""
    found: dict[str, list[bool]] = {pair: [] for pair in pairs}
    for label in sample.labels:
        if label.item in found:
            found[label.item].append(label.label == "acceptable")
    return found


def written(folder, *lines):
    path = folder / "answers.csv"
    path.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n")
    return path


class TestTheSample:
    def test_it_is_the_file_that_was_published(self):
        assert lzma.decompress(SAMPLE.read_bytes()) == (shared("blimp_human") / "forced_choice.csv").read_bytes()

    @pytest.mark.slow
    def test_how_many_there_are(self, sample, pairs, chosen):
        assert sample.counts == {
            "lines": 8720,
            "submissions": 1744,
            "items": 335,
            "attention_checks": 5,
            "people": 345,
            "labels": 8457,
            "submissions_rejected_by_the_platform": 10,
        }
        assert Counter(row["paradigm"] for row in pairs.values()) == dict.fromkeys(PARADIGMS, 5)
        assert Counter(map(len, chosen.values())) == {19: 2, 20: 318, 21: 15}

    @pytest.mark.slow
    def test_what_is_left_out_and_why(self, sample):
        assert [one["paradigm"] for one in sample.dropped[:3]] == sorted(UNPUBLISHED)
        assert [one["line"] for one in sample.dropped[3:]] == [4968, 8164]

    def test_every_submission_has_a_check_and_six_people_failed_nine(self, sample):
        checks = [label for label in sample.labels if label.item.startswith("attention-")]
        assert len(checks) == sample.counts["submissions"]
        failed = Counter(label.annotator for label in checks if label.label == "unacceptable")
        assert failed == {"w0036": 3, "w0257": 2, "w0078": 1, "w0196": 1, "w0277": 1, "w0310": 1}
        # One more was rejected by the platform, for leaving a pair out.
        assert sample.notes["rejected_by_the_platform"].keys() - failed.keys() == {"w0144"}

    def test_the_phenomena_are_the_twelve_with_their_67_paradigms(self):
        assert len(PHENOMENA) == 12
        assert len(PARADIGMS) == sum(map(len, PHENOMENA.values())) == 67
        assert {field for _, field in PHENOMENA} == {"morphology", "syntax", "semantics", "syntax_semantics"}

    @pytest.mark.slow
    def test_where_the_labels_are_from_fits_its_column(self):
        note = IMPORTER.load(SAMPLE, slug="", title="", limit=None, options={}).labels_note
        assert len(note) <= 500
        assert "CC BY 4.0" in note
        assert "rejected 10 of 1,744 submissions, of 7 people" in note
        assert "w0036" not in note


class TestPublishedAccuracies:
    def test_single_choices_are_within_half_a_point_of_every_phenomenon(self, pairs, chosen):
        """The authors left some choices out, three of a hundred at most, and took the mean of paradigms."""
        for phenomenon, published in PUBLISHED.items():
            given = [one for pair, said in chosen.items() if pairs[pair]["phenomenon"] == phenomenon for one in said]
            assert 100 * mean(given) == pytest.approx(published, abs=0.5), phenomenon

    def test_single_choices_over_all(self, chosen):
        assert 100 * mean(one for said in chosen.values() for one in said) == pytest.approx(88.6, abs=0.2)

    def test_majorities_are_those_published_for_every_paradigm(self, pairs, chosen):
        accepted: Counter[str] = Counter()
        for pair, said in chosen.items():
            accepted[pairs[pair]["paradigm"]] += 2 * sum(said) > len(said)
        assert accepted == {name: 5 - (name in FOUR_ACCEPTED) for name in PARADIGMS}
        assert round(100 * accepted.total() / len(chosen), 1) == 96.4


class TestReading:
    def test_the_two_sentences_name_the_pair_whichever_came_first(self, tmp_path):
        path = written(tmp_path, "1,w1,Approved,1,causative,A b.,B a.,1,1", "2,w2,Approved,1,causative,B a.,A b.,2,1")
        found = read(path, None, {})
        (row,) = found.rows
        assert (row.id, row.content) == ("causative-1", {"options": {"acceptable": "A b.", "unacceptable": "B a."}})
        assert [label.label for label in found.labels] == ["acceptable", "unacceptable"]

    def test_a_check_met_again_is_a_further_label(self, tmp_path):
        line = f"w1,Rejected,2,{CHECK},Take me.,Not me.,1"
        found = read(written(tmp_path, f"1,{line},1", f"2,{line},2"), None, {})
        assert [(one.label, one.repeat) for one in found.labels] == [("acceptable", 1), ("unacceptable", 2)]
        assert found.notes == {"rejected_by_the_platform": {"w1": 2}}

    def test_every_fault_is_named(self, tmp_path):
        path = written(tmp_path, ",w1,Maybe,1,causative,A b.,A b.,1,3", "2,,Approved,1,unheard,,B a.,0,1")
        with pytest.raises(SourceError) as refused:
            read(path, None, {})
        said = str(refused.value)
        for fault in (
            "line 2, column “hit”: is empty", "line 2, column “status”: 'Maybe' is not one of",
            "line 2, column “choice”: '3' is not one of",
            "line 2, column “sentence_2”: is the same", "line 3, column “worker”: is empty",
            "line 3, column “paradigm”: 'unheard' is not one of",
            "line 3, column “sentence_1”: is empty", "line 3, column “good”: '0' is not one of",
        ):  # fmt: skip
            assert fault in said

    def test_a_pair_has_one_good_sentence(self, tmp_path):
        path = written(tmp_path, "1,w1,Approved,1,causative,A b.,B a.,1,1", "2,w2,Approved,1,causative,A b.,B a.,2,1")
        with pytest.raises(SourceError, match=r"line 3, column “good”: is the other sentence on line 2"):
            read(path, None, {})

    @pytest.mark.parametrize("ending", ["xz", "gz"])
    def test_a_packed_file_that_is_cut_off_is_refused(self, tmp_path, ending):
        path = tmp_path / f"answers.csv.{ending}"
        path.write_bytes(SAMPLE.read_bytes()[:1000])
        with pytest.raises(SourceError, match="cannot be unpacked"):
            read(path, None, {})
