"""`causal` on options that begin alike, beside minicons: the packaged model, real items."""

from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from annotation.studyfile import study_of
from annotation.tasktypes.contract import Sentence
from bench import ROOT, SHARED
from bench.scoring.contest import OURS, Contender, contest, matrix_rate, minicons, minicons_scorer
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from stimuli.making.registry import importer

MODEL = ROOT / "var" / "models" / "smollm2-135m"
START = "<|endoftext|>"
DTFIT = SHARED / "event_knowledge" / "clean" / "clean_DTFit_SentenceSet.csv"
BOOLQ = SHARED / "boolq" / "dev_first2000.jsonl"


def compare(options: Namespace) -> None:
    """Print a table for pairs of short sentences and one for passages with two answers."""
    pairs = _items("events", DTFIT, limit=250, options={"set": "dtfit", "as": "pairs"})
    _compare("DTFit, pairs of sentences", pairs, options)
    _compare("BoolQ, a passage, a question, yes or no", _items("boolq", BOOLQ, limit=30, options={}), options)


def _compare(title: str, items: list[list[str]], options: Namespace) -> None:
    # An item's options stay together, as a study's do.
    parts = [[text for item in items[number :: options.slices] for text in item] for number in range(options.slices)]
    ours = open_scorer(ModelSpec("causal", str(MODEL), settings={"start_token": START}), metric="causal", settings={})
    theirs = minicons_scorer("IncrementalLMScorer", str(MODEL))
    # minicons conditions on the tokenizer's own bos token; the declared start token is another one here.
    theirs.tokenizer.bos_token = START
    contenders: dict[str, Contender] = {OURS: lambda texts: ours.score([Sentence(text) for text in texts])}
    contenders |= minicons(theirs, parts[0][:32], options.batches, bos_token=True)
    timed = contest(contenders, parts, slow={}, few=0, rate=partial(matrix_rate, options.tries))
    words = sum(len(text.split()) for item in items for text in item) / sum(map(len, items))
    timed.print(f"causal, smollm2-135m; {title}: {len(items)} items, {words:.1f} words a text")


def _items(name: str, source: Path, *, limit: int, options: Mapping[str, Any]) -> list[list[str]]:
    """For every item the texts that a causal model is asked about, as a run asks them."""
    made = importer(name).load(source, slug="", title="", limit=limit, options=dict(options))
    task = study_of(made.settings, made.rows, folder=source).task
    asked = [task.requests(row.content, "sentence") for row in made.rows]
    return [[request.text for request in requests if isinstance(request, Sentence)] for requests in asked]
