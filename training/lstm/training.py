"""The training itself: batches of texts of one length, steps, looks at the held-out text, when it slows down and ends.

Killed, it goes on from its checkpoint to the same result.

The same text, settings, library versions, device and number of threads give the same bytes on a CPU. On a GPU they
need not: cuDNN adds up in an order of its own.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from scoring.scorers.lstm_model.folder import Network, Shape
from scoring.scorers.lstm_model.vocabulary import END_ID, UNKNOWN_ID
from scoring.scorers.networks.tensor_file import CheckpointError
from training.lstm.preparing import Prepared, Texts
from training.lstm.settings import Settings
from training.shared.checkpoint import Checkpoint, load, moments, put, restore, save
from training.shared.schedule import Every, Schedule
from training.shared.settings import differing

# Texts among which those of nearly one length are looked for; more would always meet the same neighbors.
POOL = 8192
# Where a row is filled up: nothing is to be predicted there.
NOTHING = -1
Rows = NDArray[np.int64]

# Of the minutes: the rest cools down in a third of the steps so far, with some room.
BY_CLOCK = 0.72
BETAS = (0.9, 0.99)
CHECKPOINT_SECONDS = 300.0
# Steps between looks at the held-out text, where the settings leave it to the size of the text.
LEAST_EVERY, MOST_EVERY = 50, 1000


def shuffled(texts: Texts, *, seed: int, epoch: int, budget: int) -> Iterator[Rows]:
    """Every text once: groups of at most `budget` words (or one text), filled up to the longest of the group."""
    rng = np.random.default_rng([seed, epoch])
    order = rng.permutation(len(texts))
    for start in range(0, len(order), POOL):
        groups = list(_grouped(order[start : start + POOL], texts, budget))
        for number in rng.permutation(len(groups)):
            yield groups[number]


def by_length(texts: Texts, *, budget: int) -> Iterator[Rows]:
    """Every text once, short ones first."""
    yield from _grouped(np.arange(len(texts)), texts, budget)


def filled(texts: Texts, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What is read and what is to be predicted, both (rows, longest): each text begins after a sentence's end.

    Where a row is filled up, the second is NOTHING.
    """
    lengths = texts.starts[rows + 1] - texts.starts[rows]
    targets = np.full((len(rows), int(lengths.max())), NOTHING, np.int64)
    for number, row in enumerate(rows):
        targets[number, : lengths[number]] = texts.tokens[texts.starts[row] : texts.starts[row + 1]]
    inputs = np.full_like(targets, END_ID)
    inputs[:, 1:] = np.where(targets[:, :-1] == NOTHING, END_ID, targets[:, :-1])
    return inputs, targets


def _grouped(rows: Rows, texts: Texts, budget: int) -> Iterator[Rows]:
    lengths = texts.starts[rows + 1] - texts.starts[rows]
    rows = rows[np.argsort(lengths, kind="stable")]
    begin = 0
    for place, row in enumerate(rows):
        longest = int(texts.starts[row + 1] - texts.starts[row])
        if place > begin and (place - begin + 1) * longest > budget:
            yield rows[begin:place]
            begin = place
    if begin < len(rows):
        yield rows[begin:]


@dataclass(frozen=True)
class Cooling:
    """From which step the learning rate falls, at which step it ends at 0, and why it began."""

    start: int
    end: int
    why: str


def rate(settings: Settings, cooling: Cooling | None, step: int) -> float:
    """The learning rate of the step after `step` steps."""
    # The step at `start` still has the full rate.
    end = (cooling.start + 1, cooling.end) if cooling else ()
    return Schedule(settings.rate, settings.warmup + 1, *end).rate(step)


