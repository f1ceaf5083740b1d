"""Which sentences are hits, and where "not" would not sound natural; on spaCy's real parses."""

import pytest

from corpus.parsing import Parser
from corpus.texts import Text
from stimuli.constructions.intensifiers.finder import IntensifierFinder

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser()


def find(parser, *lines, running=()):
    texts = [Text(f"a.txt:{number}", line) for number, line in enumerate(lines, start=1)]
    return IntensifierFinder(running).find(texts, parser)["hits"]


@pytest.mark.parametrize(
    ("sentence", "adverb", "adjective"),
    [
        ("The ones that would want guns are probably scary.", "probably", "scary"),
        ("Regardless of what you may think of him, this is really touching!", "really", "touching"),
        ("She said that the road was always dangerous.", "always", "dangerous"),
        ("He is never happy", "never", "happy"),
        ('"The house was quite empty."', "quite", "empty"),
        ("It is cheap and very useful...", "very", "useful"),
        ("Very nice.", "very", "nice"),
    ],
)
def test_a_hit(parser, sentence, adverb, adjective):
    (found,) = find(parser, sentence)
    assert (found["adverb"], found["adjective"], found["sentence"]) == (adverb, adjective, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "This is a very good book.",
        "The soup was very cold and salty.",
        "She is really tall, I think.",
        "We have very few.",
        "The girl next door is pretty.",
        "He spoke very softly.",
        "There is definitely potential.",
        "They wanted to actually complete.",
        "Come as often possible.",
        "It was very cold; then it rained.",
    ],
)
def test_no_hit(parser, sentence):
    assert find(parser, sentence) == []


def test_spacys_attachment_to_the_copula_is_told_from_the_adjective(parser):
    found = find(parser, "The guns are probably scary.", "The soup is very cold.")
    assert [one["attachment"] for one in found] == ["copula", "adjective"]


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("The soup is really cold.", ""),
        ("I was tired because the road was really long.", ""),
        ("It isn't cheap, but it is really good.", ""),
        ("They’re really proud.", ""),
        ("Really good!", ""),
        ("Is the soup really cold?", "question"),
        ("The soup isn't very cold.", "already negated"),
        ("Nothing in this shop is really cheap.", "already negated"),
        ("He would have been often unhappy.", "be, been or being before the slot"),
        ("The soup should be very cold.", "be, been or being before the slot"),
        ("She looked really tired.", "another verb than be"),
        ("The news made them very happy.", "another verb than be"),
        ("You are so very kind.", "degree word before the slot"),
        ("The story is almost always true.", "degree word before the slot"),
        ("I am very, very tired.", "degree word before the slot"),
        ("The rivers are already pretty dirty.", "degree word before the slot"),
        ("The house is big, really big.", "adjective said before"),
        ("Like Armstrong on trumpet, maybe better!", "no verb before the slot"),
    ],
)
def test_negation_at_the_slot(parser, sentence, rule):
    (found,) = find(parser, sentence)
    assert found["negation"] == (rule or "natural")


def test_the_sentence_before_is_kept_if_it_is_complete(parser):
    (found,) = find(parser, "We drove up to the house. The garden was really quiet. We left.")
    assert (found["before"], found["sentence"]) == ("We drove up to the house.", "The garden was really quiet.")
    (found,) = find(parser, "Mrs. Edge was really quiet.")
    assert (found["before"], found["sentence"]) == ("", "Mrs. Edge was really quiet.")


def test_the_line_before_lends_its_last_sentence_in_files_that_run_on(parser):
    lines = ("One. Two came in.", "He was very tired.", "She was very glad.")
    assert [one["before"] for one in find(parser, *lines)] == ["", ""]
    found = find(parser, *lines, running=("a.txt",))
    assert [one["before"] for one in found] == ["Two came in.", "He was very tired."]
