"""A tiny classifier with weights drawn by a seed."""

from pathlib import Path

import torch
import transformers

from scoring.scorers.contract import ModelSpec
from scoring.scorers.networks.weights import file_hashes
from tests.scoring.scorers.little.bert import write_encoder

YES_NO = ("yes", "no")


def write_classifier(folder: Path, labels: tuple[str, ...]) -> Path:
    write_encoder(folder)
    torch.manual_seed(7)
    config = transformers.AutoConfig.from_pretrained(folder)
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: place for place, label in enumerate(labels)}
    config.initializer_range = 0.3
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def spec(folder: Path, recipe: str, **settings) -> ModelSpec:
    told = {"recipe": recipe, "recipe_version": "1", "max_length": None} | settings
    return ModelSpec("classifier", str(folder), "", file_hashes(folder), settings=told)
