"""How a text is parted into sentences and words (docs/metrics.md, R1 and R2)."""

import pytest

from scoring.scorers.lstm_model.vocabulary import END, UNKNOWN, Vocabulary, VocabularyError, sentences_of, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Cop is arresting the criminal.", "the cop is arresting the criminal ."),
        ("She didn't; they can't've.", "she did n't ; they ca n't 've ."),
        ("John’s dog, I’m sure, isn’t the boys’.", "john 's dog , i 'm sure , is n't the boys ' ."),
        ("five o'clock, 'tis late", "five o'clock , ' tis late"),
        ("does n't  it 's", "does n't it 's"),
        ("a well-known half-built pier", "a well - known half - built pier"),
        ("In 1987, 3.5% of £20", "in 1 9 8 7 , 3 . 5 % of £ 2 0"),
        ("wait -- no – really—", "wait — no — really —"),
        ("“Quite,” said ‘he’…", "\" quite , \" said ' he ' . . ."),
        ("snake_case <unk> </s>", "snake _ case < unk > < / s >"),
        ("Ünïcode ﬁnds naïve cafés", "ünïcode finds naïve cafés"),
        ("cafe\u0301", "café"),
        ("", ""),
    ],
)
def test_r1_words(text, found):
    assert " ".join(words(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It rained. We left.", ["it rained .", "we left ."]),
        ('He said "No!" Then he left.', ['he said " no ! "', "then he left ."]),
        ("Mr. Smith and J. Doe came. I did. So did I. Then we ate.",
         ["mr . smith and j . doe came .", "i did .", "so did i .", "then we ate ."]),
        ("it costs 3.50 e.g. Here", ["it costs 3 . 5 0 e . g . here"]),
        ("really? yes. all small", ["really ? yes . all small"]),
        ("Was it? Yes.", ["was it ?", "yes ."]),
        ("He left. 3 came.", ["he left .", "3 came ."]),
        ("  ", []),
    ],
)  # fmt: skip
def test_r2_sentences(text, found):
    assert [" ".join(one) for one in sentences_of(text)] == found


def test_every_mark_but_white_space_is_part_of_a_word():
    text = "".join(map(chr, range(33, 0x250))) + "ქართული 中文 नमस्ते 😀"
    kept = "".join(words(text))
    import unicodedata

    assert len(kept) >= len("".join(unicodedata.normalize("NFKC", text).split())) - text.count("--")


def test_r3_the_most_frequent_words_are_known_ties_by_letter():
    counts = {"b": 3, "a": 3, "c": 9, "d": 1, "e": 2}
    assert Vocabulary.counted(counts, most=10, least=2).words == (END, UNKNOWN, "c", "a", "b", "e")
    assert Vocabulary.counted(counts, most=4, least=2).words == (END, UNKNOWN, "c", "a")


def test_a_vocabulary_comes_back_as_it_was_written(tmp_path):
    made = Vocabulary.counted({"café": 2, '"': 1}, most=9, least=1)
    made.write(tmp_path / "v.json")
    assert Vocabulary.read(tmp_path / "v.json") == made
    assert made.ids(["café", "tea", END]) == [2, 1, 0]
    assert made.unknown(["tea", "café", "tea", "milk"]) == ["tea", "milk"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[]", "is no vocabulary"),
        ('{"rule": "0", "words": []}', "rule for words '0'"),
        ('{"rule": "1", "words": ["a"]}', "must begin with"),
        ('{"rule": "1", "words": ["</s>", "<unk>", "a", "a"]}', "every word once"),
        ("nothing", "is no vocabulary"),
    ],
)
def test_a_file_that_is_no_vocabulary_is_refused(tmp_path, written, said):
    (tmp_path / "v.json").write_text(written)
    with pytest.raises(VocabularyError, match=said):
        Vocabulary.read(tmp_path / "v.json")
