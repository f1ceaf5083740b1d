"""Where a word begins and ends, and which tokens are its own, whatever a tokenizer makes of marks (docs/metrics.md)."""

from typing import Any

import pytest
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from annotation.tasktypes.contract import Region, Sentence, SentenceNumbers, Unscored
from scoring.metrics import METRICS
from scoring.scorers.networks.encoded import places_within
from scoring.scorers.words import last_word, whole

ACUTE, NON_JOINER, JOINER = "\u0301", "\u200c", "\u200d"
TEXT = f"He drank cafe{ACUTE}."
WORD = f"cafe{ACUTE}"
HINDI = "\u0939\u093f\u0928\u094d\u0926\u0940"


def of_bert() -> Any:
    """Words in pieces, in lower case and without accents."""
    vocabulary = {word: number for number, word in enumerate(["[UNK]", "he", "drank", "ca", "##fe", "."])}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made)


def of_bytes() -> Any:
    """Every byte a token, parted as GPT-2 parts words: a mark by itself or with the punctuation after it."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({byte: number for number, byte in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made)


def tokens_of(tokenizer: Any, text: str, region: Region) -> list[str]:
    encoding = tokenizer(text)
    return [encoding.tokens()[place] for place in places_within(encoding, whole(text, region))]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (TEXT, WORD),
        (f"A re{ACUTE}sume{ACUTE}!", f"re{ACUTE}sume{ACUTE}"),
        (f"On the roof-te{ACUTE}le{ACUTE}.", f"roof-te{ACUTE}le{ACUTE}"),
        (f"\u0935\u0939 {HINDI}\u0964", HINDI),
        (f"\u0646\u0645\u06cc{NON_JOINER}\u0631\u0648\u0645?", f"\u0646\u0645\u06cc{NON_JOINER}\u0631\u0648\u0645"),
        (f"\u0915\u094d{JOINER}\u0937.", f"\u0915\u094d{JOINER}\u0937"),
        ("He drank caf\u00e9.", "caf\u00e9"),
    ],
)
def test_p7_a_mark_or_a_joiner_does_not_part_a_word(text, word):
    region = last_word(text)
    assert isinstance(region, Region)
    assert text[region.start : region.end] == word


def test_p7_a_mark_without_a_letter_is_no_word():
    assert last_word(f"?{ACUTE}!") == last_word(ACUTE) == Unscored("the text has no word")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("He lives in the U.S.", "U.S."),
        ("He lives in the U.S.?", "U.S."),
        ("It ends at 5 p.m.", "p.m."),
        ("She has a Ph.D.", "Ph.D."),
        ("It cost $3.50.", "$3.50"),
        ("It cost US$5!", "US$5"),
        ("Das kostet 5€.", "5€"),
        ("There were 3,000.", "3,000"),
        ("It fell to −5.", "−5"),
        ("It rose by 50%.", "50%"),
        ("It was 20°C.", "20°C"),
        ("They meet at 10:30.", "10:30"),
        ("He won’t.", "won’t"),
        ("She works for AT&T.", "AT&T"),
        ("They write C++.", "C++"),
        ("See example.com.", "example.com"),
        ("He chose plan B.", "B"),
        ("Wait … what?!", "what"),
        ("It was cold.Then snow fell.", "fell"),
        ("He said “no.”", "no"),
    ],
)
def test_p7_figures_and_abbreviations_are_whole_and_punctuation_is_off(text, word):
    region = last_word(text)
    assert isinstance(region, Region)
    assert text[region.start : region.end] == word


SPACELESS = ["我喜欢猫。", "猫が好きです。", "ฉันชอบแมว", "ຂ້ອຍມັກແມວ", "ខ្ញុំចូលចិត្តឆ្មា", "ကျွန်တော်ကြောင်ကြိုက်တယ်။", "བོད་ཡིག"]


@pytest.mark.parametrize("text", SPACELESS)
def test_p7_l4_a_script_without_spaces_has_neither_a_last_word_nor_a_count(text):
    numbers = SentenceNumbers(-3.0, (("a", -3.0),))
    for found in (last_word(text), METRICS["causal_per_word"].seen(Sentence(text), numbers)):
        assert isinstance(found, Unscored)
        assert "script without spaces" in found.reason
    assert METRICS["causal_per_character"].seen(Sentence(text), numbers) != numbers


def test_l4_korean_parts_words_by_spaces_and_a_text_of_spaces_has_none():
    per_word = METRICS["causal_per_word"]
    numbers = SentenceNumbers(-3.0, (("a", -3.0),))
    assert per_word.seen(Sentence("나는 고양이를 좋아한다."), numbers) == SentenceNumbers(-1.0, numbers.tokens)
    assert per_word.seen(Sentence(" "), numbers) == Unscored("the text has no word")


def test_p7_a_region_is_widened_to_whole_letters():
    assert whole(TEXT, Region("verb", 9, 13)) == Region("verb", 9, 14)
    assert whole(TEXT, Region("continuation", 13, 15)) == Region("continuation", 12, 15)
    assert whole(TEXT, Region("verb", 3, 8)) == Region("verb", 3, 8)
    assert whole(TEXT, Region("continuation", 15, 15)) == Region("continuation", 15, 15)


@pytest.mark.parametrize("region", [last_word(TEXT), Region("verb", 9, 13)])
def test_p7_the_tokens_of_a_word_with_a_mark(region):
    assert tokens_of(of_bert(), TEXT, region) == ["ca", "##fe"]
    bytes_of_the_mark = [*of_bytes()(ACUTE).tokens()]
    assert len(bytes_of_the_mark) == 2
    assert tokens_of(of_bytes(), TEXT, region) == [*"cafe", *bytes_of_the_mark]


def test_p7_a_vowel_sign_at_the_end_has_tokens_of_its_word():
    region = Region("verb", 0, len(HINDI) - 1)
    assert tokens_of(of_bytes(), f"{HINDI}.", region) == of_bytes()(HINDI).tokens()
