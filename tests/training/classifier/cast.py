"""Trainings as rows, given and not trained."""

from training.models import Training

BASE = {
    "key": "minilm-l6", "name": "all-MiniLM-L6-v2", "location": "models", "source": "minilm-l6", "revision": "",
    "files": {"model.safetensors": "f"}, "license": "Apache-2.0",
}  # fmt: skip
TOLD = {"learning_rate": 5e-5, "epochs": 2, "batch_size": 32, "seed": 1}


def give_training(name: str, *, state: str = "running", accuracy: float | None = None, **columns) -> Training:
    told = {
        "fingerprint": name * 10, "contest": "c", "recipe": "adept", "base": BASE, "studies": ["adept-train"],
        "settings": TOLD, "labels": ["yes", "no"], "train_items": 90, "train_sha256": "t", "held_out_items": 20,
        "held_out_sha256": "h", "steps": 12, "state": state, "accuracy": accuracy, "loss": 1.0 if accuracy else None,
    }  # fmt: skip
    return Training.objects.create(**told | columns)
