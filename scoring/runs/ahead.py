"""How many runs are served before one that waits, by the rules that messages are handed out by (`queue`)."""

from django.db.models import Min, Q

from scoring.library.location import Location
from scoring.models import Chunk, LanguageModel, Run

LIVE = Q(run__state__in=(Run.State.QUEUED, Run.State.RUNNING))
# As `gives_labels_only` has it: their messages go by the other queue.
LABELS_ONLY = Q(run__model__family=LanguageModel.Family.BASELINE, run__model__location=Location.NONE)
OF_A_PERSON = ~Q(run__asked_by="")


def ahead(run: Run) -> int:
    """The other runs that a worker is at, or takes up before this one; 0 where it is under way itself."""
    if run.state != Run.State.QUEUED or run.chunks.filter(state=Chunk.State.CLAIMED).exists():
        return 0
    first = run.chunks.aggregate(first=Min("pk"))["first"]
    if first is None:
        return 0
    sooner = OF_A_PERSON & Q(pk__lt=first) if run.asked_by else OF_A_PERSON | Q(pk__lt=first)
    others = Chunk.objects.filter(LIVE, LABELS_ONLY if run.model.gives_labels_only else ~LABELS_ONLY).exclude(run=run)
    found = others.filter(Q(state=Chunk.State.CLAIMED) | sooner).order_by()
    return found.values("run").distinct().count()


def waits_for(runs: int) -> str:
    """
    >>> waits_for(1), waits_for(3)
    ('waits for 1 run before it in the queue', 'waits for 3 runs before it in the queue')
    """
    return f"waits for {runs:,} run{'' if runs == 1 else 's'} before it in the queue"
