"""manifest.json: where a study's items come from, said so that they can be made again."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from annotation.tasktypes.contract import TaskType
from corpus.provenance import source_facts, versions


def manifest(
    *,
    maker: str,
    maker_version: str,
    paper: str,
    license: str,
    task: type[TaskType],
    sources: Iterable[Path],
    options: dict[str, Any],
    counts: dict[str, Any],
    dropped: Sequence[Any],
    seed: int | None = None,
    packages: Sequence[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """What every manifest says, in a fixed order. No dates and no absolute paths: the same build gives the same bytes.

    `license` is that of the sources; `packages` names the libraries whose version can change the outcome;
    `counts` has the number of entries at each stage, `dropped` what was left out and why.
    """
    return {
        "made_by": maker,
        "version": maker_version,
        "task": {task.key: task.version},
        "paper": paper,
        "license": license,
        "sources": [source_facts(path) for path in sources],
        "seed": seed,
        "packages": versions(packages),
        "options": options,
        "counts": counts,
        "dropped": list(dropped),
        **more,
    }
