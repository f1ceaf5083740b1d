"""A random part of a made study's items: the same for the same seed and ids, on every machine and in every study."""

import hashlib
from dataclasses import replace

from stimuli.making.contract import MadeStudy
from stimuli.making.settings import renamed

DRAWN_BY = "the lowest sha256 of seed, space and item id"


def sampled(study: MadeStudy, size: int, *, seed: int) -> MadeStudy:
    """The study with `size` of its target items, drawn by chance and left in their order; all of them if it has fewer.

    An item's lot rests on its id and the seed alone, so that two studies with the same ids give the same items. Checks
    and practice stay, and so do the labels of what is left.
    """
    targets = [row.id for row in study.rows if row.kind == "target"]
    drawn = set(sorted(targets, key=lambda name: lot(name, seed=seed))[:size])
    rows = [row for row in study.rows if row.kind != "target" or row.id in drawn]
    left = {row.id for row in rows}
    about = {"size": len(drawn), "of": len(targets), "seed": seed, "drawn_by": DRAWN_BY}
    return replace(
        study,
        settings=renamed(study.settings, slug=f"sample-{size}", title=f"{size} items at random"),
        rows=rows,
        labels=[label for label in study.labels if label.item in left],
        manifest=study.manifest | {"sample": about},
        summary=[*study.summary, f"a random sample of {len(drawn)} of {len(targets)} items, seed {seed}"],
    )


def lot(name: str, *, seed: int) -> str:
    """What an item's place in the draw rests on.

    >>> lot("adept-1", seed=0)[:8], lot("adept-1", seed=1)[:8]
    ('e8ba8d1c', '05d8b05b')
    """
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()
