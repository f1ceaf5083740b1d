"""What every scorer takes and promises, and how it says that a model cannot be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from annotation.tasktypes.contract import Result, ScoreRequest

# In a neural scorer's provenance, where there is any: what is read otherwise than transformers' class would.
READING = "read_otherwise_than_its_class"


class ModelError(RuntimeError):
    """The model itself cannot be used: missing or changed files, no start token. Ends the run."""


@dataclass(frozen=True)
class ModelSpec:
    """What a scorer must know of a model. `source`: a folder, an id or empty; `files`: its sha256, if registered."""

    method: str
    source: str
    revision: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    dtype: str = "float32"
    settings: Mapping[str, Any] = field(default_factory=dict)


class Scorer(Protocol):
    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        """One result a request, in the same order."""
        ...

    def provenance(self) -> dict[str, Any]:
        """What it takes to get the same numbers again, as JSON."""
        ...
