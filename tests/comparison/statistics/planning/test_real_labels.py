"""462 questions with ten labels each (Snow et al. 2008): three of the ten foretell what all ten show."""

import csv
import random
from collections import Counter, defaultdict

import numpy as np
import pytest

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.aggregation import majority
from comparison.statistics.planning.plan import Design, Here, planned
from tests.comparison.statistics.agreement.made import value
from tests.shared_data import shared

KEPT = 3


def test_three_labels_foretell_the_accuracy_that_ten_show():
    given, experts = defaultdict(list), {}
    with shared("crowd_labels/snow_temp.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            given[row["item"]].append(int(row["response"]) - 1)
            experts[row["item"]] = int(row["gold"]) - 1
    rng = random.Random(1)
    few = [Counter(rng.sample(labels, KEPT)) for labels in given.values()]
    all_ten = np.array([[labels.count(0), labels.count(1)] for labels in given.values()])
    kept = np.array([[one[0], one[1]] for one in few])
    run = np.array(list(experts.values()))
    here = Here(counts=kept, level="nominal", groups=np.arange(len(run)), first=run, second=None)
    found = planned(here, Design(len(run), 10), studies=100)
    shown = value(accuracy(run, majority(all_ten)).accuracy)
    assert found.accuracy.value == pytest.approx(shown, abs=0.025)
    assert value(accuracy(run, majority(kept)).accuracy) < shown - 0.05, "three labels by themselves show less"
