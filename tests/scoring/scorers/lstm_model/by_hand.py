"""What an LSTM computes, by plain loops over its weights."""

import math

import torch


def state_by_state(made, ids):
    """The same by the equations of an LSTM (Gers et al. 2000), one word at a time."""
    weights = {name: parameter.double() for name, parameter in made.named_parameters()}
    hidden = [torch.zeros(made.shape.size, dtype=torch.float64) for _ in made.layers]
    cells = [torch.zeros(made.shape.size, dtype=torch.float64) for _ in made.layers]
    for one in ids:
        below = weights["vectors"][one]
        for layer in range(len(made.layers)):
            prefix = f"layers.{layer}."
            gates = (
                weights[prefix + "weight_ih_l0"] @ below
                + weights[prefix + "bias_ih_l0"]
                + weights[prefix + "weight_hh_l0"] @ hidden[layer]
                + weights[prefix + "bias_hh_l0"]
            )
            write, forget, new, show = gates.chunk(4)
            cells[layer] = forget.sigmoid() * cells[layer] + write.sigmoid() * new.tanh()
            hidden[layer] = show.sigmoid() * cells[layer].tanh()
            below = hidden[layer]
        yield below


def probability(made, state, word):
    """By the definition of a vocabulary in parts, without torch's softmax."""
    weights = {name: parameter.double() for name, parameter in made.named_parameters()}
    edges = made.shape.edges

    def softmax(scores):
        powers = [math.exp(score) for score in scores]
        return [power / sum(powers) for power in powers]

    def score(vector, bias):
        return float(vector @ state) + float(bias)

    first = [score(weights["vectors"][n], weights["bias"][n]) for n in range(edges[1])]
    first += [score(v, b) for v, b in zip(weights["part_vectors"], weights["part_bias"], strict=True)]
    heads = softmax(first)
    if word < edges[1]:
        return heads[word]
    part = next(n for n in range(1, len(edges) - 1) if edges[n] <= word < edges[n + 1])
    within = softmax([score(weights["vectors"][n], weights["bias"][n]) for n in range(edges[part], edges[part + 1])])
    return heads[edges[1] + part - 1] * within[word - edges[part]]
