"""From scores over the vocabulary to log-probabilities, without losing digits that sentences add up."""

import torch


def log_probabilities(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Natural-log probability of `tokens` (…) under `logits` (…, vocabulary), as float64 (…).

    The greatest score is taken off before anything is rounded to the size of the logits, and the logarithm is
    taken in float64. A float32 log-softmax is off by about 1e-5 a token, which a sentence of a dozen tokens
    turns into more than the 1e-4 that we promise to agree to. The sum over the vocabulary may stay float32: torch
    adds up in a cascade, whose error (1e-7 of the sum) the logarithm turns into 1e-7.
    """
    shifted = logits - logits.amax(dim=-1, keepdim=True)
    chosen = shifted.gather(-1, tokens.unsqueeze(-1)).squeeze(-1).double()
    return chosen - shifted.exp_().sum(dim=-1).double().log()
