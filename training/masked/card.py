"""The model card of a finished run: what it learned from, how, how good the composed model is, and where it ends.

Everything is measured here, on the model as it is composed of encoder and artefact, beside the same composition of
which nothing was trained: the encoder with its head as drawn.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.studyfile import StudyFile
from corpus.texts import corpus_files
from scoring.library.artefact import compose
from training.masked.finishing import ARTEFACT, RECORD, read_composed, read_record
from training.masked.judging import OWN, Judged, Pair, judge, judge_pairs, read_marvin_linzen, read_pairs
from training.masked.network import trained, with_new_head
from training.masked.reading import Vocabulary, plain_tokenizer, read_corpus
from training.masked.rounding import write_artefact
from training.masked.settings import BITS, CannotTrain, Settings, Wanted, identity, require_same
from training.masked.slots import judge_slots, require_slots
from training.masked.sources import FREE, SOURCE, read_origin, require_free

LICENSE = "Apache-2.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the card is made from: the finished run, its text and encoder once more, the pairs and the study to ask."""

    run: Path
    sources: tuple[Path, ...]
    encoder: Path
    encoder_key: str
    name: str
    field: str = ""
    marvin_linzen: Path | None = None
    study: StudyFile | None = None


def make_card(asked: Asked, *, say: Callable[[str], None]) -> dict[str, Any]:
    """The card as JSON.

    CannotTrain if the run is not finished or had other text, SourceUnclear for a license, ArtefactError if the artefact
    is not the run's, NoSlots for a study without slots.
    """
    record = _record(asked)
    origins = _origins(asked)
    sets = {"own pairs": read_pairs(OWN)}
    if asked.marvin_linzen is not None:
        sets["Marvin and Linzen, simple agreement"] = read_marvin_linzen(asked.marvin_linzen)
    if asked.study is not None:
        require_slots(asked.study)
    settings = Settings(**record["run"]["settings"])
    tokenizer = plain_tokenizer(asked.encoder)
    vocabulary = Vocabulary.of(tokenizer)
    corpus = read_corpus(asked.sources, tokenizer, share=settings.held_out, longest=settings.rows, field=asked.field)
    counts = np.bincount(corpus.ids, minlength=tokenizer.get_vocab_size())
    measured = {}
    with tempfile.TemporaryDirectory() as scratch:
        for when, folder in _laid_out(asked, record, counts, Path(scratch)).items():
            model = read_composed(folder)
            held_out = judge(model, corpus.held_out, vocabulary)
            say(f"{when}: held out {held_out}")
            measured[when] = _measured(model, held_out, sets, tokenizer, vocabulary)
            if asked.study is not None:
                measured[when]["slots"] = judge_slots(folder, asked.study)
        shape = {"layers": model.config.num_hidden_layers, "width": model.config.hidden_size}
    return {
        "name": asked.name,
        "encoder": asked.encoder_key,
        "artefact_sha256": record["artefact_sha256"],
        "artefact_bytes": record["artefact_bytes"],
        "digest": record["composed_digest"],
        "license": LICENSE,
        "shape": shape,
        "sources": origins,
        "training": {
            name: record[name] for name in ("run", "counts", "schedule", "position", "made_with", "judgments", "curve")
        },
        "measured": measured,
    }


def _record(asked: Asked) -> dict[str, Any]:
    path = asked.run / RECORD
    if not path.is_file() or not (asked.run / ARTEFACT).is_file():
        raise CannotTrain(f"{asked.run} holds no finished run")
    record = read_record(path)
    wanted = Wanted(
        sources=asked.sources, encoder=asked.encoder, out=asked.run, field=asked.field,
        settings=Settings(**record["run"]["settings"]),
    )  # fmt: skip
    require_same(record["run"], identity(wanted), asked.run)
    return record


def _laid_out(asked: Asked, record: Mapping[str, Any], counts: NDArray[np.int64], scratch: Path) -> dict[str, Path]:
    """Folders of both models, composed in the same way."""
    settings = Settings(**record["run"]["settings"])
    fresh = trained(with_new_head(asked.encoder, seed=settings.seed, counts=counts), settings.train)
    untrained = scratch / ARTEFACT
    write_artefact(
        untrained, fresh, fresh, bits=BITS[settings.train], encoder_sha256=record["run"]["encoder_sha256"]
    )  # fmt: skip
    folders = {name: scratch / name for name in ("before", "after")}
    for folder in folders.values():
        folder.mkdir()
    compose(asked.encoder, untrained, folders["before"])
    compose(asked.encoder, asked.run / ARTEFACT, folders["after"], expected=record["composed_digest"])
    return folders


def _origins(asked: Asked) -> list[dict[str, Any]]:
    # Of each file, wherever it lies below a folder that was named.
    folders = dict.fromkeys(path.parent for path, _ in corpus_files(asked.sources, form=None))
    origins = [read_origin(folder / SOURCE) for folder in folders]
    for origin in origins:
        require_free(origin)
    return [origin.as_json() | {"reason": FREE[origin.corpus]} for origin in origins]


def _measured(
    model: Any, held_out: Judged, sets: Mapping[str, Sequence[Pair]], tokenizer: Any, vocabulary: Vocabulary
) -> dict[str, Any]:
    pairs = {name: judge_pairs(model, found, tokenizer, vocabulary).as_json() for name, found in sets.items()}
    return {"held_out": held_out.as_json(), "pairs": pairs}
