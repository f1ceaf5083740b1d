"""What workers do for scoring."""

from scoring.runs.working import CHUNKS
from work.kinds import register

register(CHUNKS)
