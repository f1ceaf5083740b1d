"""From prepared text to a finished folder: train, measure what came of it, write the card."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scoring.scorers.lstm_model.folder import write_model
from scoring.scorers.networks.onednn import remember_few
from training.lstm.preparing import Prepared
from training.lstm.settings import Settings
from training.lstm.training import Loss, Training
from training.shared.checkpoint import CHECKPOINT, put


def train(
    prepared: Prepared,
    settings: Settings,
    *,
    work: Path,
    out: Path,
    on_step: Callable[[Training], None],
    must_stop: Callable[[], bool],
) -> dict[str, Any]:
    """Train into `out`, keeping the state in `work`; the card. Raises what `Training` and `write_model` raise."""
    # Batches are of ever new sizes, and memory would grow with each; it is no slower.
    remember_few()
    training = Training(prepared, settings)
    weights = training.run(work / CHECKPOINT, on_step=on_step, must_stop=must_stop)
    put(training.parameters, weights)
    card = _card(training)
    state = training.state
    timing = {"seconds": round(state.seconds, 1), "words_a_second": round(state.tokens / max(state.seconds, 1e-9))}
    write_model(out, shape=training.shape, weights=weights, vocabulary=prepared.vocabulary, card=card, timing=timing)
    return card


def _card(training: Training) -> dict[str, Any]:
    """Everything that it takes to train the model again, and what was measured of it; never a time of day."""
    state, prepared = training.state, training.prepared
    return {
        "what": "LSTM language model over words, trained by train_lstm",
        "sources": prepared.about["sources"],
        "reading": prepared.about["reading"],
        "counts": prepared.about["counts"],
        "prepared_files": prepared.about["files"],
        "settings": training.settings.as_json(),
        "parameters": sum(parameter.numel() for parameter in training.parameters.values()),
        "torch": training.about["torch"],
        "threads": training.about["threads"],
        "steps": state.step,
        "words_trained_on": state.tokens,
        "passes": round(state.tokens / len(prepared.training.tokens), 3),
        "cooling": vars(state.cooling) if state.cooling else None,
        "ended_by_the_clock": bool(state.cooling is None or state.step < state.cooling.end),
        "best_step": state.best_step,
        "heldout": _measured(training.loss(prepared.heldout)),
        "curve": state.curve,
    }


def _measured(loss: Loss) -> dict[str, float]:
    """Perplexity over all words and ends, the unknown word being one; and over those that are known."""
    return {
        "words": loss.words,
        "unknown": loss.words - loss.known_words,
        "nats_a_word": loss.mean,
        "perplexity": math.exp(loss.mean),
        "perplexity_of_known_words": math.exp(loss.known_mean),
    }