def planned(settings: Settings) -> Cooling | None:
    """Where the number of steps is given, what follows from it."""
    if not settings.steps:
        return None
    return Cooling(settings.steps - settings.steps // 4, settings.steps, "steps")


def begun(settings: Settings, *, step: int, epochs: float, seconds: float, waited: int) -> Cooling | None:
    """Whether to begin now, after so many steps, passes over the text, seconds, and looks without gain."""
    why = ""
    if waited >= settings.patience:
        why = "no gain"
    elif epochs >= 0.75 * settings.epochs:
        why = "epochs"
    elif settings.minutes and seconds >= BY_CLOCK * 60 * settings.minutes:
        why = "minutes"
    return Cooling(step, step + max(1, step // 3), why) if why else None


def is_over(settings: Settings, cooling: Cooling | None, *, step: int, seconds: float) -> bool:
    """Whether the line is at its end, or the time is up before it is."""
    late = bool(settings.minutes) and seconds >= 60 * settings.minutes
    return late or (cooling is not None and step >= cooling.end)


class TrainingError(RuntimeError):
    """A training that cannot go on: no such device, or a loss that is no number."""


class Interrupted(Exception):
    """It was asked to stop. Its state is on disk."""


@dataclass
class State:
    """Where a training stands. `nats` and `counted` are the loss and words since the last look at the held-out text."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    tokens: int = 0
    seconds: float = 0.0
    nats: float = 0.0
    counted: int = 0
    waited: int = 0
    best_step: int = 0
    cooling: Cooling | None = None
    curve: list[dict[str, float]] = field(default_factory=list)

    @property
    def best(self) -> float:
        """The lowest loss on the held-out text, in nats a word; infinite before the first look."""
        return min((point["heldout"] for point in self.curve), default=math.inf)

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> "State":
        cooling = Cooling(**stored["cooling"]) if stored["cooling"] else None
        return cls(**{**stored, "cooling": cooling})


@dataclass(frozen=True)
class Loss:
    """Of a text: nats and words, all of them and without those that stand for unknown ones."""

    nats: float
    words: int
    known_nats: float
    known_words: int

    @property
    def mean(self) -> float:
        return self.nats / self.words

    @property
    def known_mean(self) -> float:
        return self.known_nats / self.known_words if self.known_words else math.inf


class Training:
    """One training of one prepared text. `about` decides whether a checkpoint is its own."""

    def __init__(self, prepared: Prepared, settings: Settings) -> None:
        if settings.device == "cuda" and not torch.cuda.is_available():
            raise TrainingError("torch finds no GPU here; leave out --device cuda.")
        if settings.threads:
            torch.set_num_threads(settings.threads)
        self.prepared, self.settings = prepared, settings
        self.shape = Shape(
            vocabulary=len(prepared.vocabulary), size=settings.size, layers=settings.layers, cutoffs=settings.cutoffs
        )
        torch.manual_seed(settings.seed)
        # Drawn on the CPU, so that the beginning is the same everywhere.
        self.network = Network(self.shape).to(settings.device)
        self.parameters: dict[str, Tensor] = dict(self.network.named_parameters())
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=settings.rate, betas=BETAS, weight_decay=settings.decay
        )
        self.state = State(cooling=planned(settings))
        self.best: dict[str, Tensor] = {}
        steps = math.ceil(len(prepared.training.tokens) / settings.batch)
        self.every = settings.every or min(MOST_EVERY, max(LEAST_EVERY, steps))
        self.about = {
            "text": prepared.about["files"],
            "settings": settings.as_json(),
            "torch": str(torch.__version__),
            "threads": torch.get_num_threads(),
        }

    def run(
        self,
        path: Path,
        *,
        on_step: Callable[["Training"], None],
        must_stop: Callable[[], bool],
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
    ) -> dict[str, Tensor]:
        """Train to the end, from the checkpoint at `path` if there is one; the weights that did best, on the CPU.

        `on_step` is called after every step. Raises Interrupted once `must_stop` says so, with the state on disk;
        CheckpointError if the file is of another training; TrainingError if the loss is no number.
        """
        if path.exists():
            self.restore(load(path))
        began, saving = time.monotonic() - self.state.seconds, Every(checkpoint_seconds)
        for rows in self._batches():
            self._step(rows)
            self.state.seconds = time.monotonic() - began
            if self.state.step % self.every == 0:
                self._look()
            self._cool_down()
            on_step(self)
            stop = must_stop()
            if stop or saving.is_over():
                save(path, self.checkpoint())
                saving.restart()
            if stop:
                raise Interrupted
        if not self.state.curve or self.state.curve[-1]["step"] != self.state.step:
            self._look()
        return {name: tensor.cpu() for name, tensor in self.best.items()}

    def loss(self, texts: Texts) -> Loss:
        """Of the weights as they are now, without dropout."""
        loss = Loss(0.0, 0, 0.0, 0)
        with torch.inference_mode():
            for rows in by_length(texts, budget=self.settings.batch):
                logprobs, targets = self._read(texts, rows, dropout=0.0, exact=True)
                is_known = targets != UNKNOWN_ID
                loss = Loss(
                    loss.nats - float(logprobs.sum()),
                    loss.words + len(targets),
                    loss.known_nats - float(logprobs[is_known].sum()),
                    loss.known_words + int(is_known.sum()),
                )
        return loss

    def checkpoint(self) -> Checkpoint:
        tensors = self.parameters | moments(self.optimizer, self.parameters)
        tensors |= {f"best.{name}": tensor for name, tensor in self.best.items()}
        return Checkpoint(tensors, asdict(self.state), self.about)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from there. CheckpointError, naming what differs, if it is not of this training."""
        if difference := differing(checkpoint.about, self.about):
            raise CheckpointError(
                f"Another training is unfinished: {difference}. Restart it with the same arguments, or discard it with "
                f"--afresh."
            )
        self.state = State.of_json(checkpoint.state)
        restore(self.optimizer, self.parameters, checkpoint.tensors)
        best = {name: checkpoint.tensors.get(f"best.{name}") for name in self.parameters}
        self.best = {name: tensor.to(self.settings.device) for name, tensor in best.items() if tensor is not None}

    def _batches(self) -> Iterator[Rows]:
        """Groups of texts until the training is over, from where it stands."""
        state = self.state
        while True:
            order = shuffled(
                self.prepared.training, seed=self.settings.seed, epoch=state.epoch, budget=self.settings.batch
            )
            for number, rows in enumerate(order):
                if number < state.batch:
                    continue
                if is_over(self.settings, state.cooling, step=state.step, seconds=state.seconds):
                    return
                yield rows
            state.epoch, state.batch = state.epoch + 1, 0

    def _step(self, rows: Rows) -> None:
        state = self.state
        # From the step alone, so that a training that goes on draws the same as one that was never stopped.
        torch.manual_seed((self.settings.seed % 2**31) * 2**32 + state.step)
        logprobs, targets = self._read(self.prepared.training, rows, dropout=self.settings.dropout)
        loss = -logprobs.mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.settings, state.cooling, state.step)
        self.optimizer.step()
        nats = float(loss.detach())
        if not math.isfinite(nats):
            raise TrainingError(f"At step {state.step} the loss is not a number; try a smaller --rate.")
        state.nats += nats * len(targets)
        state.counted += len(targets)
        state.tokens += len(targets)
        state.step += 1
        state.batch += 1

    def _read(self, texts: Texts, rows: Rows, *, dropout: float, exact: bool = False) -> tuple[Tensor, Tensor]:
        """Of every word of these texts, its log-probability and its number, each (words)."""
        inputs, targets = (torch.from_numpy(one).to(self.settings.device) for one in filled(texts, rows))
        real = targets != NOTHING
        states = self.network(inputs, dropout=dropout)
        real_targets = targets[real]
        return self.network.logprobs(states[real], real_targets, exact=exact), real_targets

    def _look(self) -> None:
        """At the held-out text; the best weights so far are kept."""
        state = self.state
        heldout = self.loss(self.prepared.heldout).mean
        if not math.isfinite(heldout):
            raise TrainingError(f"After step {state.step} the held-out loss is not a number; try a smaller --rate.")
        if heldout < state.best:
            self.best = {name: parameter.detach().clone() for name, parameter in self.parameters.items()}
            state.best_step, state.waited = state.step, 0
        else:
            state.waited += 1
        training = state.nats / state.counted if state.counted else math.nan
        state.curve.append(
            {
                "step": state.step,
                "words": state.tokens,
                "training": training,
                "heldout": heldout,
                "rate": rate(self.settings, state.cooling, state.step),
            }
        )
        state.nats, state.counted = 0.0, 0

    def _cool_down(self) -> None:
        state = self.state
        if state.cooling is not None:
            return
        state.cooling = begun(
            self.settings,
            step=state.step,
            epochs=state.tokens / len(self.prepared.training.tokens),
            seconds=state.seconds,
            waited=state.waited,
        )
        if state.cooling is not None and state.cooling.why == "no gain":
            # What came after the best look was for nothing.
            put(self.parameters, self.best)
