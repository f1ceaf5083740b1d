"""What the order of the options does, on answers that are known to follow the place or the option."""

import numpy as np
import pytest

from comparison.statistics.bias import position_bias

ORDERS = np.array([[0, 1], [1, 0]])


def repeated(logprobs, items=20):
    shown = np.repeat(ORDERS[None], items, axis=0)
    return position_bias(shown, np.repeat(np.array(logprobs)[None], items, axis=0))


def test_a_model_that_sees_only_places_is_all_bias():
    found = repeated([np.log([0.6, 0.2]), np.log([0.6, 0.2])])
    assert [place.value for place in found.places] == pytest.approx([0.75, 0.25])
    assert found.lead.value == pytest.approx(0.5)
    assert [above.value for above in found.above] == pytest.approx([0.25, -0.25])
    assert "same value" in found.lead.no_interval
    assert found.steady.value == 0
    assert found.on_letters.value == pytest.approx(0.8)


def test_a_model_that_sees_only_options_has_no_bias():
    found = repeated([np.log([0.6, 0.2]), np.log([0.2, 0.6])])
    assert found.lead.value == pytest.approx(0)
    assert (found.steady.value, found.steady.n) == (1, 20)


def test_a_scale_turned_round_has_no_lead_without_bias():
    """Mirrored places hold the same degrees, so they get the same probability; the middle may have more."""
    degrees = np.log([0.1, 0.3, 0.6])
    shown = np.repeat(np.array([[0, 1, 2], [2, 1, 0]])[None], 8, axis=0)
    found = position_bias(shown, np.repeat(np.array([degrees, degrees[::-1]])[None], 8, axis=0))
    assert [place.value for place in found.places] == pytest.approx([0.35, 0.3, 0.35])
    assert found.lead.value == pytest.approx(0)
    assert [above.value for above in found.above] == pytest.approx([0, None, 0])
    assert found.above[1].undefined == "no other position has the same options"
    assert found.steady.value == 1


def test_shuffled_options_are_held_against_an_even_share():
    """A Latin square: every option in every place once, so that without bias each place has 1 / options."""
    shown = np.repeat(np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])[None], 4, axis=0)
    found = position_bias(shown, np.log(np.full((4, 3, 3), [0.5, 0.3, 0.2])))
    assert [above.value for above in found.above] == pytest.approx([0.5 - 1 / 3, 0.3 - 1 / 3, 0.2 - 1 / 3])


def test_every_figure_has_n_and_an_interval():
    rng = np.random.default_rng(1)
    logprobs = np.log(rng.dirichlet([3, 2, 5], size=(60, 2))[:, :, :2])
    found = position_bias(np.repeat(ORDERS[None], 60, axis=0), logprobs)
    for estimate in (*found.places, *found.above, found.lead, found.steady, found.on_letters):
        assert estimate.n == 60
        assert estimate.value is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= estimate.value <= estimate.high
    among = np.exp(logprobs) / np.exp(logprobs).sum(axis=2, keepdims=True)
    assert found.places[0].value == pytest.approx(among[:, :, 0].mean())


def test_without_items_it_is_undefined_with_the_reason():
    found = position_bias(np.zeros((0, 2, 2), dtype=int), np.zeros((0, 2, 2)))
    assert found.places == found.above == ()
    assert found.rows == ()
    assert found.lead.undefined == "no item has an answer yet"
