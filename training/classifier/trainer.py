"""The loop: AdamW over the batches of every epoch, its learning rate, and the held-out part after each epoch.

The order of the items hangs on the seed and the epoch alone, and optimizer and random numbers are put back as they
were, so that a training that was interrupted ends as one that was not.
"""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
import transformers
from safetensors.torch import save_file
from torch.nn import functional

from corpus.whole import whole_file
from scoring.scorers.networks.loaded import Loaded
from training.classifier.history import History, Judged
from training.classifier.settings import ALL, Settings
from training.shared.checkpoint import CHECKPOINT, Checkpoint, load, moments, restore, save
from training.shared.schedule import Every

# Steps after which the rate has fallen to 0.7 of its peak where there is no warm-up to take for it.
WITHOUT_WARM_UP = 10_000

# How often progress is told, and how much work a kill may cost at most.
TELL_SECONDS, SAVE_SECONDS = 2.0, 120.0
JUDGED_AT_ONCE = 64
# Batches among which items of nearly one length are looked for; more would always meet the same neighbors.
POOLED = 50
TRY = "try a lower learning rate"
# What AdamW does not make smaller, beside what torch's own layer norms hold.
KEPT = re.compile(r"bias|layernorm|rmsnorm|(?:^|[._])norm(?:$|\.)")
RANDOM_CPU, RANDOM_GPU = "random.cpu", "random.cuda"
# transformers asks for it before it reads a file.
FORMAT = {"format": "pt"}
Row = dict[str, Any]


def rate(settings: Settings, step: int, *, steps: int) -> float:
    """Of the step that follows `step` steps: down to 0 in a line, with the root of the steps, or level."""
    peak, rise = settings.learning_rate, settings.warmup_steps
    if step < rise:
        return peak * (step / rise)
    if settings.schedule == "linear":
        return peak * ((steps - step) / max(1, steps - rise))
    if settings.schedule == "inverse_sqrt":
        scale = rise or WITHOUT_WARM_UP
        return peak * (1 / math.sqrt((step + scale - rise) / scale))
    return peak


class Stopped(Exception):
    """The listener did not want to go on. All that was learned is saved."""


class Diverged(RuntimeError):
    """The loss is no number any more. str() says at which step."""


class Listener(Protocol):
    """Who is told how far a training is."""

    def progress(self, *, step: int, steps: int, history: History, is_saved: bool) -> bool:
        """Told every few seconds, and after every state that was saved; whether to go on."""
        ...


def order(lengths: Sequence[int], *, batch_size: int, seed: int, epoch: int) -> list[list[int]]:
    """The batches of an epoch, as places in `lengths`. They hang on nothing that happened before.

    Of a pool of items drawn at random, those of nearly one length share a batch, so that little is filled up; the
    batches then follow at random.
    """
    generator = torch.Generator().manual_seed((seed << 16) + epoch)
    drawn = torch.randperm(len(lengths), generator=generator).tolist()
    pool = POOLED * batch_size
    alike = [
        place
        for first in range(0, len(drawn), pool)
        for place in sorted(drawn[first : first + pool], key=lengths.__getitem__, reverse=True)
    ]
    batches = [alike[first : first + batch_size] for first in range(0, len(alike), batch_size)]
    whole = len(alike) // batch_size
    # One that is not full comes last, or all that follow would be cut elsewhere.
    return [batches[number] for number in torch.randperm(whole, generator=generator).tolist()] + batches[whole:]


