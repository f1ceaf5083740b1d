"""The network against plain loops: states word by word, and probabilities that sum to one."""

import math

import pytest
import torch

from scoring.scorers.lstm_model.folder import Network, Shape
from tests.scoring.scorers.lstm_model.by_hand import probability, state_by_state

SIZE = 6


def network(*, vocabulary=30, cutoffs=(8, 20), layers=2, seed=3):
    torch.manual_seed(seed)
    made = Network(Shape(vocabulary=vocabulary, size=SIZE, layers=layers, cutoffs=cutoffs))
    with torch.no_grad():
        for parameter in made.parameters():
            # Large weights, so that a mistake would show.
            parameter.normal_(0, 0.8)
    return made.eval()


@pytest.mark.parametrize("cutoffs", [(), (8,), (8, 20), (8, 20, 99)])
@torch.inference_mode()
def test_r6_states_and_probabilities_are_those_of_a_plain_loop(cutoffs):
    made = network(cutoffs=cutoffs)
    ids = [0, 4, 25, 9, 1, 29, 8, 20, 7]
    states = made(torch.tensor([ids[:-1]]))
    exact = made.logprobs(states[0], torch.tensor(ids[1:]), exact=True)
    assert exact.dtype == torch.float64
    loop = state_by_state(made, ids[:-1])
    slow = [math.log(probability(made, state, word)) for state, word in zip(loop, ids[1:], strict=True)]
    assert exact.tolist() == pytest.approx(slow, abs=1e-5)
    assert made.logprobs(states[0], torch.tensor(ids[1:])).tolist() == pytest.approx(slow, abs=1e-4)


@pytest.mark.parametrize("cutoffs", [(), (8,), (8, 20)])
@torch.inference_mode()
def test_r6_probabilities_of_all_words_sum_to_one(cutoffs):
    made = network(cutoffs=cutoffs)
    state = made(torch.tensor([[0, 5, 22]]))[0, -1:]
    everything = made.logprobs(state.expand(30, -1), torch.arange(30), exact=True)
    assert float(everything.exp().sum()) == pytest.approx(1, abs=1e-7)


def test_every_parameter_learns():
    made = network().train()
    states = made(torch.tensor([[0, 4, 25, 9]]), dropout=0.5)
    made.logprobs(states.flatten(0, 1), torch.tensor([4, 25, 9, 8])).mean().backward()
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for parameter in made.parameters())


def test_dropout_leaves_out_the_same_units_all_along_a_text():
    made = network(layers=1)
    torch.manual_seed(1)
    states = made(torch.tensor([[0, 4, 25, 9], [0, 3, 2, 1]]), dropout=0.5)
    gone = states == 0
    assert gone.any() and not gone.all()
    assert (gone == gone[:, :1]).all()
    assert (made(torch.tensor([[0, 4]])) != 0).all()
