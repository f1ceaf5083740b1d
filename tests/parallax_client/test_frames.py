"""From the cells of a table to what an item holds."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from parallax_client.frames import frame_of, items, records


def test_empty_cells_are_left_out_and_numbers_are_pythons():
    frame = pd.DataFrame(
        {"a": [1, None], "b": [np.nan, 2.5], "c": [pd.NA, "x"], "d": [pd.NaT, datetime(2026, 1, 2, tzinfo=UTC)]}
    )
    assert records(frame) == [{"a": 1.0}, {"b": 2.5, "c": "x", "d": "2026-01-02T00:00:00+00:00"}]
    assert records([{"a": np.int64(3), "b": None, "c": np.float32("nan")}]) == [{"a": 3}]
    assert type(records([{"a": np.int64(3)}])[0]["a"]) is int


def test_without_columns_every_column_goes_by_its_own_name():
    [made] = items([{"id": 7, "sentence": "It rained.", "reference": "5", "strength": 1.5, "group": 2}])
    assert made == {"id": "7", "content": {"sentence": "It rained."}, "reference": "5", "strength": 1.5, "group": "2"}


def test_with_columns_only_what_is_named_is_content_and_parts_are_parts():
    row = {"s": "It was {slot}.", "x": "very", "y": "not", "a": "cold", "kind": "gold", "left": "out"}
    columns = {"sentence": "s", "options.intensifier": "x", "options.negation": "y", "attribute.adjective": "a"}
    [made] = items([row], columns)
    assert made == {
        "id": "row-1",
        "kind": "gold",
        "content": {"sentence": "It was {slot}.", "options": {"intensifier": "very", "negation": "not"}},
        "attributes": {"adjective": "cold"},
    }


@pytest.mark.parametrize(
    ("cell", "text"), [(3, "3"), (3.0, "3"), (0.5, "0.5"), (True, "true"), (" a ", " a "), (1e300, "1e+300")]
)
def test_a_cell_as_text(cell, text):
    assert items([{"id": "x", "sentence": cell}])[0]["content"] == {"sentence": text}


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(KeyError, match="'c'"):
        items([{"a": 1}], {"sentence": "c"})


def test_rows_are_a_frame():
    assert frame_of({"a": n} for n in range(2)).to_dict("list") == {"a": [0, 1]}
