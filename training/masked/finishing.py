"""The end of a run: the artefact, the model composed of it, how good that one is, and the record."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
import transformers

from corpus.whole import whole_file
from scoring.library.artefact import compose
from training.masked.learner import Learner
from training.masked.rounding import write_artefact
from training.masked.settings import BITS, CannotTrain, Wanted

RECORD, ARTEFACT, MODEL = "record.json", "artefact.safetensors", "model"


def finish(
    learner: Learner,
    wanted: Wanted,
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
    bits = BITS[wanted.settings.train]
    hashed = write_artefact(
        wanted.out / ARTEFACT, learner.weights, learner.encoder, bits=bits, encoder_sha256=run["encoder_sha256"]
    )
    folder = wanted.out / MODEL
    folder.mkdir(exist_ok=True)
    digest = compose(wanted.encoder, wanted.out / ARTEFACT, folder)
    judged = learner.judge(read_composed(folder).to(wanted.device))
    say(f"held out, after, as composed: {judged}")
    size = (wanted.out / ARTEFACT).stat().st_size
    say(f"{wanted.out / ARTEFACT}: {size:,} bytes, sha256 {hashed}")
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
        "made_with": _made_with(wanted.device),
    }
    _write(wanted.out / RECORD, record)
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
