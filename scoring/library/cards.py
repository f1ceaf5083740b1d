"""What a model that was made here says of itself: the card beside its weights."""

import json
from pathlib import Path
from typing import Any

from scoring.library.location import Location
from scoring.models import LanguageModel

CARD = "card.json"


def card_of(model: LanguageModel) -> dict[str, Any]:
    """Empty where there is none: of most models, and where a folder is another machine's."""
    if model.location not in (Location.MODELS, Location.PATH):
        return {}
    try:
        found = json.loads((Path(Location(model.location).resolve(model.source)) / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
