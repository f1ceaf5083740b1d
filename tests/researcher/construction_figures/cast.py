"""Figures such as a construction finds out: a table, points in a plane, a curve."""

from stimuli.making.contract import BuiltStudy, Figure, Form, Look
from stimuli.making.settings import study_settings
from tests.studies import plausibility_rows

QUALITY = Figure(
    name="quality",
    title="Quality of the exchange",
    said="Shares of documents with Wilson’s interval.",
    columns=["figure", "value", "low", "high", "n", "no interval"],
    rows=[["documents", 0.8222, 0.7861, 0.8533, 500, ""], ["groups", 2.5, None, None, 1204, "they hang together"]],
    shown=2,
)
WORDS = Figure(
    name="words",
    title="Words in a plane",
    said="t-SNE of the vectors of 60 words.",
    columns=["word", "word was", "x", "y"],
    rows=[[f"word{n}", ("taken out", "put in", "both")[n % 3], n * 1.5, (n * 7) % 11] for n in range(60)],
    shown=40,
    look=Look(form=Form.POINTS, x="x", y="y", kind="word was", name="word", named=5),
)
BIC = Figure(
    name="bic",
    title="The number of clusters",
    said="BIC of 60 words; it has no interval.",
    columns=["clusters", "BIC", "chosen"],
    rows=[[1, -7_500_000.25, False], [11, -7_600_000.5, True], [21, -7_550_000.0, False]],
    shown=3,
    look=Look(form=Form.CURVE, x="clusters", y="BIC", marked="chosen", titles={"clusters": "number of clusters"}),
)
FIGURES = [QUALITY, WORDS, BIC]


def made(slug: str = "made") -> BuiltStudy:
    settings = study_settings(
        slug=slug, title="Made", instructions="Read.", task={"type": "plausibility"}, metrics=["pll"]
    )
    return BuiltStudy(settings, plausibility_rows(2), {"made_by": "a test"})
