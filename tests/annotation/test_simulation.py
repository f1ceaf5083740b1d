"""Synthetic annotators through real models: marked, controlled, filling up, removable, never among people."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation import assignment, recording
from annotation.arrival.refusals import WrongPopulation
from annotation.behavior import PROFILES, Question, Respondent, answer, response_ms
from annotation.itemfile import ItemRow
from annotation.lifecycle import status
from annotation.models import Annotator, Assignment, Exclusion, Item, Judgment, Sitting, Study
from annotation.simulation import CannotSimulate, remove_synthetic, simulate
from annotation.tasktypes.contract import Label, Scale
from annotation.tasktypes.plausibility import DEGREES
from tests.studies import open_small_study, person, plausibility_row, plausibility_rows, write_study

pytestmark = pytest.mark.django_db

COLLECTION = {"sitting_length": 4, "gold_per_sitting": 2, "attention_per_sitting": 1}
COUNTS = {"careful": 4, "noisy": 1, "careless": 1}


def rows() -> list[ItemRow]:
    return plausibility_rows(8, gold=6, attention=4)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return open_small_study(tmp_path / "small", rows(), collection=COLLECTION)


def target_labels(study: Study) -> list[tuple[str, str, str]]:
    found = Assignment.objects.filter(sitting__study=study, item__kind="target", state__in=Assignment.ANSWERED)
    return sorted(found.values_list("item__external_id", "annotator__external_id", "judgment__answer"))


class TestSimulate:
    @pytest.mark.slow
    def test_annotators_are_marked_for_good(self, study):
        done = simulate(study, counts=COUNTS, seed=1)
        assert done.annotators.keys() == set(Annotator.objects.values_list("external_id", flat=True))
        assert all(annotator.is_synthetic for annotator in Annotator.objects.all())
        assert set(Annotator.objects.values_list("profile", flat=True)) <= set(PROFILES)
        study.refresh_from_db()
        assert study.population == Study.Population.SYNTHETIC

    @pytest.mark.slow
    def test_the_careless_are_excluded_and_their_slots_filled_again(self, study):
        done = simulate(study, counts=COUNTS, seed=1)
        assert done.annotators["synthetic-careless-01"] == Exclusion.Rule.ATTENTION
        assert Assignment.objects.filter(annotator__profile="careless", item__kind="target").count() == 4
        assert not Assignment.objects.filter(annotator__profile="careless", state=Assignment.State.COUNTED).exists()
        assert done.valid == done.target
        assert (done.valid, done.target) == (24, 24)
        for item in study.items.filter(kind=Item.Kind.TARGET):
            assert (item.counted, item.reserved, sum(item.tally.values())) == (3, 0, 3)

    @pytest.mark.slow
    def test_nobody_is_left_in_the_middle_and_every_answer_took_time(self, study):
        simulate(study, counts=COUNTS, seed=1)
        assert not Sitting.objects.exclude(state=Sitting.State.FINISHED).exists()
        assert not Judgment.objects.filter(response_ms=None).exists()
        assert not Assignment.objects.filter(shown_at=None).exists()

    @pytest.mark.slow
    def test_the_same_seed_gives_the_same_labels(self, study, tmp_path):
        first = simulate(study, counts=COUNTS, seed=7)
        labels = target_labels(study)
        remove_synthetic(study)
        assert simulate(study, counts=COUNTS, seed=7) == first
        assert target_labels(study) == labels
        remove_synthetic(study)
        simulate(study, counts=COUNTS, seed=8)
        assert target_labels(study) != labels

    @pytest.mark.slow
    def test_counts_are_used_up_unless_it_must_be_full(self, study):
        done = simulate(study, counts={"careful": 1, "careless": 1}, seed=1)
        assert done.valid != done.target
        done = simulate(study, counts={"careful": 1, "careless": 1}, seed=1, until_full=True)
        assert done.valid == done.target
        assert "synthetic-careful-02" in done.annotators

    @pytest.mark.slow
    def test_a_study_that_cannot_fill_up_is_given_up(self, study):
        with pytest.raises(CannotSimulate, match="stays at 0 of 24"):
            simulate(study, counts={"careless": 2}, seed=1, until_full=True)

    @pytest.mark.slow
    def test_a_full_study_is_left_as_it_is(self, study):
        simulate(study, counts=COUNTS, seed=1, until_full=True)
        known = Annotator.objects.count()
        done = simulate(study, counts=COUNTS, seed=1, until_full=True)
        assert (done.annotators, done.labels) == ({}, 0)
        assert Annotator.objects.count() == known

    @pytest.mark.slow
    def test_progress_is_told(self, study):
        seen: list[tuple[int, int]] = []
        simulate(study, counts=COUNTS, seed=1, progress=lambda valid, target: seen.append((valid, target)))
        assert seen[-1] == (24, 24)


class TestRefusals:
    def test_not_open(self, tmp_path):
        call_command("load_study", write_study(tmp_path / "shut", rows(), slug="shut"), verbosity=0)
        with pytest.raises(CannotSimulate, match="not open"):
            simulate(Study.objects.get(slug="shut"), counts=COUNTS, seed=1)

    def test_closed(self, study):
        status.close_study(study)
        with pytest.raises(CannotSimulate, match="not open"):
            simulate(study, counts=COUNTS, seed=1)

    def test_people_have_answered(self, study):
        sitting = assignment.start(study, person("p1"))
        recording.record(sitting, 1, "less_likely")
        with pytest.raises(CannotSimulate, match="cannot be mixed"):
            simulate(study, counts=COUNTS, seed=1)
        with pytest.raises(CannotSimulate, match="from people"):
            remove_synthetic(study)
        assert Judgment.objects.count() == 1

    @pytest.mark.parametrize("counts", [{}, {"careful": 0}, {"careful": -1, "noisy": 2}, {"sleepy": 1}])
    def test_impossible_counts(self, study, counts):
        with pytest.raises(CannotSimulate):
            simulate(study, counts=counts, seed=1)
        assert not Annotator.objects.exists()

    @pytest.mark.slow
    def test_people_may_not_join(self, study):
        simulate(study, counts={"careful": 1}, seed=1)
        with pytest.raises(WrongPopulation):
            assignment.start(study, person("p1"))


class TestRemove:
    @pytest.mark.slow
    def test_no_trace_is_left(self, study):
        before = list(study.items.values())
        simulate(study, counts=COUNTS, seed=1)
        removed = remove_synthetic(study)
        assert removed.annotators == 6
        assert removed.labels > 24
        for model in (Annotator, Sitting, Assignment, Judgment, Exclusion):
            assert not model.objects.exists(), model
        assert list(study.items.values()) == before
        assert study.population == Study.Population.NOBODY
        assert assignment.start(study, person("p1")).current() is not None

    @pytest.mark.slow
    def test_other_studies_keep_theirs(self, study, tmp_path):
        other = open_small_study(tmp_path / "other", rows(), slug="other", collection=COLLECTION)
        simulate(study, counts=COUNTS, seed=1)
        simulate(other, counts=COUNTS, seed=1)
        kept = target_labels(other)
        remove_synthetic(study)
        assert target_labels(other) == kept
        assert Exclusion.objects.filter(study=other).exists()

    def test_nothing_to_remove(self, study):
        assert remove_synthetic(study).annotators == 0


class TestCommand:
    @pytest.mark.slow
    def test_there_and_back(self, study, capsys):
        call_command("simulate_annotators", "small", "--until-full", "--seed", "3")
        out = capsys.readouterr().out
        assert "8 synthetic annotators gave 56 labels; 24 of 24 valid labels" in out
        assert "excluded: synthetic-careless-01 (attention)" in out
        call_command("simulate_annotators", "small", "--remove")
        assert "8 synthetic annotators and 56 labels removed" in capsys.readouterr().out
        assert not Judgment.objects.exists()

    def test_an_unknown_study_names_those_there_are(self, study):
        with pytest.raises(CommandError, match="no study 'none'. Available: small"):
            call_command("simulate_annotators", "none")

    def test_until_full_and_remove_exclude_each_other(self, study):
        with pytest.raises(CommandError):
            call_command("simulate_annotators", "small", "--until-full", "--remove")


class TestBehavior:
    """What a profile promises, over many items; no database."""

    PAIR = Scale(labels=(Label("yes", "Yes", "F"), Label("no", "No", "J")))

    def share_off(self, profile: str, scale: Scale, *, kind: str = "target", degrees: int = 1) -> float:
        who = Respondent("a", PROFILES[profile], "s")
        given = [
            (value, answer(who, Question(f"i{n}", kind, value, "text", n), scale=scale, gold_distance=degrees))
            for n in range(1000)
            for value in [scale.values[n % len(scale.values)]]
        ]
        return sum(scale.distance(*pair) >= degrees for pair in given) / len(given)

    @pytest.mark.parametrize("scale", [DEGREES, PAIR], ids=["ordered", "unordered"])
    def test_careful_then_noisy_then_careless(self, scale):
        shares = [self.share_off(profile, scale) for profile in ("careful", "noisy", "careless")]
        assert shares == sorted(shares)
        assert shares[0] < 0.15
        assert shares[2] > 0.4

    def test_careful_annotators_err_near_the_reference(self):
        assert self.share_off("careful", DEGREES, degrees=2) < 0.02

    def test_checks(self):
        assert self.share_off("careful", DEGREES, kind="attention") == 0
        assert self.share_off("careless", DEGREES, kind="attention") == 1
        assert self.share_off("careful", DEGREES, kind="gold", degrees=2) == 0
        assert 0.01 < self.share_off("noisy", DEGREES, kind="gold", degrees=2) < 0.1

    def test_without_a_reference_the_careful_agree_on_a_hidden_one(self):
        question = Question("i", "target", None, "text")
        given = [
            answer(Respondent(f"a{n}", PROFILES["careful"], "s"), question, scale=DEGREES, gold_distance=2)
            for n in range(40)
        ]
        assert max(given.count(value) for value in DEGREES.values) >= 24

    def test_the_careless_are_quick(self):
        question = Question("i", "target", None, "eight words make two seconds of reading time")
        careful, careless = (
            sorted(response_ms(Respondent(f"a{n}", PROFILES[name], "s"), question) for n in range(99))[49]
            for name in ("careful", "careless")
        )
        assert 2500 < careful < 3600
        assert careless < 700


@pytest.mark.slow
def test_items_with_and_without_reference_are_answered(tmp_path):
    mixed = [plausibility_row(1, reference="impossible"), plausibility_row(2)]
    study = open_small_study(tmp_path / "mixed", mixed, slug="mixed")
    done = simulate(study, counts={"careful": 3}, seed=1)
    assert done.valid == done.target
    assert study.items.get(external_id="target-1").tally.get("impossible", 0) >= 2
