"""The learning rate of a fine-tuning: up from 0 over the warm-up, then as the papers have it."""

import math

from training.classifier.settings import Settings

# Steps after which the rate has fallen to 0.7 of its peak where there is no warm-up to take for it.
WITHOUT_WARM_UP = 10_000


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
