"""Platforms' ids are kept apart, until people are paid; who comes again is recognized all the same."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.assignment import release_lapsed
from annotation.models import Annotator, Consent, PlatformId, Sitting, Study
from annotation.paying.deciding import approve
from annotation.paying.lines import all_lines
from annotation.paying.queue import queue
from annotation.privacy import forget_decided, forget_due, next_due
from tests.annotation.pages.bot import Bot
from tests.annotation.paying.conftest import PID
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def here_last(study: Study, days: int) -> None:
    study.sittings.update(last_answer_at=timezone.now() - timedelta(days=days))


def test_the_id_lies_apart_from_the_annotator(study, come):
    come(1)
    annotator = Annotator.objects.get()
    kept = PlatformId.objects.get(study=study, annotator=annotator)
    assert kept.value == PID.format(1)
    assert PID.format(1) not in " ".join(map(str, vars(annotator).values()))
    assert PID.format(1) not in str(annotator)
    assert PID.format(1) not in str(kept)


def test_only_who_is_paid_is_forgotten(study, come):
    paid, waiting = come(1), come(2)
    approve(queue(study).filter(pk=paid.pk), by=None)
    assert forget_decided(study) == 1
    assert list(PlatformId.objects.values_list("annotator", flat=True)) == [waiting.annotator_id]
    sessions = dict(Sitting.objects.values_list("pk", "platform_session"))
    assert sessions == {paid.pk: "", waiting.pk: "se2"}


def test_who_was_forgotten_is_recognized(study, come):
    come(1)
    approve(queue(study), by=None)
    forget_decided(study)
    other = Bot()
    page = other.open(f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(1)}")
    assert page.status == 403
    assert "started this study with your ID" in page.text
    assert Annotator.objects.count() == 1


def test_an_excluded_person_who_was_forgotten_stays_out(study, come):
    sitting = come(1)
    approve(queue(study), by=None)
    forget_decided(study)
    study.exclusions.create(annotator=sitting.annotator, rule="attention", evidence={})
    Sitting.objects.update(browser="")
    other = Bot()
    other.open(f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(1)}")
    assert other.post().status == 403
    assert Sitting.objects.count() == 1


class TestTwoStudies:
    """Each has the id by which somebody came to it, and forgets it by itself."""

    @pytest.fixture
    def visitor(self) -> Bot:
        return Bot()

    @pytest.fixture
    def other(self, tmp_path: Path, study: Study, visitor: Bot) -> Study:
        """Somebody has finished both."""
        rows, collection = plausibility_rows(4), {"platform": "prolific", "sitting_length": 2}
        other = open_small_study(tmp_path / "other", rows, slug="other", collection=collection)
        for one in (study, other):
            self.comes(visitor, one)
        return other

    def comes(self, visitor: Bot, study: Study) -> None:
        visitor.begin(f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(1)}")
        visitor.finish()

    def known(self, study: Study) -> list[str]:
        return [line.given_id for line in all_lines(study, queue(study), pay=None)]

    def test_whoever_is_paid_in_one_is_forgotten_there(self, study: Study, other: Study) -> None:
        approve(queue(study), by=None)
        assert forget_decided(other) == 0
        assert forget_decided(study) == 1
        assert (self.known(study), self.known(other)) == ([""], [PID.format(1)])

    def test_a_date_acts_in_its_study_alone(self, study: Study, other: Study) -> None:
        Study.objects.filter(pk=study.pk).update(forget_after_days=5)
        for one in (study, other):
            here_last(one, 40)
        assert forget_due() == 1
        assert (self.known(study), self.known(other)) == ([""], [PID.format(1)])

    def test_what_one_has_forgotten_stays_so_whatever_the_other_has(
        self, visitor: Bot, study: Study, other: Study
    ) -> None:
        for one in (study, other):
            approve(queue(one), by=None)
            assert forget_decided(one) == 1
        self.comes(visitor, other)
        assert (set(self.known(study)), set(self.known(other))) == ({""}, {PID.format(1)})

    def test_who_came_again_is_forgotten_when_that_is_long_ago(self, visitor: Bot, other: Study) -> None:
        """Paid for the first or not: the days count from when they were here last."""
        self.comes(visitor, other)
        Study.objects.filter(pk=other.pk).update(forget_after_days=5)
        here_last(other, 40)
        last = other.sittings.latest("pk")
        assert other.sittings.count() == 2
        Sitting.objects.filter(pk=last.pk).update(last_answer_at=timezone.now() - timedelta(days=4))
        approve(queue(other).filter(pk=last.pk), by=None)
        other.refresh_from_db()
        due = next_due(other)
        assert due is not None
        assert due.date() == (timezone.now() + timedelta(days=1)).date()
        assert forget_due() == 0
        assert forget_due(timezone.now() + timedelta(days=2)) == 1
        assert next_due(other) is None


def test_coming_again_brings_the_id_back_until_it_is_paid(study):
    visitor, address = Bot(), f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(1)}"
    visitor.begin(address)
    visitor.finish()
    approve(queue(study), by=None)
    forget_decided(study)
    visitor.begin(address)
    assert PlatformId.objects.get().value == PID.format(1)
    assert forget_decided(study) == 0


def test_nothing_is_due_where_no_study_says_so(study, come):
    come(1)
    here_last(study, 4_000)
    assert (forget_due(), next_due(study)) == (0, None)


@pytest.mark.parametrize(("days", "gone"), [(29, 0), (31, 1)])
def test_a_date_acts_whether_or_not_it_was_decided(study, come, days, gone):
    sitting = come(1)
    Study.objects.update(forget_after_days=30)
    here_last(study, days)
    study.refresh_from_db()
    due = next_due(study)
    assert due is not None
    assert due.date() == (timezone.now() + timedelta(days=30 - days)).date()
    assert forget_due() == gone
    sitting.refresh_from_db()
    assert (sitting.platform_session == "") is bool(gone)
    assert sitting.payment == "undecided"


def test_the_worker_erases_what_is_due(study, come):
    from annotation import tasks

    come(1)
    Study.objects.update(forget_after_days=1)
    here_last(study, 2)
    tasks.upkeep()
    assert not PlatformId.objects.exists()


class TestBeforeTheItems:
    """Who closes the tab there holds nothing: no lease runs out, and the sitting stays open for good."""

    @pytest.fixture
    def gated(self, tmp_path: Path) -> Study:
        collection = {"platform": "prolific", "forget_after_days": 30}
        rows = plausibility_rows(4)
        return open_small_study(
            tmp_path / "gated", rows, slug="gated", collection=collection, consent={"text": "I agree."}
        )

    @pytest.fixture
    def visitor(self, gated: Study) -> Bot:
        bot = Bot()
        bot.begin(f"{gated.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(1)}&SESSION_ID=se1")
        return bot

    @pytest.fixture
    def sitting(self, visitor: Bot) -> Sitting:
        return Sitting.objects.get()

    def begun(self, days: int) -> None:
        Sitting.objects.update(started_at=timezone.now() - timedelta(days=days))

    def is_kept(self, sitting: Sitting) -> bool:
        forget_due()
        sitting.refresh_from_db()
        assert (sitting.platform_session == "se1") is bool(sitting.origin) is PlatformId.objects.exists()
        return PlatformId.objects.exists()

    @pytest.mark.parametrize(("days", "kept"), [(29, True), (31, False)])
    def test_who_never_consented_is_forgotten(self, gated: Study, sitting: Sitting, days: int, kept: bool) -> None:
        self.begun(days)
        assert (sitting.state, sitting.stage) == ("active", "consent")
        assert self.is_kept(sitting) is kept
        due = next_due(gated)
        assert (due is not None) is kept
        assert due is None or due > timezone.now()

    def test_consent_is_a_sign_of_life(self, gated: Study, visitor: Bot, sitting: Sitting) -> None:
        self.begun(40)
        visitor.post(decision="agree")
        Sitting.objects.update(stage="comprehension", instructed_at=None)
        assert self.is_kept(sitting)
        Consent.objects.update(decided_at=timezone.now() - timedelta(days=31))
        assert not self.is_kept(sitting)

    def test_a_try_at_the_questions_is_a_sign_of_life(self, sitting: Sitting) -> None:
        self.begun(40)
        sitting.comprehension.create(number=1, answers={}, passed=False)
        assert self.is_kept(sitting)
        sitting.comprehension.update(at=timezone.now() - timedelta(days=31))
        assert not self.is_kept(sitting)

    def test_who_holds_items_loses_these_first(self, visitor: Bot, sitting: Sitting) -> None:
        visitor.post(decision="agree")
        visitor.post()
        assert Sitting.objects.get().stage == "items"
        Sitting.objects.update(instructed_at=timezone.now() - timedelta(days=40))
        Consent.objects.update(decided_at=timezone.now() - timedelta(days=40))
        self.begun(40)
        assert self.is_kept(sitting), "under way"
        Sitting.objects.update(lease_expires_at=timezone.now() - timedelta(days=39))
        release_lapsed()
        assert not self.is_kept(sitting)
