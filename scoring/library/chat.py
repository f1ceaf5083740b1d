"""Whether a model has a chat template, told from its files: the web process loads no model."""

import json
from pathlib import Path

from scoring.scorers.contract import ModelSpec


def has_template(spec: ModelSpec) -> bool | None:
    """None where it cannot be told: a worker that loads the model says what is wrong with it.

    So it is for a model id, whose files are not here, and for a tokenizer_config.json that is damaged.
    """
    folder = Path(spec.source)
    if not folder.is_absolute():
        return None
    if (folder / "chat_template.jinja").is_file():
        return True
    config = folder / "tokenizer_config.json"
    if not config.is_file():
        return False
    try:
        content = json.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return bool(content.get("chat_template")) if isinstance(content, dict) else None
