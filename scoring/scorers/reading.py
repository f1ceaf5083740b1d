"""A causal model left to right: log-probabilities of every token after the first, shared beginnings computed once."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from scoring.scorers.logprobs import log_probabilities
from scoring.scorers.prefixes import Family

# Whose vocabulary scores are one product of the last hidden state, so that they can be had where they are read.
PLAIN_HEADS = ("gpt2", "gptj", "gpt_neox", "llama", "mistral", "qwen2", "qwen3", "smollm3")
# Places whose scores over the vocabulary are in memory at a time: 256 × 50,000 × 4 bytes is 50 MB.
AT_ONCE = 256


class Reader:
    def __init__(self, model: Any, device: torch.device) -> None:
        self.model = model
        self.device = device
        self.separate = model.config.model_type in PLAIN_HEADS
        self.name = (
            "shared beginnings once, vocabulary where it is read"
            if self.separate
            else "shared beginnings once, the model's own forward pass"
        )

    def logprobs(self, together: Sequence[Family]) -> list[list[list[float]]]:
        """For families with `shared` of one length and with as many rows each: by family, by row, by token."""
        shared, each = together[0].shared, len(together[0].rows)
        with torch.inference_mode():
            if not shared:
                alone = self._rests([family.rests[0] for family in together], cache=None, before=None)
                return [[values] for values in alone]
            prefixes = torch.tensor([family.prefix for family in together], device=self.device)
            states, cache = self._states(prefixes, cache=None, keep=True)
            common = self._read(states[:, :-1], prefixes[:, 1:])
            cache.batch_repeat_interleave(each)
            last = states[:, -1:].repeat_interleave(each, dim=0)
            rests = self._rests([rest for family in together for rest in family.rests], cache=cache, before=last)
        return [
            [common[number] + rests[number * each + member] for member in range(each)]
            for number in range(len(together))
        ]

    def ends(self, family: Family, wanted: Sequence[int]) -> list[list[float]]:
        """By row, the log-probability of each of the tokens `wanted` as the one after the row's last."""
        rests = family.rests
        longest = max(map(len, rests))
        ids = torch.zeros(len(rests), longest, dtype=torch.long, device=self.device)
        for number, rest in enumerate(rests):
            ids[number, : len(rest)] = torch.tensor(rest, device=self.device)
        lasts = torch.tensor([len(rest) - 1 for rest in rests], device=self.device)
        with torch.inference_mode():
            cache = None
            if family.shared:
                _, cache = self._states(torch.tensor([family.prefix], device=self.device), cache=None, keep=True)
                cache.batch_repeat_interleave(len(rests))
            states, _ = self._states(ids, cache=cache, keep=False)
            read = states[torch.arange(len(rests), device=self.device), lasts]
            each = len(wanted)
            tokens = torch.tensor(wanted, device=self.device).repeat(len(rests))
            values = self._flat(read.repeat_interleave(each, dim=0), tokens)
        return [values[row * each : (row + 1) * each] for row in range(len(rests))]

    def _rests(self, rows: list[tuple[int, ...]], *, cache: Any, before: Tensor | None) -> list[list[float]]:
        """Log-probabilities of the tokens of each row; of the first one only given `before`, the state in front of it.

        Shorter rows are filled up on the right: nothing before a token depends on what stands after it.
        """
        longest = max(map(len, rows))
        ids = torch.zeros(len(rows), longest, dtype=torch.long, device=self.device)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.tensor(row, device=self.device)
        if before is None:
            states, _ = self._states(ids, cache=None, keep=False)
            reading, wanted, given = states[:, :-1], ids[:, 1:], 1
        else:
            # The state after the last token is read by nobody.
            after, _ = self._states(ids[:, :-1], cache=cache, keep=False) if longest > 1 else (before[:, :0], None)
            reading, wanted, given = torch.cat([before, after], dim=1), ids, 0
        # Only places that stand before a token of the row itself: none of the filling.
        lengths = torch.tensor([len(row) - given for row in rows], device=self.device)
        real = torch.arange(reading.shape[1], device=self.device) < lengths[:, None]
        values = self._flat(reading[real], wanted[real])
        found, start = [], 0
        for row in rows:
            found.append(values[start : start + len(row) - given])
            start += len(row) - given
        return found

    def _read(self, states: Tensor, wanted: Tensor) -> list[list[float]]:
        rows, length = wanted.shape
        values = self._flat(states.reshape(rows * length, -1), wanted.reshape(-1))
        return [values[row * length : (row + 1) * length] for row in range(rows)]

    def _flat(self, states: Tensor, wanted: Tensor) -> list[float]:
        values: list[float] = []
        for start in range(0, len(wanted), AT_ONCE):
            part = states[start : start + AT_ONCE]
            logits = self.model.get_output_embeddings()(part) if self.separate else part
            values += log_probabilities(logits.float(), wanted[start : start + AT_ONCE]).tolist()
        return values

    def _states(self, ids: Tensor, *, cache: Any, keep: bool) -> tuple[Tensor, Any]:
        """The last hidden states, or, where the head cannot be had apart, the scores over the vocabulary."""
        model = self.model.base_model if self.separate else self.model
        out = model(input_ids=ids, past_key_values=cache, use_cache=keep or cache is not None)
        states: Tensor = out.last_hidden_state if self.separate else out.logits
        return states, out.past_key_values if keep else None
