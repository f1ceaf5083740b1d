"""What workers do for training."""

from training.classifier.working import TRAININGS
from work.kinds import register

register(TRAININGS)
