"""Whether a model has a chat template, told from its files: the web process loads no model."""

import json
from pathlib import Path

from scoring.scorers import ModelSpec


def has_template(spec: ModelSpec) -> bool | None:
    """None for a model id: its files are looked into when a worker loads it, which says so if there is none."""
    folder = Path(spec.source)
    if not folder.is_absolute():
        return None
    if (folder / "chat_template.jinja").is_file():
        return True
    config = folder / "tokenizer_config.json"
    return config.is_file() and bool(json.loads(config.read_text()).get("chat_template"))
