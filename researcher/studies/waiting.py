"""What a study has, and what of it waits for somebody. Each is counted when it is asked for."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from annotation.access.matrix import Right
from annotation.adjudicating import disputed, undecided
from annotation.models import Sitting, Study
from annotation.paying.money import pay_of
from annotation.paying.queue import queue
from comparison.frame.cache.gathered import Gathered
from comparison.frame.cache.item_sums import read_sums
from researcher.studies.revision import revisions_at
from scoring.models import Run


@dataclass(frozen=True)
class Waiting:
    """Of what the reader may see to. `gathered`, where the page has read it."""

    study: Study
    rights: frozenset[Right]
    gathered: Gathered | None = None

    @cached_property
    def progress(self) -> str:
        """The share of the wanted labels that count; empty before the first."""
        if self.gathered is not None:
            labels, wanted = self.gathered.labels, self.gathered.wanted
        else:
            sums = read_sums([self.study]).get(self.study.pk, {"labels": 0, "wanted": 0})
            labels, wanted = sums["labels"], sums["wanted"]
        return f"{100 * labels // wanted}%" if labels and wanted else ""

    @cached_property
    def annotators(self) -> int:
        return self.study.sittings.values("annotator").distinct().count()

    @cached_property
    def links(self) -> int:
        return self.study.links.count()

    @cached_property
    def payments(self) -> int:
        """Submissions that nobody has decided on, where people are paid."""
        if Right.PAY not in self.rights or (pay_of(self.study) is None and not self.study.platform):
            return 0
        ended = queue(self.study).filter(state=Sitting.State.FINISHED)
        return ended.filter(payment=Sitting.Payment.UNDECIDED).count()

    @cached_property
    def ties(self) -> int:
        """Items with all their labels, no majority and no decision."""
        if Right.EDIT not in self.rights:
            return 0
        return undecided(disputed(self.study)).count()

    @property
    def for_somebody(self) -> bool:
        """Whether anything waits for a decision or a look."""
        return bool(self.payments or self.ties or self.revisions or self.failed_runs)

    @cached_property
    def revisions(self) -> int:
        return revisions_at(self.study)[0] if Right.EDIT in self.rights else 0

    @cached_property
    def runs(self) -> int:
        return self._runs.total()

    @cached_property
    def failed_runs(self) -> int:
        return self._runs[Run.State.FAILED]

    @cached_property
    def _runs(self) -> Counter[str]:
        if self.gathered is not None:
            return Counter(run.state for run in self.gathered.runs)
        return Counter(self.study.runs.values_list("state", flat=True))
