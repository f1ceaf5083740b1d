"""Computing only what is read gives the numbers of the model's own forward pass, whatever the architecture."""

import pytest
import torch

from scoring.scorers.networks.bodies import Alike, WhereRead, Whole, body_of
from tests.scoring.scorers.shapes import OTHERS, SHAPES, made

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("length", [3, 11])
@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4, 5], [0, 0, 2, 5, 5, 5], [3]])
def test_the_places_that_are_read_have_the_models_own_scores(name, length, rows):
    model = made(SHAPES[name])
    body = body_of(model)
    assert isinstance(body, WhereRead)
    ids = torch.randint(5, 200, (6, length))
    places = torch.randint(0, length, (rows := torch.tensor(rows)).shape)
    with torch.inference_mode():
        expected = model(input_ids=ids).logits[rows, places]
        found = body.logits(ids, rows, places)
    assert torch.allclose(found, expected, atol=1e-5), (found - expected).abs().max()


@pytest.mark.parametrize("name", SHAPES)
def test_copies_of_a_sentence_have_the_models_own_scores(name):
    model = made(SHAPES[name])
    ids = torch.randint(5, 200, (1, 9)).repeat(9, 1)
    ids[torch.arange(9), torch.arange(9)] = 4
    assert Alike.of(ids) is not None
    rows = places = torch.arange(9)
    with torch.inference_mode():
        expected = model(input_ids=ids).logits[rows, places]
        found = body_of(model).logits(ids, rows, places)
    assert torch.allclose(found, expected, atol=1e-5), (found - expected).abs().max()


def test_places_are_alike_where_the_same_token_stands_at_the_same_position():
    ids = torch.tensor([[7, 8, 9], [7, 4, 9], [7, 4, 9], [7, 8, 9]])
    alike = Alike.of(ids)
    assert alike is not None
    states = torch.arange(12.0).view(4, 3, 1)
    spread = alike.spread(alike.one_of_each(states))[..., 0]
    # Each place gets the state of one with its token and position.
    assert torch.equal(spread % 3, states[..., 0] % 3)
    assert torch.equal(ids.flatten()[spread.long()], ids)
    assert Alike.of(torch.tensor([[7, 8, 9], [9, 7, 8]])) is None


@pytest.mark.parametrize("name", OTHERS)
def test_an_unknown_shape_takes_the_plain_path_and_says_so(name):
    model = made(OTHERS[name])
    body = body_of(model)
    assert isinstance(body, Whole)
    assert body.name == "the model's own forward pass"
    ids, rows, places = torch.randint(5, 200, (3, 7)), torch.tensor([0, 2, 2]), torch.tensor([1, 6, 0])
    with torch.inference_mode():
        expected = model(input_ids=ids).logits[rows, places]
        assert torch.equal(body.logits(ids, rows, places), expected)


def test_in_half_precision_it_stays_close():
    model = made(SHAPES["bert"])
    ids, rows, places = torch.randint(5, 200, (6, 9)), torch.arange(6), torch.randint(0, 9, (6,))
    with torch.inference_mode():
        exact = body_of(model).logits(ids, rows, places)
        half = body_of(model.to(torch.bfloat16)).logits(ids, rows, places)
    assert half.dtype == torch.float32
    assert torch.allclose(half, exact, atol=0.2)
