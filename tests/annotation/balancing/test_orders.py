"""Over an item's labels every option stands at every place as equally often as possible, whoever is excluded."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.assignment import release_lapsed, start
from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.models import Assignment, Item, Sitting, Study
from annotation.simulation import simulate
from annotation.studyfile import StudyFileError
from tests.studies import open_small_study, person, plausibility_rows, write_study

ROLES = ("very", "rather", "not")
TASK = {"type": "forced_choice", "question": "Which fits?", "options": list(ROLES)}
LIVE = (Assignment.State.RESERVED, Assignment.State.COUNTED)


def row(number: int, kind: str = "target", reference: str | None = None) -> ItemRow:
    content = {"sentence": f"Lamp {kind} {number} is ____ bright.", "options": {role: f"{role} so" for role in ROLES}}
    return ItemRow(f"{kind}-{number}", content, kind, reference)


def study_of(tmp_path, order: str, *, labels: int, items: int = 4, **collection) -> Study:
    rows = [row(number) for number in range(items)]
    rows += [row(number, "attention", "very") for number in range(4)]
    asked = {"labels_per_item": labels, "option_order": order, **collection}
    return open_small_study(tmp_path, rows, task=TASK, collection=asked, quality={"gold_distance": 1})


def places(item: Item) -> Counter[tuple[int, str]]:
    """How often each option stood at each place, among the labels that count."""
    live = item.assignments.filter(state__in=LIVE).values_list("presentation", flat=True)
    return Counter((place, role) for shown in live for place, role in enumerate(shown["order"]))


@pytest.mark.django_db
class TestBalanced:
    @pytest.mark.slow
    @pytest.mark.parametrize("labels", [3, 4, 6])
    def test_a_full_study_with_exclusions(self, tmp_path, labels):
        study = study_of(tmp_path, "balanced", labels=labels, attention_per_sitting=2)
        simulate(study, counts={"careful": 6, "noisy": 0, "careless": 3}, seed=1, until_full=True)
        # Labels of the excluded must have been given again, or it shows nothing.
        assert Assignment.objects.filter(state=Assignment.State.EXCLUDED, item__kind="target").exists()
        for item in study.items.filter(kind="target"):
            counts = places(item)
            assert item.counted == labels
            assert len(counts) == 9
            assert set(counts.values()) <= {labels // 3, -(-labels // 3)}

    def test_items_begin_at_different_places(self, tmp_path):
        study = study_of(tmp_path, "balanced", labels=3, items=30, sitting_length=30)
        sitting = start(study, person("ann"))
        shown = sitting.assignments.filter(item__kind="target").values_list("presentation", flat=True)
        firsts = Counter(one["order"][0] for one in shown)
        assert set(firsts) == set(ROLES)
        assert max(firsts.values()) < 20

    @pytest.mark.slow
    def test_who_comes_back_to_items_not_seen_yet_gets_the_order_that_is_missing(self, tmp_path):
        study = study_of(tmp_path, "balanced", labels=3, items=1)
        ann = start(study, person("ann"))
        Sitting.objects.filter(pk=ann.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
        release_lapsed()
        for name in ("bob", "carl"):
            start(study, person(name))
        start(study, person("ann"))
        (item,) = study.items.filter(kind="target")
        assert set(places(item).values()) == {1}

    def test_what_was_seen_stays_as_it_was_seen(self, tmp_path):
        study = study_of(tmp_path, "balanced", labels=3, items=1)
        ann = start(study, person("ann"))
        ann.assignments.update(shown_at=timezone.now())
        before = ann.assignments.get().presentation
        Sitting.objects.filter(pk=ann.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
        release_lapsed()
        for name in ("bob", "carl"):
            start(study, person(name))
        assert start(study, person("ann")).assignments.get().presentation == before


@pytest.mark.django_db
class TestOthers:
    def orders(self, study: Study, people: int) -> set[tuple[str, ...]]:
        for number in range(people):
            start(study, person(f"p{number}"))
        shown = Assignment.objects.filter(item__kind="target").values_list("presentation", flat=True)
        return {tuple(one["order"]) for one in shown}

    @pytest.mark.slow
    def test_fixed_is_the_scales_own(self, tmp_path):
        assert self.orders(study_of(tmp_path, "fixed", labels=5), 5) == {ROLES}

    @pytest.mark.parametrize("order", ["random", ""])
    def test_forced_choice_draws_them_otherwise(self, tmp_path, order):
        # Of 25 draws of six orders, fewer than four different ones do not happen.
        assert len(self.orders(study_of(tmp_path, order, labels=5, items=5), 5)) > 3

    def test_yes_and_no_change_places_where_that_is_asked_for(self, tmp_path):
        rows = [ItemRow(f"q{number}", {"question": f"Is lamp {number} lit?"}) for number in range(4)]
        asked = {"labels_per_item": 2, "option_order": "balanced"}
        study = open_small_study(
            tmp_path, rows, task={"type": "yes_no"}, collection=asked, quality={"gold_distance": 1}
        )
        assert self.orders(study, 2) == {("yes", "no"), ("no", "yes")}
        assert {tuple(sorted(places(item).values())) for item in study.items.all()} == {(1, 1, 1, 1)}


@pytest.mark.parametrize("order", ["random", "balanced"])
def test_ordered_answers_stay_in_their_order(tmp_path, order):
    with pytest.raises(StudyFileError, match="are an ordered scale"):
        load_study(write_study(tmp_path, plausibility_rows(2), collection={"option_order": order}))
