"""A study that is made by the API, and the key that its request is known by."""

from typing import Any

from tests.studies import plausibility_rows

TABLES: dict[str, Any] = {
    "slug": "made",
    "title": "The made study",
    "instructions": "Read both sentences.",
    "task": {"type": "plausibility"},
    "collection": {"labels_per_item": 3, "sitting_length": 5, "max_items_per_annotator": 100},
    "quality": {"max_attention_failures": 0, "gold_tolerance": 0.1, "gold_distance": 2},
    "scoring": {"metrics": ["pll"]},
}
KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


def items(count: int = 4) -> list[dict[str, Any]]:
    return [row.fields() for row in plausibility_rows(count)]


def body(slug: str = "made") -> dict[str, Any]:
    return {"study": TABLES | {"slug": slug}, "items": items(2)}
