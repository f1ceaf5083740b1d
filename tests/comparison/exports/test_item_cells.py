"""What lines say of their item is what the item's own row says."""

import pytest

from comparison.exports.cells import cell_line
from comparison.exports.stored.judgments import item_cells

pytestmark = pytest.mark.django_db


def test_every_item_has_its_own_cells(study):
    study.items.filter(external_id="target-1").update(external_id='=ü, "one"')
    items = list(study.items.order_by("-pk"))
    found = [one for one in item_cells(study).of([item.pk for item in items]) if one is not None]
    own = [(f"{cell_line(item.external_id)},{item.kind}", cell_line(item.reference)) for item in items]
    assert [one[:2] for one in found] == own
    assert ('"\'=ü, ""one""",target', "less_likely") in own
    text, names = study.task.text, item_cells(study).attributes
    shown = [[item.group, text(item.content), *(item.attributes.get(name, "") for name in names)] for item in items]
    assert [rest for *_, rest in found] == [",".join(map(cell_line, map(str, cells))) for cells in shown]
    assert names


def test_items_that_are_not_known_have_none(study):
    first, *_, last = study.items.order_by("pk").values_list("pk", flat=True)
    cells = item_cells(study)
    assert list(cells.of([first - 1, last + 1])) == [None, None]
    assert all(cells.of([first, last]))
