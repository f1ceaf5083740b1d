"""What a plan supposes: from the address, else from the study's labels, else from what is common."""

import pytest

from comparison.figures.people.plan_ground import Ground
from comparison.statistics.planning.power import Assumed, power
from comparison.statistics.planning.rating_power import AssumedRatings
from researcher.studies.assumed import assumed_of, headline, plan_in_words, read_assumed, read_ratings

NO_LABELS = Ground(0, "", "")


def of(**query):
    return read_assumed(query, NO_LABELS, options=2, labels=3)


def test_without_labels_a_model_stands_halfway_and_the_next_a_little_below():
    assert of() == Assumed(options=2, agreement=0.6, first=0.75, second=0.7)


def test_more_options_make_another_chance():
    assert of(options="5") == Assumed(options=5, agreement=0.6, first=0.6, second=0.55)


def test_the_address_goes_before_what_is_common():
    assert of(first="0.9", second="0.8", agreement="0.3") == Assumed(options=2, agreement=0.3, first=0.9, second=0.8)


def test_an_empty_second_model_is_none():
    assert of(second="").second is None


@pytest.mark.parametrize(
    "query", [{"options": "1"}, {"options": "2.5"}, {"first": "1.1"}, {"agreement": "nan"}, {"second": "much"}]
)
def test_what_cannot_be_is_refused(query):
    assert of(**query) is None


def test_two_models_of_the_same_accuracy_are_no_plan():
    found = Ground(50, "a", "b", agreement=0.8, right=(0.9, 0.9, 0.7))
    assumed = assumed_of(found, options=2, labels=3)
    assert assumed.second is not None and assumed.first > assumed.second
    alike = assumed_of(Ground(50, "a", "b", agreement=0.8, right=(0.9, 0.9)), options=2, labels=3)
    assert alike.second == pytest.approx(alike.first - 0.05)


def test_the_headline_names_the_fewest_items_that_have_the_power():
    assumed = Assumed(options=2, agreement=0.6, first=0.9, second=0.7)
    many = int(headline(assumed, 3).split()[1])
    enough, fewer = (power(assumed, items=items, labels=3).apart for items in (many, many - 10))
    assert enough is not None and fewer is not None and enough >= 0.8 > fewer


def test_what_no_number_of_items_would_show_is_said_so_and_what_takes_too_many_has_its_decimals():
    for assumed in (
        Assumed(options=2, agreement=0, first=0.9, second=0.7),
        AssumedRatings(agreement=0, first=0.5, second=None),
        AssumedRatings(agreement=0.5, first=0, second=None),
        read_ratings({"difference": "0"}, NO_LABELS),
    ):
        assert assumed is not None and "any number of items" in headline(assumed, 3).replace("no number", "any number")
    many = headline(Assumed(options=2, agreement=0.5, first=0.9, second=0.895), 3)
    assert many == "It takes more than 10,000 items with 3 labels to separate models with accuracies .90 and .895."
    one = plan_in_words(AssumedRatings(agreement=0.5, first=0.5, second=None), items=50, labels=1)
    assert one.startswith("With 50 items and 1 label, power is")
