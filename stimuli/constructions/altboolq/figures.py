"""What a build found out, as tables: how good the exchange is, its words in a plane, and how many clusters fit.

The plane is t-SNE (van der Maaten and Hinton 2008) of the words that were exchanged most often and of what was put in
for them: Figure 1. The curve is that by which `--components auto` has chosen, where it has.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stimuli.constructions.altboolq.preparation import Prepared
from stimuli.constructions.altboolq.quality import Measured, published_of
from stimuli.constructions.altboolq.working import Made
from stimuli.making.contract import Figure, Form, Look

# More points are a cloud in which nothing is told apart; and so many of them have their word beside them.
MOST, NAMED = 1500, 40
# Of how many neighbors a word's place is to keep the distances; scikit-learn's own default.
PERPLEXITY = 30
# Of a long table, rows that a page shows.
SHOWN = 40


@dataclass(frozen=True, slots=True)
class Point:
    """A word in the plane: how often documents lost it, and how often it was put in."""

    word: str
    x: float
    y: float
    cluster: int
    taken_out: int
    put_in: int

    @property
    def role(self) -> str:
        if self.taken_out and self.put_in:
            return "both"
        return "taken out" if self.taken_out else "put in"


def figures(
    quality: Mapping[str, Measured], prepared: Prepared, kept: Sequence[Made], *, seed: int
) -> Iterator[Figure]:
    """Those that there is enough for; the same build gives the same."""
    yield quality_table(quality)
    points = places(prepared, kept, seed=seed)
    if points:
        yield _plane(points, prepared)
    if prepared.space.clusters.bic_curve:
        yield _selection(prepared)


def quality_table(found: Mapping[str, Measured]) -> Figure:
    return Figure(
        name="quality",
        title="Quality of the exchange",
        said="Shares of documents with Wilson’s 95 % interval; means over documents of means over groups with an "
        "interval by drawing documents anew, 1,000 times. Beside them what the paper has, of its own data and vectors.",
        columns=["figure", "value", "low", "high", "n", "of", "no interval", "published"],
        rows=[
            [
                name.replace("_", " "), one["value"], one.get("low"), one.get("high"), one["n"], one["of"],
                one.get("no_interval", "" if one["value"] is not None else "nothing to count"), published_of(name),
            ]
            for name, one in found.items()
        ],
        shown=len(found),
    )  # fmt: skip


def places(prepared: Prepared, kept: Sequence[Made], *, seed: int) -> list[Point]:
    """The MOST words that were taken out or put in most often, in a plane; none where there are too few for it."""
    out, into = _exchanged(kept)
    both = out + into
    words = sorted(both, key=lambda word: (-both[word], word))[:MOST]
    if len(words) < PERPLEXITY + 2:
        return []
    space = prepared.space
    rows = space.vectors.rows(words)
    plane = _in_a_plane(space.vectors.unit[rows].astype(np.float64), seed=seed)
    return [
        Point(word, round(float(x), 3), round(float(y), 3), int(space.clusters.of[row]), out[word], into[word])
        for word, row, (x, y) in zip(words, rows, plane, strict=True)
    ]


def _exchanged(kept: Sequence[Made]) -> tuple[Counter[str], Counter[str]]:
    """How often each word was taken out, and how often put in."""
    out = Counter(word for one in kept for group in one.groups for word in group.words)
    return out, Counter(word for one in kept for group in one.groups for word in group.new)


def _in_a_plane(vectors: NDArray[np.float64], *, seed: int) -> NDArray[np.float64]:
    from sklearn.manifold import TSNE

    model = TSNE(2, perplexity=PERPLEXITY, metric="cosine", init="random", random_state=seed, n_jobs=1)
    found: NDArray[np.float64] = model.fit_transform(vectors)
    return found


def _plane(points: Sequence[Point], prepared: Prepared) -> Figure:
    return Figure(
        name="words",
        title="Words that were exchanged, in a plane",
        said=f"t-SNE of the vectors of the {len(points):,} words that were taken out or put in most often, in "
        f"{prepared.space.clusters.number} clusters (cosine, perplexity {PERPLEXITY}). Words that are near have like "
        "vectors; how far apart far ones are says nothing. A place has no interval: another seed gives another plane.",
        columns=["word", "word was", "x", "y", "cluster", "taken out", "put in"],
        rows=[[one.word, one.role, one.x, one.y, one.cluster, one.taken_out, one.put_in] for one in points],
        shown=SHOWN,
        look=Look(form=Form.POINTS, x="x", y="y", kind="word was", name="word", named=NAMED),
    )


def _selection(prepared: Prepared) -> Figure:
    clusters = prepared.space.clusters
    curve = clusters.bic_curve
    return Figure(
        name="bic",
        title="Model selection: the number of clusters",
        said=f"The Bayesian information criterion (Schwarz 1978) of a mixture with so many clusters, of "
        f"{prepared.selected:,} different words; {len(curve)} numbers were tried, and {clusters.number} was chosen: "
        "the least, or where BIC only falls that at which its fall slows most. It has no interval: it is of one set "
        "of words.",
        columns=["clusters", "BIC", "chosen"],
        rows=[[number, value, number == clusters.number] for number, value in curve.items()],
        shown=SHOWN,
        look=Look(form=Form.CURVE, x="clusters", y="BIC", marked="chosen", titles={"clusters": "number of clusters"}),
    )
