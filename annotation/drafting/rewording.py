"""A researcher rewords an item that nobody has seen yet. The original, the new wording, who and why are kept."""

from dataclasses import replace
from typing import Any

from django.db import transaction

from accounts.models import User
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.drafting.items import sum_after
from annotation.drafting.rows import row_of
from annotation.loading import replace_item
from annotation.models import Item, ItemRevision, Study
from corpus.errors import Fault


class RevisionRefused(ValueError):
    """A revision that was not made; nothing has changed. `faults` names what is wrong with the new content."""

    def __init__(self, message: str, faults: list[Fault] | None = None) -> None:
        self.faults = faults or []
        super().__init__(message)


def revise(item: Item, content: dict[str, Any], *, seen: str, editor: User, reason: str) -> ItemRevision:
    """Give the item this content, and say so; the same content means that there was nothing to change.

    `seen` is the content hash that the researcher had on screen. Scores of the old content go: they are about
    other words. RevisionRefused if the item was shown to an annotator, has changed meanwhile, or would not be sound.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=item.study_id)
        current = study.items.select_for_update().filter(external_id=item.external_id).first()
        if current is None or current.content_hash != seen:
            raise RevisionRefused("Somebody has changed this item since you opened it. Look at it again.")
        if current.was_shown():
            raise RevisionRefused("This item has been shown to annotators, so its words stay as they are.")
        faults = study.task.validate(content)
        if faults:
            raise RevisionRefused("The new wording is not complete.", faults)
        if content == current.content:
            # As it is stored, down to the order of its parts: by this an item is known to have been looked at.
            content = current.content
        else:
            _reword(study, current, content)
        deed = Deed.LOOKED_AT if content is current.content else Deed.REWORDED
        record(study, deed, current.external_id, by=editor)
        return ItemRevision.objects.create(
            study=study,
            external_id=current.external_id,
            editor=editor,
            before=current.content,
            after=content,
            reason=reason,
        )


def _reword(study: Study, item: Item, content: dict[str, Any]) -> None:
    was = row_of(item)
    row = replace(was, content=content)
    study.keep_content(sum_after(study, out={item.position: was}, into={item.position: row}))
    replace_item(study, item, row)
