"""Models of annotators by crowd-kit: held to published figures, to an EM of our own, and to what must not matter."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MACE

from comparison.frame import crowd as module
from comparison.frame.crowd import learned
from comparison.statistics.aggregation import ONE_RATER, accuracy
from comparison.statistics.counts import MISSING
from tests.comparison.known import known
from tests.comparison.statistics.aggregation.crowds import Crowd, adult_content, made, snow
from tests.comparison.statistics.agreement.made import value

# Dawid and Skene (1979), Table 1: what five observers said of 45 patients, the first of them three times.
# The labels are those of NumPyro's examples/annotation.py (commit 003424bb), from that table; the paper was not read.
PATIENTS = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111 2223212 1211111
1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121
1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""
OBSERVERS = (0, 0, 0, 1, 2, 3, 4)

dawid_skene, one_coin, mace, glad = (partial(learned, key) for key in module.MODELS)
# The other two take seconds for anything.
MODELS = [dawid_skene, one_coin, *(pytest.param(model, marks=pytest.mark.slow) for model in (mace, glad))]


def em(crowd: Crowd, *, rounds: int = 500) -> tuple[np.ndarray, np.ndarray]:
    """Dawid and Skene (1979), equations 2.3 to 2.5, label by label: probabilities, and each person's table."""
    size, values, people = len(crowd.truth), crowd.values, crowd.people
    likely = np.zeros((size, values))
    for item, label in zip(crowd.items, crowd.labels, strict=True):
        likely[item, label] += 1
    likely /= likely.sum(axis=1, keepdims=True)
    for _ in range(rounds):
        before = likely
        share = likely.mean(axis=0)
        table = np.full((people, values, values), 1e-10)
        for item, rater, label in zip(*crowd.arrays, strict=True):
            table[rater, :, label] += likely[item]
        table /= table.sum(axis=2, keepdims=True)
        log = np.tile(np.log(share), (size, 1))
        for item, rater, label in zip(*crowd.arrays, strict=True):
            log[item] += np.log(table[rater, :, label])
        likely = np.exp(log - log.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        if np.abs(likely - before).max() < 1e-9:
            break
    return likely, table


@pytest.mark.slow
def test_snows_dawid_skene():
    """The figure of ../shared/data/crowd_labels/SOURCE.txt."""
    crowd = snow("snow_temp")
    assert round(value(accuracy(crowd.truth, dawid_skene(*crowd.arrays, **crowd.sizes))), 4) == 0.9416


@pytest.mark.slow
def test_the_toy_set_of_get_another_label_has_one_who_is_always_wrong():
    """Who turns every label round tells as much as who is always right, and is not believed."""
    crowd = adult_content()
    found = dawid_skene(*crowd.arrays, **crowd.sizes)
    turned = crowd.raters == crowd.people - 1
    assert (found.codes[crowd.items[turned]] == 1 - crowd.labels[turned]).all()
    assert found.reliability[-1] == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_dawid_and_skenes_patients_have_their_published_shares():
    """The share of each class that the paper prints, which takes more rounds than crowd-kit's own stop allows."""
    rows = [[int(label) - 1 for label in patient] for patient in PATIENTS.split()]
    labels = np.array(rows).ravel()
    items, raters = np.repeat(np.arange(45), 7), np.tile(OBSERVERS, 45)
    found = dawid_skene(items, raters, labels, size=45, values=4, people=5)
    assert found.probabilities.mean(axis=0).round(4).tolist() == [0.3996, 0.4220, 0.1118, 0.0667]


@pytest.mark.slow
def test_dawid_skene_is_an_em_of_our_own():
    crowd = made(size=150, people=6, each=5)
    found = dawid_skene(*crowd.arrays, **crowd.sizes)
    likely, table = em(crowd)
    assert np.abs(found.probabilities - likely).max() < 1e-3
    assert (found.codes == likely.argmax(axis=1)).all()
    right = np.diagonal(table, axis1=1, axis2=2) @ likely.mean(axis=0)
    assert np.abs(found.reliability - right).max() < 0.01


@pytest.mark.slow
def test_one_coin_is_more_reliable_where_people_are():
    crowd = made(size=400, people=8)
    found = one_coin(*crowd.arrays, **crowd.sizes)
    own = [(crowd.labels == crowd.truth[crowd.items])[crowd.raters == rater].mean() for rater in range(8)]
    assert np.abs(found.reliability - own).max() < 0.06


@pytest.mark.slow
def test_mace_tells_who_guesses():
    crowd = made(size=400, people=8)
    assert np.corrcoef(mace(*crowd.arrays, **crowd.sizes).reliability, np.arange(8))[0, 1] > 0.95


@pytest.mark.slow
def test_glad_tells_who_guesses():
    crowd = made(size=100, people=8)
    found = glad(*crowd.arrays, **crowd.sizes)
    assert np.corrcoef(found.reliability, np.arange(8))[0, 1] > 0.8
    assert value(accuracy(crowd.truth, found)) > 0.8


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.slow
def test_the_order_of_labels_does_not_matter(model):
    """crowd-kit's own MACE gives another figure for another order, as below."""
    crowd = made(size=40, people=6, each=4)
    order = np.random.default_rng(0).permutation(len(crowd.items))
    first = model(*crowd.arrays, **crowd.sizes)
    second = model(crowd.items[order], crowd.raters[order], crowd.labels[order], **crowd.sizes)
    assert (first.probabilities == second.probabilities).all()
    assert (first.reliability == second.reliability).all()


@pytest.mark.slow
def test_why_labels_are_put_in_order_for_mace():
    """1.4.2: when this fails, the version has been mended and `crowd.py` need not rename labels."""
    crowd = made(size=40, people=6, each=4)
    frame = pd.DataFrame(dict(zip(("task", "worker", "label"), crowd.arrays, strict=True)))
    mixed = frame.sample(frac=1, random_state=0)
    first, second = (
        known(MACE(n_restarts=1).fit(one).probas_).sort_index().sort_index(axis=1) for one in (frame, mixed)
    )
    assert np.abs(first.to_numpy() - second.to_numpy()).max() > 0.01


@pytest.mark.slow
def test_why_mace_begins_once():
    crowd = made(size=40, people=6, each=4)
    frame = pd.DataFrame(dict(zip(("task", "worker", "label"), crowd.arrays, strict=True)))
    once, often = (known(MACE(n_restarts=starts).fit(frame).probas_).to_numpy() for starts in (1, 3))
    assert (once == often).all()


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_a_value_nobody_gave_an_item_nobody_labeled_and_a_person_without_labels(model):
    crowd = made(size=30, people=6, each=4, values=2)
    found = model(*crowd.arrays, size=31, values=4, people=7)
    assert found.probabilities.shape == (31, 4)
    assert (found.probabilities[:, 2:] == 0).all()
    assert found.codes[30] == MISSING
    assert found.probabilities[:30].sum(axis=1) == pytest.approx(np.ones(30))
    assert np.isnan(found.reliability).tolist() == [False] * 6 + [True]


@pytest.mark.parametrize("model", [dawid_skene, one_coin, mace, glad])
def test_one_person_is_said(model):
    found = model(np.array([0, 1]), np.array([0, 0]), np.array([0, 1]), size=2, values=2, people=1)
    assert found.undefined == ONE_RATER


def test_glad_is_left_out_where_it_would_take_hours(monkeypatch):
    monkeypatch.setattr(module, "MOST_FOR_GLAD", 100)
    crowd = made(size=40, people=6, each=4)
    assert glad(*crowd.arrays, **crowd.sizes).undefined == (
        "not computed for more than 100 labels: it would take hours"
    )
