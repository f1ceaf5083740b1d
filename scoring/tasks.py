"""What workers do for scoring."""

from scoring.library.additions import ADDITIONS
from scoring.library.trials import TRIALS
from scoring.runs.working import CHUNKS
from scoring.spread.working import PARTS
from work.kinds import register

register(CHUNKS, ADDITIONS, TRIALS, PARTS)
