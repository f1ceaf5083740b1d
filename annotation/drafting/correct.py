"""One option as the correct answer of every regular item of a draft at once, as of minimal pairs; or of none.

Practice and checks keep their own. Where items have different answers nothing is changed: none of these would come
back. Scores go, as always where a correct answer changes: a model may have learned from it.
"""

from dataclasses import replace

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.bulk import insert
from annotation.drafting.items import DraftRefused, amended, refuse_shown
from annotation.drafting.rows import read_rows, row_of, rows_to_hold
from annotation.itemfile import sum_of
from annotation.loading import new_item, store_settings
from annotation.models import Item, Study
from annotation.studyfile import settings_of, tables_of


def common_answer(study: Study) -> str | None:
    """The correct answer that all regular items share, empty for none; None where they differ."""
    found = [*study.items.targets().order_by().values_list("reference", flat=True).distinct()[:2]]
    return (found[0] or "") if len(found) == 1 else None


def set_common_answer(study: Study, value: str) -> Study:
    """DraftRefused where the study has opened, items were shown, or they have different answers; and for a value that
    is no label of the study. StudyFileError if the study declares what then no longer holds.
    """
    if value and value not in study.task.scale.values:
        raise DraftRefused("Nothing has changed: this study has no such option.")
    with amended(study) as now:
        was = common_answer(now)
        if was is None:
            raise DraftRefused("Nothing has changed: items have different correct answers.")
        if was == value:
            return now
        targets = now.items.targets()
        refuse_shown(targets)
        changed = [_answered(now, item, value or None) for item in targets]
        targets.delete()
        insert(Item, changed)
        content = sum_of(read_rows(now))
        now = store_settings(settings_of(tables_of(now), rows_to_hold(now, [])), content=content)
        record(now, Deed.ANSWER_SET, value or "none", facts={"items": len(changed)})
    return now


def _answered(study: Study, item: Item, reference: str | None) -> Item:
    """The item with this correct answer, in the same place and on the same list."""
    fresh = new_item(study, replace(row_of(item), reference=reference), item.position)
    fresh.list_number = item.list_number
    return fresh
