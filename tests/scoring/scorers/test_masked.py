"""Masked language models, rule by rule (docs/metrics.md). The weights are real."""

import pytest
import torch

from annotation.tasktypes.contract import Cloze, ClozeNumbers, Region, Sentence, SentenceNumbers, Unscored
from tests.scoring.scorers.weights import MASKED, SENTENCES, folder, needs_weights, scorer

pytestmark = [pytest.mark.slow, needs_weights]

CLOZES = (
    ("The soup was ____ cold.", ("very", "not", "never")),
    ("____ is the capital of France.", ("paris", "rome")),
    ("She put the book on the ____", ("table", "moon")),
    ("A ____ key, they say, opens doors!", ("false", "golden")),
)


def cloze(text, *candidates):
    [result] = scorer(MASKED, "cloze").score([Cloze(text, candidates)])
    return result


def sentence(text, metric="pll"):
    [result] = scorer(MASKED, metric).score([Sentence(text)])
    return result


def reason(result):
    assert isinstance(result, Unscored), result
    return result.reason


@pytest.fixture(scope="module")
def tokenizer():
    return scorer(MASKED, "cloze").tokenizer


@pytest.fixture(scope="module")
def model():
    return scorer(MASKED, "cloze").loaded.model


@pytest.fixture(scope="module")
def fill_mask():
    import transformers

    return transformers.pipeline("fill-mask", model=folder(MASKED), tokenizer=folder(MASKED), device="cpu")


# --- Slots ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "candidates"), CLOZES)
def test_cloze_agrees_with_the_fill_mask_pipeline(fill_mask, text, candidates):
    numbers = cloze(text, *candidates)
    masked = text.replace("____", "[MASK]")
    theirs = {found["token_str"]: found["score"] for found in fill_mask(masked, targets=list(candidates))}
    for candidate, logprob in zip(candidates, numbers.logprobs, strict=True):
        assert logprob == pytest.approx(torch.tensor(theirs[candidate]).log().item(), abs=1e-4)
    best = fill_mask(masked, top_k=10)
    assert [word for word, _ in numbers.top] == [found["token_str"] for found in best]
    assert [logprob for _, logprob in numbers.top] == pytest.approx(
        [torch.tensor(found["score"]).log().item() for found in best], abs=1e-4
    )


def test_c2_rank_1_is_the_most_probable_word_of_the_whole_vocabulary():
    first = cloze("The soup was ____ cold.", "very")
    best, tenth = first.top[0][0], first.top[9][0]
    numbers = cloze("The soup was ____ cold.", best, tenth)
    assert numbers.ranks == (1, 10)
    assert numbers.logprobs == (first.top[0][1], first.top[9][1])


def test_c2_ranks_follow_probabilities():
    numbers = cloze("The soup was ____ cold.", "very", "not", "purple", "sinatra")
    by_rank = sorted(zip(numbers.ranks, numbers.logprobs, strict=True))
    assert [logprob for _, logprob in by_rank] == sorted(numbers.logprobs, reverse=True)


def test_c3_a_candidate_of_several_tokens_is_left_unscored_and_named():
    assert "'absolutely-not' is 3 tokens" in reason(cloze("The soup was ____ cold.", "very", "absolutely-not"))


def test_c3_a_candidate_that_changes_its_neighbors_is_left_unscored():
    assert "changes how the model tokenizes" in reason(cloze("She sees the ____s there.", "x"))


def test_c4_an_unknown_candidate_is_left_unscored_and_named():
    assert reason(cloze("The soup was ____ cold.", "☃", "very")) == "'☃' is not in the model's vocabulary"


def test_c7_words_around_the_slot_that_the_vocabulary_lacks_are_counted():
    assert cloze("The soup was ____ cold.", "very").unknown == 0
    snowy = cloze("The ☃ soup ☃☃ was ____ cold.", "very")
    assert isinstance(snowy, ClozeNumbers)
    tokens = scorer(MASKED, "cloze").tokenizer.tokenize("The ☃ soup ☃☃ was")
    assert snowy.unknown == tokens.count("[UNK]") > 0


def test_c5_capitals_do_not_matter_to_an_uncased_model():
    assert cloze("The soup was ____ cold.", "VERY", "Not") == cloze("the SOUP was ____ cold.", "very", "not")


def test_c1_the_slot_keeps_its_place_whatever_stands_around_it():
    # WordPiece knows no leading space, so a comma or a bracket beside the slot changes nothing in the candidate.
    for text in ("(____) soup.", "____", "Soup, ____, soup.", "Soup ____"):
        assert isinstance(cloze(text, "cold"), ClozeNumbers)


@pytest.mark.parametrize("text", ["No slot here.", "Two ____ and ____."])
def test_c1_there_is_one_slot(text):
    assert "slots instead of one" in reason(cloze(text, "very"))


# --- Sentences --------------------------------------------------------------------------------------


def one_at_a_time(model, tokenizer, text, metric):
    """The definitions, without batches and without leaving anything out: mask, read one probability, next."""
    encoded = tokenizer(text, return_tensors="pt")
    ids, words = encoded["input_ids"][0], encoded.word_ids()
    values = []
    for place, word in enumerate(words):
        if word is None:
            continue
        masked, seen = ids.clone(), torch.ones_like(ids)
        masked[place] = tokenizer.mask_token_id
        for other in range(len(ids)):
            later = metric == "pll_within_word_l2r" and other > place
            if words[other] == word and (later or metric == "pll_whole_word"):
                masked[other] = tokenizer.mask_token_id
            if metric == "left_to_right" and other > place:
                seen[other] = 0
        with torch.inference_mode():
            logits = model(input_ids=masked[None], attention_mask=seen[None]).logits[0, place].double()
        values.append((logits[ids[place]] - logits.logsumexp(0)).item())
    return values


