"""Adapting an encoder as a masked language model: one run in one folder, which can be killed and gone on with.

The order of the text and the masks follow from the seed and the step, and there is no dropout, so that a state needs no
random numbers: a run that was stopped ends with the bytes of one that was not (CPU, same threads and versions). At
its end stand the artefact, the model composed of it, how good that one is, and the record.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
import transformers
from tqdm import tqdm

from corpus.whole import whole_file
from scoring.library.artefact import compose
from scoring.library.locks import exclusive_folder
from training.masked.batches import Batch, steps
from training.masked.learner import Learner, write_artefact
from training.masked.reading import Corpus, Vocabulary, plain_tokenizer, read_corpus
from training.masked.settings import BITS, CannotTrain, Wanted, identity, require_same
from training.shared.checkpoint import CHECKPOINT, Checkpoint, load, moments, restore, save
from training.shared.schedule import Every, Schedule

RECORD, ARTEFACT, MODEL = "record.json", "artefact.safetensors", "model"


def finish(
    learner: Learner,
    params: Wanted,
    run: Mapping[str, Any],
    judgments: list[dict[str, Any]],
    *,
    reached: Mapping[str, Any],
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Write artefact, composed model and record into the run's folder; the record.

    What counts is the composed model, as users get it: it is read from its folder again and judged.
    """
    exact, step = learner.judge(), reached["position"]["step"]
    say(f"held out, after, before rounding: {exact}")
    bits = BITS[params.settings.train]
    hashed = write_artefact(
        params.out / ARTEFACT, learner.weights, learner.encoder, bits=bits, encoder_sha256=run["encoder_sha256"]
    )
    folder = params.out / MODEL
    folder.mkdir(exist_ok=True)
    digest = compose(params.encoder, params.out / ARTEFACT, folder)
    judged = learner.judge(read_composed(folder).to(params.device))
    say(f"held out, after, as composed: {judged}")
    size = (params.out / ARTEFACT).stat().st_size
    say(f"{params.out / ARTEFACT}: {size:,} bytes, sha256 {hashed}")
    record = {
        "run": dict(run),
        "counts": learner.corpus.counts,
        **reached,
        "artefact_sha256": hashed,
        "artefact_bytes": size,
        "composed_digest": digest,
        "held_out": {
            "before": judgments[0],
            "exact": {"when": "after, before rounding", "step": step, **asdict(exact)},
            "after": {"when": "after, as composed", "step": step, **asdict(judged)},
        },
        "judgments": judgments,
        "made_with": _made_with(params.device),
    }
    _write(params.out / RECORD, record)
    return record


def _write(path: Path, record: Mapping[str, Any]) -> None:
    with whole_file(path) as scratch:
        scratch.write_text(json.dumps(record, indent=2) + "\n")


def read_record(path: Path) -> dict[str, Any]:
    """The record of a finished run. CannotTrain if it is damaged."""
    try:
        record: dict[str, Any] = json.loads(path.read_text())
    except ValueError as error:
        raise CannotTrain(f"{path} does not say whose folder this is ({error})") from error
    return record


def _made_with(device: str) -> dict[str, Any]:
    return {
        "torch": str(torch.__version__),
        "transformers": transformers.__version__,
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "threads": torch.get_num_threads(),
    }


def read_composed(folder: Path) -> Any:
    """The model as users get it, float32, ready to be asked."""
    model = transformers.BertForMaskedLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
    model.eval()  # type: ignore[no-untyped-call]
    return model


