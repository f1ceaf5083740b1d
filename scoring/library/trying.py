"""A model is asked before it is written down: whether what it says is a score of a model of its family."""

from collections.abc import Iterator
from typing import Any

import torch

from annotation.tasktypes.contract import Sentence, SentenceNumbers, Unscored
from corpus.errors import in_short
from scoring.runs.asking import finite
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec, Scorer
from scoring.scorers.networks.loaded import Loaded
from scoring.scorers.networks.own_tokenizer import words_in
from scoring.scorers.networks.quiet import quiet
from scoring.scorers.networks.weights import DTYPES

# One beginning with two ends.
TRIAL = ("The old dog slept near the door.", "The old dog slept on top of us.")
TRIAL_METRICS = {"masked": "pll", "causal": "causal"}
# The first tokens, with and without others after them, and how near their numbers must be: products round by their
# shape, coarse numbers coarsely.
ALIKE, NEAR, NEAR_IF_COARSE = 2, 1e-3, 0.25
# Words of a text of the model's own vocabulary, from how many they are drawn, and how many pairs are tried.
WORDS, SPREAD, MOST_PAIRS = 6, 300, 20


def try_model(spec: ModelSpec, *, sentence: str = "") -> Loaded:
    """Open the model and ask it for two sentences; what was loaded. ModelError if what comes is no score.

    The sentences are `sentence` if one is given, else English ones, else words of the model's own vocabulary.
    """
    try:
        with quiet():
            scorer: Any = open_scorer(spec, metric=TRIAL_METRICS[spec.method], settings={})
            loaded: Loaded = scorer.loaded
            texts = _both(scorer, spec, _pairs(sentence, loaded.tokenizer))
            if spec.method == "causal":
                _require_left_to_right(spec, loaded, *texts)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"{spec.source} cannot score a sentence ({in_short(error)})") from error
    return loaded


def _pairs(sentence: str, tokenizer: Any) -> Iterator[tuple[str, str]]:
    """Two texts that begin alike, time and again others."""
    if sentence:
        yield sentence, f"{sentence} {sentence}"
        return
    yield TRIAL
    entries = words_in(tokenizer)
    # A model of figures or of notes has no letters.
    entries = [word for word in entries if any(map(str.isalpha, word))] or entries
    unknown = tokenizer.unk_token_id
    # Spread over the vocabulary, which often begins with single letters and ends with what is rare; a piece that only
    # ends a word is no word.
    spread = entries[:: max(1, len(entries) // SPREAD)]
    words = [word for word in spread if unknown not in tokenizer(word, add_special_tokens=False)["input_ids"]]
    for start in range(min(MOST_PAIRS, len(words))):
        drawn = words[start :: max(1, len(words) // WORDS)][:WORDS]
        yield " ".join(drawn), " ".join([*drawn[:-1], drawn[0]])


def _both(scorer: Scorer, spec: ModelSpec, pairs: Iterator[tuple[str, str]]) -> tuple[str, str]:
    """The first two texts that both have numbers."""
    refused = ""
    for one, other in pairs:
        first, second = _numbers(scorer, spec, one), _numbers(scorer, spec, other)
        if isinstance(first, SentenceNumbers) and isinstance(second, SentenceNumbers):
            return one, other
        unscored = first if isinstance(first, Unscored) else second
        refused = refused or f"{spec.source} leaves {one!r} unscored: {unscored.reason}"  # type: ignore[union-attr]
    raise ModelError(f"{refused}; give a sentence that it can score with --try-sentence")


def _numbers(scorer: Scorer, spec: ModelSpec, text: str) -> SentenceNumbers | Unscored:
    # One at a time: together, what two texts share would be computed once and could not differ.
    result = scorer.score([Sentence(text)])[0]
    sound = finite(result)
    if isinstance(sound, Unscored) and not isinstance(result, Unscored):
        raise ModelError(f"{spec.source} gives {text!r} a score that is not finite; try float32")
    assert isinstance(sound, SentenceNumbers | Unscored)  # a sentence was asked for
    return sound


def _require_left_to_right(spec: ModelSpec, loaded: Loaded, *texts: str) -> None:
    """By tokens, and not by texts: a tokenizer may join a text's first words with those after them."""
    tokens = [token for text in texts for token in loaded.tokenizer(text, add_special_tokens=False)["input_ids"]]
    first = min(ALIKE, len(tokens) - 1)
    whole, cut = (_logprobs(loaded, part)[:first] for part in (tokens, tokens[:first]))
    targets = torch.tensor(tokens[1 : first + 1], device=loaded.device)[:, None]
    near = NEAR if spec.dtype == DTYPES[0] else NEAR_IF_COARSE
    if bool(((whole - cut).gather(1, targets).abs() > near).any()):
        raise ModelError(f"{spec.source} is not causal: its scores for the start of a text depend on how the text ends")


def _logprobs(loaded: Loaded, tokens: list[int]) -> torch.Tensor:
    with torch.inference_mode():
        read: torch.Tensor = loaded.model(input_ids=torch.tensor([tokens], device=loaded.device)).logits[0]
    return read.double().log_softmax(-1)
