"""What workers do for scoring."""

from scoring.corpus_passes.working import PARTS
from scoring.library.additions import ADDITIONS
from scoring.library.trials import TRIALS
from scoring.runs.working import CHUNKS
from work.kinds import register

register(CHUNKS, ADDITIONS, TRIALS, PARTS)
