"""Whether a model can be asked in words, told from its files: the web process loads no model."""

import json
from pathlib import Path

from scoring.scorers.contract import ModelSpec
from scoring.scorers.networks.weights import TEMPLATES, TOKENIZER_CONFIG
from scoring.scorers.templates import DEFAULT, NoTemplate, chosen, named


def template_fault(spec: ModelSpec) -> str | None:
    """Why there is no chat template to ask with, in words that go on after the model's name; None where there is one.

    None also where it cannot be told, for a worker that loads the model says what is wrong with it: a model id, whose
    files are not here, and a tokenizer_config.json that is damaged.
    """
    folder = Path(spec.source)
    if not folder.is_absolute():
        return None
    templates = _of_files(folder)
    if not templates and (folder / TOKENIZER_CONFIG).is_file():
        try:
            content = json.loads((folder / TOKENIZER_CONFIG).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(content, dict):
            return None
        templates = named(content.get("chat_template"))
    try:
        chosen(templates)
    except NoTemplate as reason:
        return str(reason)
    return None


def _of_files(folder: Path) -> dict[str, str]:
    """The templates in files of their own, by name: they stand before what tokenizer_config.json says."""
    found = {path.stem: path.name for path in (folder / TEMPLATES).glob("*.jinja")}
    return found | ({DEFAULT: "chat_template.jinja"} if (folder / "chat_template.jinja").is_file() else {})
