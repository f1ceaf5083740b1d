"""What scoring workers take: their rows, on which machines runs may be scored, and what no worker takes."""

from collections.abc import Set
from dataclasses import dataclass
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from work.watching.health import SILENT

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


class ScoringWorkerQuerySet(models.QuerySet["ScoringWorker"]):
    def live(self) -> "ScoringWorkerQuerySet":
        return self.filter(said_at__gte=Now() - timedelta(seconds=SILENT))

    def on_gpu(self) -> "ScoringWorkerQuerySet":
        return self.exclude(device=PROCESSOR)

    def refused_by_all(self) -> Refused:
        """What no worker takes; nothing where no worker lives, of which nothing is known."""
        said = [(has_gpu(device), set(keys)) for device, keys in self.live().values_list("device", "refuses")]
        if not said:
            return Refused(frozenset(), frozenset())
        on_gpu = [keys for is_gpu, keys in said if is_gpu]
        return Refused(set.intersection(*(keys for _, keys in said)), set.intersection(*on_gpu) if on_gpu else None)


def has_gpu(device: str) -> bool:
    return device != PROCESSOR


class ScoringWorker(models.Model):
    """A process that scores, and what it takes, as it last said (scoring/runs/taking.py)."""

    place = models.CharField(max_length=120, unique=True, help_text="Its worker's name, and which process of it.")
    takes = models.JSONField(default=list, help_text="Models by key or name, with *; empty: all.")
    device = models.CharField(max_length=20)
    dtypes = models.JSONField(default=list, help_text="Empty: all.")
    refuses = models.JSONField(default=dict, help_text="Of the models of live runs, by key, why it does not take them.")
    said_at = models.DateTimeField()

    objects = ScoringWorkerQuerySet.as_manager()

    class Meta:
        ordering = ["place"]

    def __str__(self) -> str:
        return self.place

    def refused(self) -> Refused:
        return Refused(self.refuses.keys(), self.refuses.keys() if has_gpu(self.device) else None)
