"""The YAML that a card begins with: what `datasets` and a hub read. Every text in it is in quotes, as in JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence

from comparison.dataset.columns import LABEL, Column

# How many items a data set has, as a hub wants it said.
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "n>1M"


def front_matter(
    *,
    name: str,
    license: str,
    language: str,
    creators: Sequence[str],
    values: Sequence[str],
    configurations: Mapping[str, tuple[Sequence[Column], Mapping[str, int]]],
) -> str:
    """`creators` are a hub's words for who gave the labels, none where that is not known.

    `configurations` has, by name, the columns and how many rows each part holds; the first is the default.
    """
    _, of_items = next(iter(configurations.values()))
    size = next((words for most, words in SIZES if sum(of_items.values()) < most), LARGEST)
    lines = [
        "---",
        f"pretty_name: {_text(name)}",
        f"license: {_text(license)}",
        "language:",
        f"- {_text(language)}",
        *(["annotations_creators:", *(f"- {_text(one)}" for one in creators)] if creators else []),
        "task_categories:",
        f"- {_text('text-classification')}",
        "size_categories:",
        f"- {_text(size)}",
        "configs:",
    ]
    for place, (key, (_, rows)) in enumerate(configurations.items()):
        lines += [f"- config_name: {_text(key)}", *(["  default: true"] if place == 0 else []), "  data_files:"]
        for part in rows:
            lines += [f"  - split: {part}", f"    path: {_text(f'{key}/{part}.parquet')}"]
    lines.append("dataset_info:")
    for key, (columns, _) in configurations.items():
        lines += [f"- config_name: {_text(key)}", "  features:"]
        for column in columns:
            lines += _feature(column, values)
    return "\n".join([*lines, "---"])


def _feature(column: Column, values: Sequence[str]) -> Iterator[str]:
    yield f"  - name: {_text(column.name)}"
    if column.kind != LABEL:
        yield f"    dtype: {column.kind}"
        return
    yield from ("    dtype:", "      class_label:", "        names:")
    yield from (f"          '{place}': {_text(value)}" for place, value in enumerate(values))


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
