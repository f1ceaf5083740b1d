"""Heatmap and confusion where readers have a wider font than they were measured in: no name of a column is cut."""

import pytest

from comparison.figures.by_attribute.heat_map import HEATMAP
from comparison.figures.models.confusion import CONFUSION
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.pictures.engine import draw
from tests.browser import DESK, PHONE
from tests.comparison.cast import give_run

# How far words reach beyond the drawing that they are in, at its top and its sides.
CUT = """(drawing) => {
  const room = drawing.getBoundingClientRect();
  return [...drawing.querySelectorAll("text")].filter((one) => one.textContent.trim()).flatMap((one) => {
    const box = one.getBoundingClientRect();
    const beyond = Math.max(room.top - box.top, room.left - box.left, box.right - room.right);
    return beyond > 1 ? [`${one.textContent}: ${Math.round(beyond)} px`] : [];
  });
}"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("viewport", "kind"), [(DESK, "wide"), (PHONE, "narrow")], ids=["desk", "phone"])
@pytest.mark.parametrize("more", [0, 1, 2, 5])
def test_names_of_columns_are_whole(open_page, study, viewport, kind, more):
    decisions = [(f"target-{number}", "less_likely", None, "") for number in range(1, 7)]
    for key in ("a-model-with-a-long-name-of-135m", *(f"last-model-with-a-name-as-long-{n}" for n in range(more))):
        give_run(study, decisions, key=key, metric="label", family="classifier")
    drawn = draw(HEATMAP.charts(select(study, Selection(by="class")))["heatmap"].spec)
    page = open_page(viewport=viewport)
    page.set_content(drawn.wide if kind == "wide" else drawn.narrow)
    drawing = page.locator("svg").first
    assert "a-model-with" in drawing.inner_html()
    assert drawing.evaluate(CUT) == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("viewport", "kind"), [(DESK, "wide"), (PHONE, "narrow")], ids=["desk", "phone"])
def test_names_of_labels_are_whole_over_the_confusion(open_page, study, viewport, kind):
    asked = Selection(run=str(study.runs.get(model__key="parrot").pk))
    drawn = draw(CONFUSION.charts(select(study, asked))["confusion"].spec)
    page = open_page(viewport=viewport)
    page.set_content(drawn.wide if kind == "wide" else drawn.narrow)
    drawing = page.locator("svg").first
    assert "Necessarily true" in drawing.inner_html()
    assert drawing.evaluate(CUT) == []
