"""Whose ids are whose: a model learned variants of items only where the sources are the same."""

import pytest

from annotation.itemfile import ItemRow
from comparison.across.columns import _variants_there
from tests.studies import open_small_study


def family(folder, slug, words, titles, reference="yes"):
    """A study of variants: questions that are numbered as those of every other family."""
    rows = [
        ItemRow(f"row-{n}", {"question": f"Is {words} {n}?"}, reference=reference,
                attributes={"variant": words, "title": title})
        for n, title in enumerate(titles, start=1)
    ]  # fmt: skip
    task = {"type": "yes_no"}
    return open_small_study(folder / slug, rows, slug=slug, task=task, quality={"gold_distance": 1})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("learned", "titles", "count"),
    [("one-plain", ["Ships", "Towers"], 2), ("two-plain", ["Bread", "Salt"], 0), ("two-plain", ["Ships", "Towers"], 2)],
)
def test_variants_are_of_one_family_or_of_one_source(tmp_path, learned, titles, count):
    """Two families may number their items alike; what stands beside them tells whether they are the same."""
    tested = family(tmp_path, "one-other", "other", ["Ships", "Towers"])
    family(tmp_path, learned, "plain", titles)
    assert _variants_there(tested, [learned]) == count
