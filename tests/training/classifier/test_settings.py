"""The settings of trainings: the papers' grids, what is refused, and what need not be trained twice."""

from dataclasses import replace

import pytest

from scoring.scorers.recipes import RECIPES
from training.classifier.settings import ADEPT, BOOLQ, DEFAULTS, GRIDS, Settings, grid_points, trained_once
from training.shared.settings import faults


def test_the_grid_of_adept_is_the_papers():
    """Emami et al. 2021, section 5.4."""
    points = grid_points(ADEPT, GRIDS["adept"])
    assert len(points) == len(set(points)) == 3 * 4 * 3 * 3
    assert {point.learning_rate for point in points} == {1e-5, 3e-5, 5e-5}
    assert {point.epochs for point in points} == {3, 4, 5, 8}
    assert {point.batch_size for point in points} == {8, 16, 32}
    assert len({point.seed for point in points}) == 3
    assert {point.schedule for point in points} == {"linear"}


def test_the_settings_of_boolq_are_the_papers():
    """Shen 2022, section 5.1."""
    assert (BOOLQ.epochs, BOOLQ.batch_size, BOOLQ.weight_decay, BOOLQ.beta1, BOOLQ.beta2) == (10, 16, 0.1, 0.9, 0.98)
    assert (BOOLQ.schedule, BOOLQ.warmup_steps) == ("inverse_sqrt", 400)
    assert [point.learning_rate for point in grid_points(BOOLQ, GRIDS["boolq"])] == [1e-5, 2e-5]


def test_every_recipe_has_defaults_without_faults():
    assert DEFAULTS.keys() == RECIPES.keys()
    assert not [fault for settings in DEFAULTS.values() for fault in faults(settings)]


def test_a_linear_schedule_shares_nothing():
    points = grid_points(ADEPT, {"epochs": (3, 4, 5, 8), "seed": (1, 2)})
    assert trained_once(points) == (points, 0)


def test_where_the_schedule_is_open_ended_only_the_longest_is_trained():
    points = grid_points(replace(ADEPT, schedule="constant"), {"epochs": (3, 8, 5), "seed": (1, 2)})
    kept, shared = trained_once(points)
    assert [(point.seed, point.epochs) for point in kept] == [(1, 8), (2, 8)]
    assert shared == 4


def test_an_axis_replaces_the_default_and_nothing_else():
    (point,) = grid_points(ADEPT, {"learning_rate": [1e-5]})
    assert point == replace(ADEPT, learning_rate=1e-5)
    assert grid_points(ADEPT, {"seed": [1, 1]}) == [ADEPT]


def test_settings_come_back_from_json():
    assert Settings.of_json(BOOLQ.as_json()) == BOOLQ


def test_steps_count_the_last_incomplete_batch():
    assert replace(ADEPT, batch_size=32, epochs=2).steps(65) == 2 * 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"learning_rate": 0.0}, "Learning rate: '0.0' is not a number above 0 and up to 1"),
        ({"learning_rate": float("nan")}, "Learning rate: 'nan' is not a number above 0 and up to 1"),
        ({"epochs": 0}, "Epochs: '0' is not a whole number from 1 to 1000."),
        ({"epochs": 1001}, "Epochs: '1001' is not a whole number from 1 to 1000."),
        ({"batch_size": 4097}, "Batch size: '4097' is not a whole number from 1 to 4096."),
        ({"split_seed": -1}, "Seed of the split: '-1' is not"),
        ({"max_grad_norm": float("inf")}, "Gradient clipping: 'inf' is not a number above 0"),
        ({"batch_size": 0}, "Batch size: '0' is not a whole number"),
        ({"seed": -1}, "Seed: '-1' is not a whole number from 0 to 2147483647."),
        ({"schedule": "cosine"}, "'cosine' is not one of linear, constant, inverse_sqrt."),
        ({"warmup_steps": -1}, "Warm-up steps"),
        ({"weight_decay": 1.0}, "Weight decay: '1.0' is not a number from 0 and below 1."),
        ({"beta2": 1.0}, "Beta 2"),
        ({"max_grad_norm": 0.0}, "Gradient clipping: '0.0' is not a number above 0"),
        ({"max_length": 3}, "Longest text, in tokens: '3' is not a whole number from 8."),
        ({"held_out": 0.0}, "Share held out: '0.0' is not a number above 0 and up to 0.5"),
        ({"numbers": "float16"}, "'float16' is not one of float32, bfloat16."),
        ({"held_out": 0.6}, "Share held out: '0.6' is not a number above 0 and up to 0.5"),
    ],
)
def test_settings_that_cannot_be_are_named(change, sentence):
    (fault,) = faults(replace(ADEPT, **change))
    assert sentence in fault
