"""Which items have no agreement: kept with the tally however labels come and go, and found by one index."""

import itertools

import numpy as np
import pytest
from django.db import connection

from annotation.adjudicating import adjudicated, after, before, disputed
from annotation.elsewhere.label_import import import_labels
from annotation.models import Item, Study
from annotation.models.item import agreed_in
from annotation.quality.exclusion import exclude, reinstate
from annotation.simulation import remove_synthetic, simulate
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING
from tests.comparison.cast import give_labels
from tests.studies import open_small_study, plausibility_rows

IMPOSSIBLE, LESS, EQUAL = "impossible", "less_likely", "equally_likely"


def test_the_rule_is_that_of_the_majority():
    for counts in itertools.product(range(5), repeat=3):
        tally = {label: count for label, count in zip("abc", counts, strict=True) if count}
        (code,) = majority(np.array([counts]))
        assert agreed_in(tally) == (0 if code == MISSING else counts[code]), counts


@pytest.fixture
def study(db, tmp_path) -> Study:
    """Of five items with three labels: three ways, two to one, all alike, three ways again; one has two labels."""
    study = open_small_study(tmp_path, plausibility_rows(5))
    given = {
        "target-1": [IMPOSSIBLE, LESS, EQUAL],
        "target-2": [IMPOSSIBLE, LESS, LESS],
        "target-3": [LESS, LESS, LESS],
        "target-4": [EQUAL, LESS, IMPOSSIBLE],
        "target-5": [EQUAL, LESS],
    }
    give_labels(study, [(item, f"p{n}", label) for item, labels in given.items() for n, label in enumerate(labels)])
    return study


def names(items) -> list[str]:
    return [item.external_id for item in items]


def kept_true(study: Study) -> bool:
    return all(item.agreed == agreed_in(item.tally) for item in study.items.all())


class TestWhich:
    def test_complete_and_without_a_majority(self, study):
        assert names(disputed(study)) == ["target-1", "target-4"]

    def test_none_where_the_mean_is_the_truth(self, study):
        study.measure = "spearman"
        assert study.is_averaged
        assert names(disputed(study)) == names(disputed(study, under=1.0)) == []

    @pytest.mark.parametrize(
        ("under", "found"),
        [
            (0.0, ["target-1", "target-4"]),
            (2 / 3, ["target-1", "target-4"]),
            (0.67, ["target-1", "target-4", "target-2"]),
            (1.0, ["target-1", "target-4", "target-2"]),
        ],
    )
    def test_under_a_share_of_agreement_the_least_agreed_first(self, study, under, found):
        assert names(disputed(study, under=under)) == found

    def test_one_label_an_item_is_no_disagreement(self, db, tmp_path):
        study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 1})
        give_labels(study, [("target-1", "p1", LESS)])
        assert not disputed(study, under=1.0).exists()

    def test_neighbors_go_through_all_of_them_in_order(self, study):
        items = disputed(study, under=1.0)
        for one, other in itertools.pairwise(items):
            assert after(items, one).first() == other
            assert before(items, other).first() == one
        assert (before(items, items[0]).first(), after(items, items[2]).first()) == (None, None)

    def test_how_many(self, study):
        assert (adjudicated(disputed(study)).items, adjudicated(disputed(study)).left) == (2, 2)

    def test_an_excluded_label_takes_the_item_off_the_list_and_back(self, study):
        from tests.studies import person

        verdict = exclude(study, person("p0"), rule="researcher", evidence={})
        assert names(disputed(study)) == []
        assert kept_true(study)
        reinstate(verdict)
        assert names(disputed(study)) == ["target-1", "target-4"]
        assert kept_true(study)

    @pytest.mark.slow
    def test_one_index_finds_counts_and_orders_them(self, study):
        # As many as nobody would sort.
        one = {"study": study, "kind": "target", "content": {}, "target": 3, "counted": 3}
        Item.objects.bulk_create(
            Item(**one, external_id=f"more-{n}", position=10 + n, random_key=n, agreed=0 if n % 10 == 0 else 2)
            for n in range(2000)
        )
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for under in (0.0, 0.67):
            plan = disputed(study, under=under).explain()
            assert "item_adjudication" in plan, plan
        assert "TEMP B-TREE" not in disputed(study, under=0.67).explain()


class TestKept:
    def test_by_label_files_also_where_items_have_labels_already(self, study, tmp_path, db):
        fresh = open_small_study(tmp_path / "other", plausibility_rows(2), slug="other")
        for number, lines in enumerate((["target-1,a,impossible", "target-2,a,impossible"], ["target-1,b,impossible"])):
            path = tmp_path / f"labels-{number}.csv"
            path.write_text("\n".join(["item,annotator,label", *lines]) + "\n", encoding="utf-8")
            import_labels(fresh, path)
            assert kept_true(fresh)
        assert Item.objects.get(study=fresh, external_id="target-1").agreed == 2

    @pytest.mark.slow
    def test_by_annotators_who_change_their_minds_and_by_removal(self, tmp_path, db):
        rows = plausibility_rows(8, gold=6, attention=4)
        asked = {"sitting_length": 4, "gold_per_sitting": 2, "attention_per_sitting": 1}
        study = open_small_study(tmp_path, rows, collection=asked)
        simulate(study, counts={"careful": 2, "noisy": 3, "careless": 1}, seed=1)
        assert study.items.filter(agreed__gt=0).exists()
        assert kept_true(study)
        remove_synthetic(study)
        assert kept_true(study)
