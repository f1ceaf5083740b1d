"""From a table to items, and from rows to a table. A table is a pandas frame, or any list of dictionaries."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    Frame = pd.DataFrame | Iterable[Mapping[str, Any]]

# What an item has beside its content; `attribute.NAME` are its attributes, all else is content.
OF_ITEM = ("id", "kind", "reference", "strength", "group", "explanation")
ATTRIBUTE = "attribute"


def records(frame: "Frame") -> list[dict[str, Any]]:
    """The rows of a table as dictionaries, without the cells that are empty."""
    rows = frame.to_dict("records") if hasattr(frame, "to_dict") else frame
    cells = ({str(name): plain(value) for name, value in row.items()} for row in rows)
    return [{name: value for name, value in row.items() if value is not None} for row in cells]


def items(frame: "Frame", columns: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """The items of a table. `columns` says which column is what: `{"original": "first sentence", "id": "nr"}`.

    What is not in it goes by its own name, if that is id, kind, reference, strength, group or explanation; without
    `columns`, whatever it is. `options.ROLE` and `attribute.NAME` are a part each. KeyError for a column of no row.
    """
    rows = records(frame)
    there = dict.fromkeys(name for row in rows for name in row)
    wanted = {name: name for name in there if columns is None or (name in OF_ITEM and name not in columns)}
    wanted |= columns or {}
    if missing := [column for column in wanted.values() if column not in there]:
        raise KeyError(f"There is no column {missing[0]!r} with a value; there are {', '.join(there)}.")
    return [_item(row, number, wanted) for number, row in enumerate(rows, start=1)]


def frame_of(rows: Iterable[Mapping[str, Any]]) -> "pd.DataFrame":
    """A pandas frame. ImportError, saying how to get it, without pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("Frames need pandas: pip install pandas, or ask for rows instead.") from None
    return pd.DataFrame(list(rows))


def plain(value: Any) -> Any:
    """A cell as JSON holds it: numbers of NumPy as Python's, moments as text, and None for all that is empty."""
    # pandas is not imported for two of its names.
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "item") and not isinstance(value, str | bytes):
        value = value.item()
    if isinstance(value, float) and math.isnan(value):
        return None
    return value.isoformat() if hasattr(value, "isoformat") else value


def _item(row: Mapping[str, Any], number: int, wanted: Mapping[str, str]) -> dict[str, Any]:
    item: dict[str, Any] = {"id": f"row-{number}", "content": {}}
    for field, column in wanted.items():
        if column not in row:
            continue
        value = row[column]
        first, _, rest = field.partition(".")
        if field == "strength":
            item[field] = value
        elif field in OF_ITEM:
            item[field] = text(value)
        elif first == ATTRIBUTE and rest:
            item.setdefault("attributes", {})[rest] = text(value)
        elif rest:
            item["content"].setdefault(first, {})[rest] = text(value)
        else:
            item["content"][field] = value if isinstance(value, list | dict) else text(value)
    return item


def text(value: Any) -> str:
    """A cell as text; a whole number that a table with gaps made a float is written as one."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
