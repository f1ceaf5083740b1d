"""Where a long build works."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a long build works: what it has finished is kept in `folder`, so that a killed one goes on from there.

    `afresh` asks to forget what this very build has finished before; what others have stays. `models` is where the
    packaged language models lie.
    """

    folder: Path
    processes: int
    seed: int
    afresh: bool = False
    models: Path = Path("models")
