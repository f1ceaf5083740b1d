"""A run in which a real causal model gives one number that is not finite.

Run by test_working.py with DATABASE_URL set: `python -m tests.scoring.scorers.not_finite FOLDER`. Prints the run as
JSON.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any


def break_one_word(folder: Path) -> None:
    """A word's vector that is no number makes those of the words after it none."""
    from safetensors.torch import load_file, save_file

    from tests.scoring.scorers.little.causal import WORDS

    file = folder / "model.safetensors"
    weights = load_file(file)
    weights["model.embed_tokens.weight"][WORDS.index("door")] = float("nan")
    save_file(weights, file, metadata={"format": "pt"})


def worked(study: Any, model: Any) -> Any:
    import pytest

    from scoring.runs import starting, working
    from work import queue

    with pytest.MonkeyPatch.context() as patch:
        for module in (queue, starting, working):
            patch.setattr(module, "send", lambda chunks: None)
        run = starting.start_run(study, model, "causal")
        working.CHUNKS.work(run.chunks.get().pk, worker="w")
    run.refresh_from_db()
    return run


def main(folder: Path) -> None:
    import django

    django.setup()
    import transformers
    from django.db import connection

    from annotation.itemfile import ItemRow
    from scoring.models import LanguageModel, Remembered
    from tests.scoring.scorers.little.causal import LLAMA, written
    from tests.studies import open_small_study

    # Untied, so that only those texts meet the broken vector in which the word is read.
    config = transformers.LlamaConfig(**LLAMA, tie_word_embeddings=False)
    break_one_word(written(folder / "model", config))
    kind = {"family": "causal", "method": "causal", "settings": {"start_token": "<s>"}}
    place = {"location": "path", "source": str(folder / "model"), "file_hash": "1"}
    model = LanguageModel.objects.create(key="m", name="M", **kind, **place)
    texts = ["The old dog slept .", "The door slept .", "The dog slept ."]
    rows = [ItemRow(str(place), {"sentence": text}) for place, text in enumerate(texts)]
    task = {"type": "rating", "question": "How?", "points": 5, "low": "not", "high": "very"}
    study = open_small_study(folder / "study", rows, task=task)
    run = worked(study, model)
    print(
        json.dumps(
            {
                "vendor": connection.vendor,
                "run": [run.state, run.error, run.scored, run.unscored],
                "reason": list(run.scores.exclude(unscored="").values_list("item__external_id", "unscored")),
                "remembered": Remembered.objects.count(),
            }
        )
    )


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main(Path(sys.argv[1]))
