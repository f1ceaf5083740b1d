"""What scoring workers take: their rows, on which machines runs may be scored, and what no worker takes."""

from collections.abc import Set
from dataclasses import dataclass

from django.db import models
from django.db.models import Q

from work.taking import Saying, SayingQuerySet, in_all

# What is no GPU; CUDA's and Apple's have other names.
PROCESSOR = "cpu"


class RunDevice(models.TextChoices):
    ANY = "any", "on any machine"
    GPU = "gpu", "only on a GPU"


@dataclass(frozen=True, slots=True)
class Refused:
    """What none of some workers takes: models by key, and of runs that need a GPU more of them, or all: None."""

    models: Set[str]
    on_gpu: Set[str] | None

    def __bool__(self) -> bool:
        return self.on_gpu is None or bool(self.models or self.on_gpu)

    def has(self, model: str, device: str) -> bool:
        """Whether a run of the model with this key, which wants to be scored there, is among it."""
        on_gpu = device == RunDevice.GPU and (self.on_gpu is None or model in self.on_gpu)
        return model in self.models or on_gpu

    @property
    def runs(self) -> Q:
        """Of runs, these."""
        on_gpu = Q() if self.on_gpu is None else Q(model__key__in=self.on_gpu)
        return Q(model__key__in=self.models) | Q(on_gpu, device=RunDevice.GPU)


class ScoringWorkerQuerySet(SayingQuerySet["ScoringWorker"]):
    def on_gpu(self) -> "ScoringWorkerQuerySet":
        return self.exclude(device=PROCESSOR)

    def refused_by_all(self) -> Refused:
        """What no worker takes; nothing where no worker lives, of which nothing is known."""
        refusals = [(has_gpu(device), set(keys)) for device, keys in self.live().values_list("device", "refuses")]
        on_gpu = [keys for is_gpu, keys in refusals if is_gpu]
        return Refused(in_all(keys for _, keys in refusals), in_all(on_gpu) if on_gpu or not refusals else None)


def has_gpu(device: str) -> bool:
    return device != PROCESSOR


class ScoringWorker(Saying):
    """A process that scores, and what it takes (scoring/runs/taking.py)."""

    takes = models.JSONField(default=list, help_text="Models by key or name, with *; empty: all.")
    device = models.CharField(max_length=20)
    dtypes = models.JSONField(default=list, help_text="Empty: all.")
    refuses = models.JSONField(default=dict, help_text="Of the models of live runs, by key, why it does not take them.")

    objects = ScoringWorkerQuerySet.as_manager()

    def refused(self) -> Refused:
        return Refused(self.refuses.keys(), self.refuses.keys() if has_gpu(self.device) else None)