# Steps whose mean loss is one point of the curve, and seconds between two lines about it.
POINT, TELL_SECONDS = 25, 15.0

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a training is: steps done, the pass over the text and the steps done of it, and seconds spent."""

    step: int = 0
    epoch: int = 0
    done: int = 0
    seconds: float = 0.0


class Diverged(RuntimeError):
    """The loss is no number any more. str() says at which step."""


def train(params: Wanted, *, say: Say, is_stopped: Callable[[], bool] = lambda: False) -> dict[str, Any] | None:
    """Train, or go on; the record of the finished run, or None if it was stopped (its state is saved).

    A finished run is not done again. Raises SourceError, CannotTrain, CheckpointError, FolderInUse, ModelError,
    Diverged.
    """
    facts = identity(params)
    with exclusive_folder(params.out):
        return _train(params, facts, say, is_stopped)


def _train(params: Wanted, facts: dict[str, Any], say: Say, is_stopped: Callable[[], bool]) -> dict[str, Any] | None:
    record = params.out / RECORD
    if record.exists():
        finished = read_record(record)
        require_same(finished["run"], facts, params.out)
        say(f"{params.out}: already finished")
        return finished
    run = _Run(params, facts, say)
    if not run.work(is_stopped):
        return None
    return finish(
        run.learner, params, facts, run.judgments, say=say,
        reached={"schedule": asdict(run.schedule), "position": asdict(run.position), "curve": run.curve},
    )  # fmt: skip


class _Run:
    def __init__(self, params: Wanted, facts: dict[str, Any], say: Say) -> None:
        self.wanted, self.asked, self.settings, self.say = params, facts, params.settings, say
        # Before the text is read, which takes long.
        path = params.out / CHECKPOINT
        checkpoint = load(path) if path.exists() else None
        if checkpoint is not None:
            require_same(checkpoint.about, facts, params.out)
        try:
            tokenizer = plain_tokenizer(params.encoder)
            vocabulary = Vocabulary.of(tokenizer)
        except ValueError as error:
            raise CannotTrain(str(error)) from error
        self.corpus = self._read(tokenizer)
        self.learner = Learner(
            params.encoder, self.corpus, vocabulary, self.settings,
            device=params.device, words=tokenizer.get_vocab_size(),
        )  # fmt: skip
        positions = self.learner.model.config.max_position_embeddings
        if self.settings.rows > positions:
            raise CannotTrain(f"the encoder reads {positions} tokens, and rows have up to {self.settings.rows}")
        self.position, self.schedule = Position(), self._schedule()
        # The sum of losses since the last point of the curve.
        self.total = torch.zeros((), device=params.device)
        self.curve: list[list[float]] = []
        self.telling = Every(TELL_SECONDS)
        self.judgments: list[dict[str, Any]] = []
        if checkpoint is not None:
            self._resume(checkpoint)

    def work(self, is_stopped: Callable[[], bool]) -> bool:
        """Steps until the end; False if it was stopped before."""
        if not self.judgments:
            self._judge("before")
        if self.position.step == self.schedule.steps:
            # Killed between the last step and the record.
            return True
        saving, judging = Every(60 * self.wanted.save_minutes), Every(60 * self.wanted.judge_minutes)
        began = time.monotonic() - self.position.seconds
        with self._bar() as bar:
            for batches in self._following():
                position = self.position
                step = position.step
                self.total += self.learner.step(
                    batches, number=step, rate=self.schedule.rate(step), is_cooling=self.schedule.cools(step)
                )
                seconds = time.monotonic() - began
                self.position = replace(position, step=step + 1, done=position.done + 1, seconds=seconds)
                bar.update()
                if self.position.step % POINT == 0:
                    self._tell()
                is_last = self.position.step == self.schedule.steps
                is_left = is_stopped()
                if self._ends_from_here() or saving.is_over() or is_last or is_left:
                    bar.total = self.schedule.steps
                    self._save()
                    saving.restart()
                if is_last or is_left:
                    return is_last
                if judging.is_over():
                    self._judge("during")
                    judging.restart()
        raise AssertionError("the text is exhausted")

    def _bar(self) -> "tqdm[Any]":
        return tqdm(
            total=self.schedule.steps,
            initial=self.position.step,
            unit="step",
            mininterval=2,
            desc="train",
            disable=None,
        )

    def _read(self, tokenizer: Any) -> Corpus:
        try:
            corpus = read_corpus(
                self.wanted.sources,
                tokenizer,
                share=self.settings.held_out,
                longest=self.settings.rows,
                field=self.wanted.field,
            )
        except ValueError as error:
            raise CannotTrain(str(error)) from None
        self.say("text: " + ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in corpus.counts.items()))
        return corpus

    def _schedule(self) -> Schedule:
        settings, total = self.settings, self.wanted.steps
        if total is None:
            return Schedule(settings.rate, settings.warm_up)
        if self.wanted.cools_from is not None:
            return Schedule(settings.rate, settings.warm_up, self.wanted.cools_from, total)
        return Schedule.of_steps(
            peak=settings.rate, warm_up=settings.warm_up, steps=total, cool_down=settings.cool_down
        )

    def _resume(self, checkpoint: Checkpoint) -> None:
        restore(self.learner.optimizer, self.learner.weights, checkpoint.tensors)
        state = checkpoint.state
        self.position, schedule = Position(**state["position"]), Schedule(**state["schedule"])
        self.curve, self.judgments = state["curve"], state["judgments"]
        self.total += state["total"]
        if schedule.cools(self.position.step):
            # The way down has begun, and its length is part of the result.
            self.schedule = schedule
        if self.schedule.steps is not None and self.position.step > self.schedule.steps:
            raise CannotTrain(f"{self.wanted.out} is already at step {self.position.step}; give more --steps")
        self.say(f"resuming after step {self.position.step:,}, {self.position.seconds / 60:.1f} minutes")

    def _following(self) -> Iterator[list[Batch]]:
        while True:
            yield from steps(self.corpus, self.settings, self.position.epoch)[self.position.done :]
            self.position = replace(self.position, epoch=self.position.epoch + 1, done=0)

    def _tell(self) -> None:
        """A point of the curve, and now and then a line."""
        step, mean = self.position.step, float(self.total) / POINT
        if not math.isfinite(mean):
            raise Diverged(f"the loss is {mean} after step {step}; try a lower --rate")
        self.total.zero_()
        self.curve.append([step, round(mean, 4)])
        if not self.telling.is_over():
            return
        self.telling.restart()
        # A step is a little more than was asked for, so this is a little less than the truth.
        pace = step * self.settings.step / self.position.seconds
        self.say(
            f"step {step:,}, {self.position.seconds / 60:.1f} minutes, pass {self.position.epoch + 1}: "
            f"loss {mean:.3f}, rate {self.schedule.rate(step):.1e}, about {pace:,.0f} tokens a second"
        )

    def _ends_from_here(self) -> bool:
        """Whether the clock has just set the end, which must be on disk before anything follows from it."""
        if self.wanted.minutes is None or self.schedule.steps is not None:
            return False
        self.schedule = self.schedule.ended_after(
            self.position.step,
            seconds=self.position.seconds,
            minutes=self.wanted.minutes,
            cool_down=self.settings.cool_down,
        )
        if self.schedule.steps is None:
            return False
        self.say(f"cooling down from step {self.schedule.cools_from:,} to {self.schedule.steps:,}")
        return True

    def _judge(self, when: str) -> None:
        judged = self.learner.judge()
        self.judgments.append({"when": when, "step": self.position.step, **asdict(judged)})
        self.say(f"held out, {when} (step {self.position.step:,}): {judged}")

    def _save(self) -> None:
        state = {
            "position": asdict(self.position),
            "schedule": asdict(self.schedule),
            "total": float(self.total),
            "curve": self.curve,
            "judgments": self.judgments,
        }
        weights = self.learner.weights
        tensors = weights | moments(self.learner.optimizer, weights)
        save(self.wanted.out / CHECKPOINT, Checkpoint(tensors, state, self.asked))