class ClassifierTrainer:
    """`history` and `step` say where the training stands; what was saved in `folder` is gone on from."""

    def __init__(
        self,
        loaded: Loaded,
        train: Sequence[Row],
        held_out: Sequence[Row],
        settings: Settings,
        *,
        folder: Path,
        listener: Listener,
    ) -> None:
        # On a GPU the fast algorithms add up in no fixed order.
        (transformers.enable_full_determinism if loaded.device.type == "cuda" else transformers.set_seed)(settings.seed)
        self.model, self.device = loaded.model.to(loaded.device), loaded.device
        self.filled_up = transformers.DataCollatorWithPadding(loaded.tokenizer)
        self.rows, self.held_out, self.settings = train, held_out, settings
        self.folder, self.listener = folder, listener
        self.steps = settings.steps(len(train))
        self.parameters = {name: one for name, one in self.model.named_parameters() if one.requires_grad}
        self.optimizer = _optimizer(self.model, settings)
        self.step, self.history = 0, History()
        self.telling, self.saving, self.is_leaving = Every(TELL_SECONDS), Every(SAVE_SECONDS), False
        if (folder / CHECKPOINT).exists():
            self._resume(load(folder / CHECKPOINT))

    def best_weights(self, step: int) -> Path:
        """The weights after the epoch that ended with this step, if they were the best."""
        return self.folder / f"best-{step}.safetensors"

    def train(self) -> None:
        """To the end. Raises Left and Diverged, and CheckpointError or OSError where nothing can be written."""
        self._tell()
        self._leave_if_asked()
        while self.step < self.steps:
            epoch, completed = divmod(self.step, self.steps // self.settings.epochs)
            for inputs in self._batches(epoch, completed):
                self.training_step(inputs)
                self._tell_if_due()
                self._save_if_due()
            self._judge(epoch + 1)
            self._save()

    def training_step(self, inputs: Row) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.settings, self.step, steps=self.steps)
        # Nothing is dropped out of what does not learn.
        self.model.train(self.settings.learns == ALL)
        with self._numbers():
            loss, _ = self._loss(inputs)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise Diverged(f"the loss is {value} at step {self.step + 1}; {TRY}")
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.settings.max_grad_norm)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.history.losses.append(value)
        self.step += 1

    def _batches(self, epoch: int, completed: int) -> Iterator[Row]:
        """Those of the epoch that follow the first `completed`."""
        if not completed:
            _draw()
        lengths = [len(row["input_ids"]) for row in self.rows]
        places = order(lengths, batch_size=self.settings.batch_size, seed=self.settings.seed, epoch=epoch)
        for batch in places[completed:]:
            yield self.filled_up([self.rows[place] for place in batch])

    def _loss(self, inputs: Row) -> tuple[torch.Tensor, torch.Tensor]:
        """The mean cross-entropy of a batch in nats, and how many are right."""
        tensors = {name: tensor.to(self.device) for name, tensor in inputs.items()}
        labels = tensors.pop("labels")
        logits = self.model(**tensors).logits
        return functional.cross_entropy(logits, labels), (logits.argmax(dim=1) == labels).sum()

    def _numbers(self) -> AbstractContextManager[Any]:
        """Of the products while it learns. What is judged is computed as the finished model computes."""
        is_coarse = self.settings.numbers == "bfloat16"
        return torch.autocast(self.device.type, dtype=torch.bfloat16) if is_coarse else nullcontext()

    def _judge(self, epoch: int) -> None:
        """Look at the held-out part; the weights are kept if they are the best so far."""
        _draw()
        self.model.eval()
        losses: list[float] = []
        right = 0
        for first in range(0, len(self.held_out), JUDGED_AT_ONCE):
            rows = self.held_out[first : first + JUDGED_AT_ONCE]
            with torch.no_grad():
                loss, correct = self._loss(self.filled_up(list(rows)))
            losses += [float(loss)] * len(rows)
            right += int(correct)
            # A large part may take longer than the lease.
            self._tell_if_due()
        mean = float(np.array(losses, np.float32).mean())
        if not math.isfinite(mean):
            raise Diverged(f"the held-out loss is {mean} after step {self.step}; {TRY}")
        judged = Judged(epoch, self.step, right / len(self.held_out), mean)
        self.history.judged.append(judged)
        if self.history.best == judged:
            with whole_file(self.best_weights(self.step)) as scratch:
                save_file(
                    {name: value.detach().cpu().contiguous() for name, value in self.model.state_dict().items()},
                    scratch,
                    FORMAT,
                )

    def _save(self) -> None:
        random = {RANDOM_CPU: torch.get_rng_state()}
        if self.device.type == "cuda":
            random[RANDOM_GPU] = torch.cuda.get_rng_state()
        tensors = self.parameters | moments(self.optimizer, self.parameters) | random
        state = {"step": self.step, "history": self.history.as_json()}
        save(self.folder / CHECKPOINT, Checkpoint(tensors, state))
        best = self.history.best
        for weights in self.folder.glob("best-*"):
            if best is None or weights != self.best_weights(best.step):
                weights.unlink()
        self.saving.restart()
        self._tell(is_saved=True)
        self._leave_if_asked()

    def _resume(self, checkpoint: Checkpoint) -> None:
        tensors = checkpoint.tensors
        restore(self.optimizer, self.parameters, tensors)
        torch.set_rng_state(tensors[RANDOM_CPU])
        if RANDOM_GPU in tensors and self.device.type == "cuda":
            torch.cuda.set_rng_state(tensors[RANDOM_GPU])
        self.step, self.history = checkpoint.state["step"], History.of_json(checkpoint.state["history"])

    def _save_if_due(self) -> None:
        """Between two steps of an epoch; behind its last one it is judged first, which going on would skip."""
        if self.step % (self.steps // self.settings.epochs) and (self.is_leaving or self.saving.is_over()):
            self._save()

    def _tell_if_due(self) -> None:
        if self.telling.is_over():
            self._tell()

    def _tell(self, *, is_saved: bool = False) -> None:
        self.telling.restart()
        is_wanted = self.listener.progress(step=self.step, steps=self.steps, history=self.history, is_saved=is_saved)
        self.is_leaving = self.is_leaving or not is_wanted

    def _leave_if_asked(self) -> None:
        if self.is_leaving:
            raise Stopped


def _draw() -> None:
    """One number from those that decide dropout: torch's own loader of batches draws one for every pass.

    The trainings whose figures stand in docs/ were made with it, and come out the same without it.
    """
    torch.empty((), dtype=torch.int64).random_()


def _optimizer(model: Any, settings: Settings) -> torch.optim.AdamW:
    """AdamW, which makes matrices and embeddings smaller and leaves norms and biases alone."""
    norms = {one for module in model.modules() if isinstance(module, torch.nn.LayerNorm) for one in module.parameters()}
    learning = [(name, one) for name, one in model.named_parameters() if one.requires_grad]
    undecayed = [one for name, one in learning if one in norms or KEPT.search(name.lower())]
    others = {one for _, one in learning} - set(undecayed)
    decaying = [one for _, one in learning if one in others]
    groups = [{"params": decaying, "weight_decay": settings.weight_decay}, {"params": undecayed, "weight_decay": 0.0}]
    betas = (settings.beta1, settings.beta2)
    return torch.optim.AdamW(groups, lr=settings.learning_rate, betas=betas, eps=1e-8, fused=True)
