"""What trained models are called: plainly, and what sets them apart only where two would be alike."""

import pytest

from training.classifier.working import name_of
from training.models import Training

SETTINGS = {"learning_rate": 5e-5, "epochs": 3, "batch_size": 32, "seed": 1, "numbers": "float32"}


def training(recipe="adept", *, base="all-MiniLM-L6-v2 (BERT, 6 layers)", studies=("adept",), **changed):
    return Training(
        recipe=recipe,
        base={"key": "minilm-l6", "name": base},
        studies=list(studies),
        settings=SETTINGS | changed,
        fingerprint="5a22" * 16,
    )


@pytest.mark.parametrize(
    ("recipe", "name"),
    [
        ("adept", "ADEPT, all-MiniLM-L6-v2"),
        ("adept-no-context", "ADEPT without context, all-MiniLM-L6-v2"),
        ("boolq-question", "BoolQ, question alone, all-MiniLM-L6-v2"),
    ],
)
def test_it_is_the_recipe_and_the_encoder(recipe, name):
    assert name_of(training(recipe), []) == name


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"seed": 2}, "seed 2"),
        ({"epochs": 1}, "1 epoch"),
        ({"learning_rate": 1e-5, "batch_size": 16}, "rate 1e-05, batch size 16"),
        ({"numbers": "bfloat16"}, "numbers bfloat16"),
        ({"studies": ("adept", "more")}, "on adept and more"),
    ],
)
def test_what_sets_it_apart_is_said_and_no_more(changed, word):
    assert name_of(training(**changed), [training()]) == f"ADEPT, all-MiniLM-L6-v2, {word}"


@pytest.mark.parametrize(
    ("changed", "word"), [({"learns": "new"}, "encoder frozen"), ({"without": "impossible"}, "without impossible")]
)
def test_one_of_another_kind_is_always_called_so(changed, word):
    assert name_of(training(learns="all", without=None), []) == "ADEPT, all-MiniLM-L6-v2"
    assert name_of(training(**changed), []) == f"ADEPT, all-MiniLM-L6-v2, {word}"


def test_it_is_set_apart_from_each():
    others = [training(), training(seed=2)]
    assert name_of(training(seed=2, epochs=4), others) == "ADEPT, all-MiniLM-L6-v2, 4 epochs, seed 2"


def test_where_no_setting_tells_the_hash_does():
    assert name_of(training(), [training(), training(seed=2)]) == "ADEPT, all-MiniLM-L6-v2, 5a225a"


def test_no_name_is_longer_than_its_row_has_room_for():
    long = training(base="x" * 120, studies=[f"study-{number}" for number in range(40)])
    name = name_of(long, [training(base="x" * 120)])
    assert name == f"ADEPT, {'x' * 60}, 5a225a"
