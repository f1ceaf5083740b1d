"""Two figures of a build, each as SVG with its numbers beside it: the vectors in a plane, and how many clusters fit.

words.csv, words.svg: t-SNE (van der Maaten and Hinton 2008) of the words that were exchanged most often, and of what
was put in for them. bic.csv, bic.svg: the curve by which `--components auto` has chosen, where it has.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stimuli.constructions.altboolq.preparation import Prepared
from stimuli.constructions.altboolq.working import Made

# More points are a cloud in which nothing is told apart; and so many of them have their word beside them.
MOST, NAMED = 1500, 60
# Of how many neighbors a word's place is to keep the distances; scikit-learn's own default.
PERPLEXITY = 30
SIZE = 720
ROLES = ("taken out", "put in", "both")
COLORS = ("#1f6fb4", "#c2570c", "#6b6b6b")


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


def write_figures(folder: Path, prepared: Prepared, kept: Sequence[Made], *, seed: int) -> list[str]:
    """Both figures into the folder, which is made; what was written and what was not, as lines for the terminal."""
    folder.mkdir(parents=True, exist_ok=True)
    points = places(prepared, kept, seed=seed)
    said = []
    if points:
        rows = [asdict(point) | {"role": point.role} for point in points]
        _write(folder, "words", rows, _scatter(rows))
        said.append(f"{folder / 'words.svg'}: t-SNE of {len(points)} words; their places in words.csv")
    else:
        said.append(f"no words.svg: fewer than {PERPLEXITY + 2} different words were exchanged")
    curve = prepared.space.clusters.bic_curve
    if not curve:
        return [*said, "no bic.svg: the number of clusters was given; --components auto chooses it by BIC"]
    chosen = prepared.space.clusters.number
    bic = [{"clusters": number, "bic": value, "chosen": number == chosen} for number, value in curve.items()]
    _write(folder, "bic", bic, _line(bic))
    return [*said, f"{folder / 'bic.svg'}: BIC of {len(bic)} numbers of clusters, of which {chosen} was chosen"]


def places(prepared: Prepared, kept: Sequence[Made], *, seed: int) -> list[Point]:
    """The MOST words that were taken out or put in most often, in a plane; none where there are too few for it."""
    out = Counter(word for one in kept for group in one.groups for word in group.words)
    into = Counter(word for one in kept for group in one.groups for word in group.new)
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
    found: NDArray[np.float64] = model.fit_transform(vectors)
    return found


def _write(folder: Path, name: str, rows: Sequence[dict[str, Any]], drawing: dict[str, Any]) -> None:
    import vl_convert

    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (folder / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(drawing), encoding="utf-8")


def _scatter(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    place = {axis: {"field": axis, "type": "quantitative", "axis": None} for axis in ("x", "y")}
    role = {"field": "role", "type": "nominal", "title": "word was", "scale": {"domain": ROLES, "range": COLORS}}
    shape = {"field": "role", "type": "nominal", "title": "word was", "scale": {"domain": ROLES}}
    return _figure(
        "Words that were exchanged, by t-SNE of their vectors",
        layer=[
            {
                "data": {"values": list(rows)},
                "mark": {"type": "point", "size": 22, "opacity": 0.7},
                "encoding": place | {"color": role, "shape": shape},
            },
            {
                "data": {"values": list(rows[:NAMED])},
                "mark": {"type": "text", "dy": -7, "fontSize": 10},
                "encoding": place | {"text": {"field": "word"}},
            },
        ],
    )


def _line(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    x = {"field": "clusters", "type": "quantitative", "title": "number of clusters"}
    y = {"field": "bic", "type": "quantitative", "title": "BIC", "scale": {"zero": False}}
    chosen: Iterable[dict[str, Any]] = [row for row in rows if row["chosen"]]
    return _figure(
        "Model selection: the Bayesian information criterion",
        layer=[
            {"data": {"values": list(rows)}, "mark": {"type": "line", "point": True}, "encoding": {"x": x, "y": y}},
            {
                "data": {"values": list(chosen)},
                "mark": {"type": "text", "dy": -12, "text": "chosen"},
                "encoding": {"x": x, "y": y},
            },
        ],
    )


def _figure(title: str, *, layer: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": title,
        "width": SIZE,
        "height": SIZE * 2 // 3,
        "background": "white",
        "layer": layer,
    }
