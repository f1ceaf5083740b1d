"""Tokens as the item page shows them."""

from comparison.page.item.detail import readable


def test_byte_level_tokens_are_spelled():
    assert readable(["The", "Ġsoup", "Ġis", "Ċ", "ĠcafÃ©"]) == ("The", "␣soup", "␣is", "↵", "␣café")


def test_a_part_of_a_letter_stays_as_the_tokenizer_writes_it():
    # The first two bytes of a curly apostrophe are no letter.
    assert readable(["Ġit", "âĢ", "Ļ"]) == ("␣it", "âĢ", "Ļ")


def test_word_pieces_and_letters_of_other_tokenizers_are_left_alone():
    assert readable(["caf", "##é", "ā"]) == ("caf", "##é", "ā")
    assert readable(["▁The", "▁ca", "fé"]) == ("␣The", "␣ca", "fé")
    assert readable([]) == ()