@pytest.mark.parametrize("metric", ["pll", "pll_within_word_l2r", "pll_whole_word", "left_to_right"])
@pytest.mark.parametrize("text", SENTENCES)
def test_p1_p2_p5_p6_sums_over_one_mask_at_a_time(model, tokenizer, text, metric):
    expected = one_at_a_time(model, tokenizer, text, metric)
    numbers = sentence(text, metric)
    assert [value for _, value in numbers.tokens] == pytest.approx(expected, abs=1e-4)
    assert numbers.logprob == pytest.approx(sum(expected), abs=1e-4)


def test_p7_the_last_word_is_the_mean_over_its_tokens_without_the_punctuation(model, tokenizer):
    text = "Nobody bewildered the ferrymen’s grandchildren!”"
    one_by_one = one_at_a_time(model, tokenizer, text, "pll")
    pieces = tokenizer.tokenize("grandchildren")
    numbers = sentence(text, "last_word")
    assert [token for token, _ in numbers.tokens] == pieces
    start = tokenizer.tokenize(text).index(pieces[0])
    expected = one_by_one[start : start + len(pieces)]
    assert numbers.logprob == pytest.approx(sum(expected) / len(pieces), abs=1e-4)


def test_p7_a_word_with_combining_accents_is_one_word(tokenizer):
    """This tokenizer leaves accents out, so that the text is the one without them."""
    plain, accented = (sentence(text, "last_word") for text in ("An old melee!", "An old me\u0301le\u0301e!"))
    assert [token for token, _ in accented.tokens] == tokenizer.tokenize("melee")
    assert accented.logprob == pytest.approx(plain.logprob, abs=1e-5)
    assert sentence("\u0939\u093f\u0928\u094d\u0926\u0940", "last_word").tokens


def test_p7_the_verb_is_where_the_item_says(model, tokenizer):
    text = "The cop bamboozled the robber."
    one_by_one = one_at_a_time(model, tokenizer, text, "pll")
    pieces = tokenizer.tokenize("bamboozled")
    assert len(pieces) > 1
    verb = Region("verb", text.index("bam"), text.index("bam") + len("bamboozled"))
    [numbers] = scorer(MASKED, "verb").score([Sentence(text, (verb,))])
    assert [token for token, _ in numbers.tokens] == pieces
    assert numbers.logprob == pytest.approx(sum(one_by_one[2 : 2 + len(pieces)]) / len(pieces), abs=1e-4)


def test_p7_an_item_that_does_not_say_where_its_verb_is():
    assert reason(sentence("Wet snow fell.", "verb")) == "the item does not mark its verb"


def test_g4_a_verb_that_the_tokenizer_drops_is_left_unscored():
    [result] = scorer(MASKED, "verb").score([Sentence("The ox \ufffd here.", (Region("verb", 7, 8),))])
    assert reason(result) == "the word has no tokens for this model"


def test_p7_a_text_without_words():
    assert reason(sentence("?!", "last_word")) == "the text has no word"


def test_g2_start_and_end_tokens_are_read_and_not_scored(tokenizer):
    numbers = sentence("Wet snow fell.")
    assert [token for token, _ in numbers.tokens] == tokenizer.tokenize("Wet snow fell.")
    assert numbers.logprob == pytest.approx(sum(logprob for _, logprob in numbers.tokens))


def test_p3_hyphens_and_apostrophes_part_words():
    # Each piece of "re-read" is a word of its own to this tokenizer, so nothing more is masked.
    assert sentence("She re-read it.").logprob == pytest.approx(
        sentence("She re-read it.", "pll_within_word_l2r").logprob
    )


def test_p4_an_unknown_word_leaves_the_sentence_unscored_and_is_named():
    assert reason(sentence("A ☃ stood there.")) == "'☃' is not in the model's vocabulary"


# --- Both -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_g4_an_empty_text_is_left_unscored(text):
    assert "no tokens" in reason(sentence(text))


def test_g5_a_text_longer_than_the_models_positions_is_left_unscored_with_both_lengths():
    assert isinstance(sentence("snow " * 510), SentenceNumbers)
    assert reason(sentence("snow " * 511)) == "the text has 513 tokens with start and end; the model reads at most 512"
    assert "513 tokens" in reason(cloze("snow " * 510 + "____", "very"))


@pytest.mark.parametrize("token", ["[MASK]", "[SEP]", "[CLS]"])
def test_g3_a_special_token_written_out_leaves_the_text_unscored(token):
    assert token in reason(sentence(f"A {token} stood there."))
    assert token in reason(cloze(f"A {token} stood ____.", "there"))
    assert token in reason(cloze("A tree stood ____.", "there", token))


def test_what_is_read_only_where_needed_equals_the_whole_model(model, tokenizer):
    """The vocabulary is computed at the masked places only; the model's own forward computes it everywhere."""
    encoded = tokenizer("The soup was [MASK] cold.", return_tensors="pt")
    place = encoded["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.inference_mode():
        whole = model(**encoded).logits[0, place].log_softmax(0)
    numbers = cloze("The soup was ____ cold.", "very")
    assert numbers.logprobs[0] == pytest.approx(whole[tokenizer.convert_tokens_to_ids("very")].item(), abs=1e-5)
