"""Our numbers beside those of the public `minicons` package, on 500 sentences: the sample studies' and some made."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from annotation.tasktypes.contract import Sentence, SentenceNumbers
from scoring.scorers import open_scorer
from stimuli.agreement.constructions import CONSTRUCTIONS
from stimuli.agreement.generator import generate
from tests.scoring.weights import CAUSAL, MASKED, folder, needs_weights, spec_of

pytestmark = [pytest.mark.slow, needs_weights]

CLOSE = 1e-4
LONGEST_WORDS = 40


def sample_sentences() -> Iterator[str]:
    for path in sorted((settings.BASE_DIR / "stimuli" / "samples").glob("*/items.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for value in json.loads(line)["content"].values():
                texts = value.values() if isinstance(value, dict) else [value]
                yield from (text for text in texts if 2 < len(text.split()) <= LONGEST_WORDS and "____" not in text)


# Words of many pieces, digits, quotation marks and a single letter: where conventions part.
EXTRA = [
    "Antidisestablishmentarianism confuses the hippopotamuses.",
    "In 1871, the lighthouse-keeper's wife paid $3.50 for it!",
    "“Why?” she asked; nobody (not even Zbigniew) knew.",
    "I ran.",
]
MADE = [text for row in generate(CONSTRUCTIONS, per_cell=1, seed=7) for text in row.content["options"].values()]
SENTENCES = list(dict.fromkeys([*sample_sentences(), *MADE, *EXTRA]))


@pytest.fixture(scope="module")
def minicons() -> Any:
    """The package, with the one method that transformers 5 has dropped put back for it."""
    from transformers import PreTrainedTokenizerBase

    setattr(PreTrainedTokenizerBase, "batch_encode_plus", PreTrainedTokenizerBase.__call__)  # noqa: B010
    return pytest.importorskip("minicons.scorer", reason="minicons is not installed; `make test` installs it")


def total(logprobs: Any) -> float:
    # In double precision: a float32 sum over a long sentence is itself off by about 1e-4.
    return float(logprobs.double().sum())


def ours(key: str, metric: str) -> list[float]:
    results = open_scorer(spec_of(key), metric=metric, settings={}).score([Sentence(text) for text in SENTENCES])
    assert all(isinstance(result, SentenceNumbers) for result in results)
    return [result.logprob for result in results if isinstance(result, SentenceNumbers)]


def test_there_are_enough_sentences():
    assert len(SENTENCES) >= 500


@pytest.mark.parametrize(("metric", "theirs"), [("pll", "original"), ("pll_within_word_l2r", "within_word_l2r")])
def test_pseudo_log_likelihoods_agree(minicons, metric, theirs):
    scorer = minicons.MaskedLMScorer(folder(MASKED), "cpu")
    expected = [scorer.sequence_score([text], reduction=total, PLL_metric=theirs)[0] for text in SENTENCES]
    assert ours(MASKED, metric) == pytest.approx(expected, abs=CLOSE)


def test_the_two_pseudo_log_likelihoods_differ_where_words_have_pieces():
    pairs = dict(
        zip(SENTENCES, zip(ours(MASKED, "pll"), ours(MASKED, "pll_within_word_l2r"), strict=True), strict=True)
    )
    plain, within_word = pairs[EXTRA[0]]
    assert plain > within_word + 1
    assert pairs["I ran."][0] == pytest.approx(pairs["I ran."][1], abs=1e-5)


def test_causal_log_probabilities_agree(minicons):
    scorer = minicons.IncrementalLMScorer(folder(CAUSAL), "cpu")
    # minicons conditions on the tokenizer's own bos token; the declared start token is another one here.
    scorer.tokenizer.bos_token = "<|endoftext|>"
    expected = [scorer.sequence_score([text], reduction=total, bos_token=True)[0] for text in SENTENCES]
    assert ours(CAUSAL, "causal") == pytest.approx(expected, abs=CLOSE)
