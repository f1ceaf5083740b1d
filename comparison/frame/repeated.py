"""Labels that the same annotators gave again, elsewhere: what their agreement with themselves is computed from."""

import numpy as np

from annotation.models import Assignment, Item, RepeatedLabel, Study
from comparison.frame.coded import Coded
from comparison.frame.panel import Panel


def read_repeated(study: Study, panel: Panel, *, coarse: bool) -> Coded | None:
    """Every label of each annotator on each of the panel's items that they labeled more than once, in their order.

    None where the study has no such label. Of excluded annotators none is read.
    """
    counted = RepeatedLabel.objects.filter(
        assignment__sitting__study=study,
        assignment__state=Assignment.State.COUNTED,
        assignment__item__kind=Item.Kind.TARGET,
    ).order_by("assignment_id", "turn")
    # The assignment, its item and annotator, the first label, and one after it.
    read = counted.values_list(
        "assignment_id", "assignment__item__external_id", "assignment__annotator_id", "assignment__judgment__answer",
        "answer",
    )  # fmt: skip
    merging = study.task.scale.coarse if coarse else {}
    items = {name: place for place, name in enumerate(panel.items)}
    codes = {value: code for code, value in enumerate(panel.values)}
    rows: list[tuple[int, int, int]] = []
    before, found = None, False
    for assignment, item, who, first, again in read.iterator(chunk_size=2000):
        found = True
        if item not in items:
            continue
        answers = [again] if assignment == before else [first, again]
        rows += [(items[item], who, codes[merging.get(answer, answer)]) for answer in answers]
        before = assignment
    if not found:
        return None
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    people, raters = np.unique(table[:, 1], return_inverse=True)
    return Coded(table[:, 0], np.asarray(raters, dtype=np.int64), table[:, 2], tuple(map(str, people)))
