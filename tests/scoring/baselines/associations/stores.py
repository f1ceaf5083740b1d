"""Stores for tests: from counts written by hand, or from a small text that is really parsed and counted."""

import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from scoring.baselines.associations.growing import Growing, Source, publish
from scoring.baselines.associations.reading import Associations, open_store
from scoring.baselines.associations.tally import Tally
from scoring.baselines.associations.vectors import FEWEST_WORDS
from tests.settings import SHARED_FOLDER

BY_HAND = {"finder": "by hand", "schema": "1", "window": 10}
SOURCE = Source("0" * 64, "by-hand.txt", 1, 1, "plain", "")


def quiet(line: str) -> None:
    """For what a command would say."""


def counted(folder: Path, tally: Tally) -> Associations:
    """A finished store with just these counts."""
    with closing(Growing(folder / "growing.sqlite3", counted_with=BY_HAND)) as growing:
        growing.begin([SOURCE])
        growing.add(tally, blocks=1)
        growing.end()
        manifest = publish(growing, folder, keep_earlier=False, say=quiet)
    return open_store(folder, manifest.content)


# Enough words for vectors, verbs met twice with the same noun, and words met once and twice in every length.
TEXT = """\
The chef tasted the soup. The chef tasted the soup again. The chef cooked the meal in the kitchen.
The waiter served the soup to the guest. The waiter served the meal to the guest. The guest tasted the meal.
The cop arrested the thief. The cop arrested the thief in the street. The thief was arrested by the cop.
The thief stole the purse from the lady. The thief stole the purse. The lady called the cop in the street.
The guest paid the bill in the kitchen. The lady paid the bill. The chef burned the soup and the meal.
The dog chased the cat in the street. The cat chased the mouse. The dog chased the cat. The mouse fled quickly.
The doctor examined the patient with a lamp. The doctor examined the patient. The patient thanked the doctor.
A key opens doors. A long sentence says nothing in particular. The lamp lights the kitchen.
The guest called the waiter. The waiter called the doctor. The chef called the cop. The dog tasted the meal.
""".replace(". ", ".\n")
# What the text is counted for often enough, so that vectors have something to stand on.
TIMES = 4


def small_text() -> str:
    """TEXT several times, with sequences of words that are met once and twice in between: discounts come from them."""
    return "\n".join(
        f"{TEXT}The guest number {number // 2} left the kitchen.\nThe guest number {number + 10} slept.\n"
        for number in range(TIMES)
    )


@cache
def small_store() -> tuple[Path, str]:
    """The folder of a store that was counted from TEXT with spaCy, and its content's hash."""
    from scoring.baselines.associations.counting import Wanted, count

    folder = Path(tempfile.mkdtemp(prefix="associations-", dir=SHARED_FOLDER))
    text = folder / "small.txt"
    text.write_text(small_text())
    done = count(Wanted(sources=[text]), folder / "small", say=quiet)
    return folder / "small", done.manifest.content


def words_in_two_circles():
    """Twice as many words as are needed, each beside the others of its own circle."""
    tally = Tally()
    for circle in "xy":
        words = [f"{circle}{chr(97 + n)}" for n in range(FEWEST_WORDS)]
        tally.lemmas.update({(word, "N"): 10 for word in words})
        tally.windows.update({(one, other): 1 + place % 3 for place, one in enumerate(words) for other in words})
    return tally
