"""transformers' Trainer, with states in safetensors, the loss of every step, and someone who is told.

The order of the items hangs on the seed and the epoch alone, and optimizer, schedule and random numbers are put back as
they were, so that a training that was interrupted ends as one that was not.
"""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
import transformers
from torch.utils.data import Dataset, Sampler
from transformers.trainer_callback import PrinterCallback

from scoring.scorers.networks.loaded import Loaded
from training.classifier import saving
from training.classifier.history import History, Judged
from training.classifier.settings import Settings

# How often progress is told, and how much work a kill may cost at most.
TELL_SECONDS, SAVE_SECONDS = 2.0, 120.0
JUDGED_AT_ONCE = 64
# Batches among which items of nearly one length are looked for; more would always meet the same neighbors.
POOLED = 50
TRY = "try a lower learning rate"


class Left(Exception):
    """The listener did not want to go on. All that was learnt is saved."""


class Diverged(RuntimeError):
    """The loss is no number any more. str() says at which step."""


class Listener(Protocol):
    """Who is told how far a training is."""

    def progress(self, *, step: int, steps: int, history: History, is_saved: bool) -> bool:
        """Told every few seconds, and after every state that was saved; whether to go on."""
        ...


class Rows(Dataset[dict[str, Any]]):
    """Encoded items, as the Trainer wants to be given them."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> dict[str, Any]:
        return self.rows[place]


class Order(Sampler[int]):
    """A new order every epoch, which hangs on the seed and the epoch and on nothing that happened before.

    Of a pool of items drawn at random, those of nearly one length share a batch, so that little is filled up; the
    batches then follow at random.
    """

    def __init__(self, lengths: Sequence[int], *, batch_size: int, seed: int) -> None:
        self.lengths = lengths
        self.batch_size = batch_size
        self.seed = seed
        self.epoch = 0

    def __len__(self) -> int:
        return len(self.lengths)

    def __iter__(self) -> Iterator[int]:
        generator = torch.Generator().manual_seed((self.seed << 16) + self.epoch)
        drawn = torch.randperm(len(self), generator=generator).tolist()
        pool = POOLED * self.batch_size
        alike = [
            place
            for first in range(0, len(drawn), pool)
            for place in sorted(drawn[first : first + pool], key=self.lengths.__getitem__, reverse=True)
        ]
        batches = [alike[first : first + self.batch_size] for first in range(0, len(alike), self.batch_size)]
        whole = len(alike) // self.batch_size
        # One that is not full comes last, or all that follow would be cut elsewhere.
        for number in [*torch.randperm(whole, generator=generator).tolist(), *range(whole, len(batches))]:
            yield from batches[number]


class ClassifierTrainer(transformers.Trainer):
    """`history` and `folder` are those of one training; a state that was saved there may be gone on from."""

    def __init__(
        self,
        loaded: Loaded,
        train: Sequence[dict[str, Any]],
        held_out: Sequence[dict[str, Any]],
        settings: Settings,
        *,
        folder: Path,
        listener: Listener,
    ) -> None:
        self.history = History()
        self.folder = folder
        lengths = [len(row["input_ids"]) for row in train]
        self.order = Order(lengths, batch_size=settings.batch_size, seed=settings.seed)
        self.steps = settings.steps(len(train))
        self.steps_an_epoch = self.steps // settings.epochs
        self.is_coarse = settings.numbers == "bfloat16"
        self.learner: torch.nn.Module = loaded.model
        super().__init__(
            model=loaded.model,
            args=_arguments(settings, folder),
            data_collator=transformers.DataCollatorWithPadding(loaded.tokenizer),
            train_dataset=Rows(train),
            eval_dataset=Rows(held_out),
            compute_metrics=_accuracy,
            callbacks=[Telling(self, listener)],
        )
        self.remove_callback(PrinterCallback)

    def _get_train_sampler(self, train_dataset: Any = None) -> Order:
        return self.order

    def training_step(self, model: Any, inputs: Any, num_items_in_batch: Any = None) -> torch.Tensor:
        loss: torch.Tensor = super().training_step(model, inputs, num_items_in_batch)
        value = float(loss)
        if not math.isfinite(value):
            raise Diverged(f"the loss is {value} at step {len(self.history.losses) + 1}; {TRY}")
        self.history.losses.append(value)
        return loss

    def compute_loss_context_manager(self) -> ExitStack:
        found = super().compute_loss_context_manager()
        # What is judged is computed as the finished model computes.
        if self.is_coarse and self.learner.training:
            found.enter_context(torch.autocast(self.args.device.type, dtype=torch.bfloat16))
        return found

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        saved = saving.save(
            self.folder,
            f"{self.state.global_step:08d}-{len(self.history.judged):03d}",
            model=self.model,
            taken=saving.take(self.optimizer, self.lr_scheduler),
            trainer_state=self.state,
            numbers={"history": self.history.as_json()},
        )
        best = self.history.best
        saving.tidy(self.folder, keep=saved, best_step=best.step if best else None)

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        if checkpoint is not None:
            saving.put_back(saving.read(Path(checkpoint)), self.optimizer, self.lr_scheduler)

    def _load_rng_state(self, checkpoint: str | None) -> None:
        if checkpoint is not None:
            saving.put_back_random_numbers(saving.read(Path(checkpoint)))


class Telling(transformers.TrainerCallback):
    """Tells the listener, saves every few minutes, keeps the best epoch, and leaves when asked to."""

    def __init__(self, trainer: ClassifierTrainer, listener: Listener) -> None:
        self.trainer = trainer
        self.listener = listener
        self.told = self.saved = time.monotonic()
        self.is_leaving = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if not self._tell(state):
            raise Left

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        # Counted in steps: a state from the middle of an epoch belongs to that epoch's order.
        self.trainer.order.epoch = state.global_step // self.trainer.steps_an_epoch

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        now = time.monotonic()
        if now - self.told >= TELL_SECONDS:
            self.is_leaving = not self._tell(state)
        # The last step of an epoch is saved once the epoch is judged: going on from before that would skip it.
        is_last = state.global_step % self.trainer.steps_an_epoch == 0
        if (self.is_leaving or now - self.saved >= SAVE_SECONDS) and not is_last:
            control.should_save = True
        return control

    def on_prediction_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        # Judging a large part may take longer than the lease.
        if time.monotonic() - self.told >= TELL_SECONDS:
            self.is_leaving = not self._tell(state) or self.is_leaving

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        history, metrics = self.trainer.history, kwargs["metrics"]
        if not math.isfinite(metrics["eval_loss"]):
            raise Diverged(f"the held-out loss is {metrics['eval_loss']} after step {state.global_step}; {TRY}")
        judged = Judged(round(state.epoch), state.global_step, metrics["eval_accuracy"], metrics["eval_loss"])
        history.judged.append(judged)
        if history.best == judged:
            weights = saving.best_weights(self.trainer.folder, judged.step)
            saving.write_weights(weights, self.trainer.model)

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.saved = time.monotonic()
        if not self._tell(state, is_saved=True) or self.is_leaving:
            raise Left

    def _tell(self, state: Any, *, is_saved: bool = False) -> bool:
        self.told = time.monotonic()
        return self.listener.progress(
            step=state.global_step, steps=self.trainer.steps, history=self.trainer.history, is_saved=is_saved
        )


def _accuracy(judged: Any) -> dict[str, float]:
    return {"accuracy": float(np.mean(judged.predictions.argmax(axis=-1) == judged.label_ids))}


def _arguments(settings: Settings, folder: Path) -> Any:
    has_gpu = torch.cuda.is_available()
    # transformers' constant schedule forgets its warm-up.
    rises = settings.schedule == "constant" and settings.warmup_steps
    return transformers.TrainingArguments(
        output_dir=str(folder),
        learning_rate=settings.learning_rate,
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch_size,
        per_device_eval_batch_size=JUDGED_AT_ONCE,
        seed=settings.seed,
        lr_scheduler_type="constant_with_warmup" if rises else settings.schedule,
        warmup_steps=settings.warmup_steps,
        weight_decay=settings.weight_decay,
        adam_beta1=settings.beta1,
        adam_beta2=settings.beta2,
        max_grad_norm=settings.max_grad_norm,
        eval_strategy="epoch",
        save_strategy="epoch",
        logging_strategy="no",
        report_to="none",
        disable_tqdm=True,
        log_level="error",
        use_cpu=not has_gpu,
        # On a GPU the fast algorithms add up in no fixed order.
        full_determinism=has_gpu,
        remove_unused_columns=False,
        dataloader_pin_memory=False,
    )
