"""What a training says of itself while it goes on."""

from training.lstm.training import Training


def line(training: Training) -> str:
    """Step, pass, losses in nats a word, and speed."""
    state = training.state
    end = f" of {state.cooling.end:,}" if state.cooling else ""
    passes = state.tokens / len(training.prepared.training.tokens)
    parts = [f"step {state.step:,}{end}", f"pass {passes:.2f}"]
    if state.counted:
        parts.append(f"loss {state.nats / state.counted:.3f}")
    if state.curve:
        parts.append(f"held out {state.curve[-1]['heldout']:.3f} (best {state.best:.3f})")
    return ", ".join([*parts, f"{state.tokens / max(state.seconds, 1e-9):,.0f} words/s"])
