"""Our numbers beside those of the public `minicons` package: sentences of every sample study, and some made."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from annotation.tasktypes.contract import SLOT, Cloze, ClozeNumbers, Region, Sentence, SentenceNumbers
from comparison.statistics.divergence import bits
from scoring.scorers import open_scorer
from tests.scoring.scorers.sentences import EXTRA, SENTENCES
from tests.scoring.scorers.weights import CAUSAL, MASKED, THIN, folder, needs_weights, scorer, spec_of

pytestmark = [pytest.mark.slow, needs_weights]

CLOSE = 1e-4
# The first token of SmolLM2 is rounded by up to 2e-4, as the shape of the product has it (docs/metrics.md, G9).
CLOSE_TOKEN = 3e-4
# Of 500 sentences in the order of their studies and kinds: every twentieth, and fewer where minicons is slow.
MANY = list(dict.fromkeys([*SENTENCES[::20], *EXTRA]))
SOME = [*SENTENCES[::50], *EXTRA]


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
    results = open_scorer(spec_of(key), metric=metric, settings={}).score([Sentence(text) for text in MANY])
    assert all(isinstance(result, SentenceNumbers) for result in results)
    return [result.logprob for result in results if isinstance(result, SentenceNumbers)]


def test_there_are_enough_sentences():
    assert len(SENTENCES) >= 500
    assert len(MANY) >= 25
    assert len(SOME) >= 12


@pytest.mark.parametrize(("metric", "theirs"), [("pll", "original"), ("pll_within_word_l2r", "within_word_l2r")])
def test_pseudo_log_likelihoods_agree(minicons, metric, theirs):
    scorer = minicons.MaskedLMScorer(folder(MASKED), "cpu")
    expected = [scorer.sequence_score([text], reduction=total, PLL_metric=theirs)[0] for text in MANY]
    assert ours(MASKED, metric) == pytest.approx(expected, abs=CLOSE)


def test_the_two_pseudo_log_likelihoods_differ_where_words_have_pieces():
    pairs = dict(zip(MANY, zip(ours(MASKED, "pll"), ours(MASKED, "pll_within_word_l2r"), strict=True), strict=True))
    plain, within_word = pairs[EXTRA[0]]
    assert plain > within_word + 1
    assert pairs["I ran."][0] == pytest.approx(pairs["I ran."][1], abs=1e-5)


@pytest.fixture(scope="module")
def causal(minicons: Any) -> Any:
    return theirs_of(minicons, CAUSAL)


def theirs_of(minicons: Any, key: str) -> Any:
    found = minicons.IncrementalLMScorer(folder(key), "cpu")
    # minicons conditions on the tokenizer's own bos token; the declared start token is another one here.
    found.tokenizer.bos_token = "<|endoftext|>"
    return found


def test_causal_log_probabilities_agree(causal):
    expected = {
        text: score
        for texts in _of_one_length(causal.tokenizer, MANY)
        for text, score in zip(texts, causal.sequence_score(texts, reduction=total, bos_token=True), strict=True)
    }
    assert ours(CAUSAL, "causal") == pytest.approx([expected[text] for text in MANY], abs=CLOSE)


def _of_one_length(tokenizer: Any, texts: Iterable[str]) -> Iterator[list[str]]:
    """Texts of as many tokens together, without padding: minicons reads the weights once for all of them."""
    by_length: dict[int, list[str]] = {}
    for text in texts:
        by_length.setdefault(len(tokenizer.encode(text)), []).append(text)
    for together in by_length.values():
        yield from (together[start : start + 16] for start in range(0, len(together), 16))


def test_l5_continuations_agree_wherever_the_text_is_cut(minicons):
    """Cut at a space, which minicons counts to what follows; before words, figures and signs. Of any weights."""
    causal = theirs_of(minicons, THIN)
    cuts = [(text, place) for text in SOME for place in _spaces(text)]
    assert any(text[place + 1].isdecimal() for text, place in cuts)
    requests = [Sentence(text, (Region("continuation", place + 1, len(text)),)) for text, place in cuts]
    results = scorer(THIN, "continuation").score(requests)
    for (text, place), result in zip(cuts, results, strict=True):
        [expected] = causal.conditional_score([text[:place]], [text[place + 1 :]], reduction=total, bos_token=True)
        assert isinstance(result, SentenceNumbers)
        assert result.logprob == pytest.approx(expected, abs=CLOSE), text[place:]


def _spaces(text: str) -> list[int]:
    """The spaces before a figure, and the one in the middle."""
    places = [found.start() for found in re.finditer(" ", text)]
    return sorted({places[len(places) // 2], *(place for place in places if text[place + 1].isdecimal())})


def test_surprisals_in_bits_agree_token_by_token(causal):
    results = scorer(CAUSAL, "causal").score([Sentence(text) for text in SOME])
    theirs = {
        text: found
        for texts in _of_one_length(causal.tokenizer, SOME)
        for text, found in zip(
            texts, causal.token_score(texts, surprisal=True, base_two=True, bos_token=True), strict=True
        )
    }
    for text, result in zip(SOME, results, strict=True):
        _start, *expected = theirs[text]
        assert [token for token, _ in result.tokens] == [token for token, _ in expected]
        values = [bits(logprob) for _, logprob in result.tokens]
        assert values == pytest.approx([value for _, value in expected], abs=bits(-CLOSE_TOKEN))


# A word that stands in none of the sentences, in whose place minicons puts the mask.
BLANK = "zebra"


def test_c2_clozes_agree_in_log_probability_and_rank(minicons):
    theirs = minicons.MaskedLMScorer(folder(MASKED), "cpu")
    found = [(text, word) for text in SENTENCES[::15] for word in _one_token_words(text)[:1]]
    assert len(found) > 20
    requests = [Cloze(_without(text, word, SLOT), (word, "not", "very")) for text, word in found]
    results = scorer(MASKED, "cloze").score(requests)
    for (text, word), result in zip(found, results, strict=True):
        assert isinstance(result, ClozeNumbers), (text, word, result)
        [distribution] = theirs.cloze_distribution([(_without(text, word, BLANK), BLANK)])
        ids = theirs.tokenizer.convert_tokens_to_ids([word, "not", "very"])
        assert result.logprobs == pytest.approx(distribution[ids].tolist(), abs=CLOSE)
        for rank, value in zip(result.ranks, distribution[ids], strict=True):
            # Words that are as near to each other as float32 rounds may change places.
            assert (distribution > value + CLOSE).sum() < rank <= (distribution >= value - CLOSE).sum()
        # The word's own probability in its place, by the other way that minicons has.
        assert theirs.cloze([(text, word)]) == pytest.approx([result.logprobs[0]], abs=CLOSE)


def _one_token_words(text: str) -> list[str]:
    """Words in lower case that the masked model has as one token, and that stand in the text once."""
    vocabulary = scorer(MASKED, "cloze").tokenizer.get_vocab()
    tokens = scorer(MASKED, "cloze").tokenizer.tokenize(text)
    words = re.findall(r"(?<![\w'’-])[a-z]{3,}(?![\w'’-])", text)
    return [word for word in words if word in vocabulary and tokens.count(word) == 1 and text.count(word) == 1]


def _without(text: str, word: str, instead: str) -> str:
    return text.replace(word, instead)
