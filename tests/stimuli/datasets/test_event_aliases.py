"""The authors' own stimulus files: the same pairs as in the clean sets that were made of them."""

from pathlib import Path

import pytest

from corpus.errors import SourceError
from stimuli.datasets.events.load import IMPORTER
from stimuli.datasets.events.source import SETS, Pair, read_pairs
from tests.shared_data import shared

ADAPT = """\
,ItemNumber,Voice,Plausible/Implausible,Stimulus,OriginalSentence,EvType
0,1,active,plausible,The cook fried the egg.,The cook fried an egg.,AI
1,1,active,implausible,The egg fried the cook.,The cook fried an egg.,AI
2,7,active,plausible,The king met the queen.,The king met the queen.,AAR
3,7,active,plausible,The queen met the king.,The king met the queen.,AAR
"""
REV = """\
0\tThe cop is arresting the thief .\tPlausible\tcop:nsubj arrest:root thief:obj \r
1\tThe thief is arresting the cop .\tImplausible\tthief:nsubj arrest:root cop:obj \r
"""
DTFIT = """\
0\tThe actor won the battle .\tanimate-inanimate\tAT\tactor:nsubj win:root battle:obj \r
1\tThe actor won the award .\tanimate-inanimate\tT\tactor:nsubj win:root award:obj \r
"""
# How many more pairs the authors' files hold than the clean sets.
SHARED = [
    ("eventsadapt", "newsentences_EventsAdapt.csv", "EventsAdapt", 50),
    ("eventsrev", "ev1_deps.txt", "EventsRev", 2),
    ("dtfit", "DTFit_vassallo_deps.txt", "DTFit", 4),
]


def written(folder: Path, text: str) -> Path:
    path = folder / "stimuli.txt"
    path.write_bytes(text.encode())
    return path


def sentences(pairs: list[Pair]) -> set[tuple[str, str, str, str]]:
    return {(pair.voice, pair.plausible, pair.implausible, pair.trial_type) for pair in pairs}


def test_a_heading_of_its_own(tmp_path):
    pairs = read_pairs(written(tmp_path, ADAPT), SETS["eventsadapt"])
    assert [(one.item, one.trial_type, one.plausible, one.implausible) for one in pairs] == [
        (1, "AI", "The cook fried the egg.", "The egg fried the cook."),
        (7, "AAR", "The king met the queen.", "The queen met the king."),
    ]


@pytest.mark.parametrize(
    ("events", "text", "pair"),
    [
        ("eventsrev", REV, ("The cop is arresting the thief.", "The thief is arresting the cop.")),
        ("dtfit", DTFIT, ("The actor won the award.", "The actor won the battle.")),
    ],
)
def test_a_parsed_file_brings_its_parses_along(tmp_path, events, text, pair):
    path = written(tmp_path, text)
    (found,) = read_pairs(path, SETS[events])
    assert ((found.plausible, found.implausible), found.item, found.voice) == (pair, 1, "active")
    made = IMPORTER.load(path, slug="", title="", limit=None, options={"set": events, "as": "pairs"})
    assert [one["name"] for one in made.manifest["sources"]] == ["stimuli.txt"]
    if events == "dtfit":
        assert made.rows[0].attributes["condition"] == "animate–inanimate"


@pytest.mark.parametrize(
    ("events", "text", "message"),
    [
        ("eventsadapt", REV, "a parsed file has no trial types"),
        ("eventsadapt", ADAPT.replace("implausible", "odd"), "'Odd' is not one of Plausible, Implausible"),
        ("eventsrev", REV.replace("Implausible", "Odd"), "line 2: must have a number, a sentence, one of"),
        ("eventsrev", REV.splitlines()[0], "item 1 has no Implausible sentence"),
        ("eventsadapt", "0\tThe cook fried the egg .\n", "say neither item nor plausibility"),
    ],
)
def test_faults_are_named(tmp_path, events, text, message):
    with pytest.raises(SourceError) as caught:
        read_pairs(written(tmp_path, text), SETS[events])
    assert message in str(caught.value)


@pytest.mark.parametrize(("events", "alias", "clean", "more"), SHARED)
def test_every_published_pair_is_there(events, alias, clean, more):
    own = read_pairs(shared(f"event_knowledge/stimuli/{alias}"), SETS[events])
    published = read_pairs(shared(f"event_knowledge/clean/clean_{clean}_SentenceSet.csv"), SETS[events])
    assert sentences(published) <= sentences(own)
    assert len(own) == len(published) + more
