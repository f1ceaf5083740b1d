"""The options of the intensifier builder, besides those of every corpus, and its words: its own lists, words of a
command line, or files with one a line, and perhaps an adverb's class.
"""

import re
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from corpus.arguments import Help, whole
from corpus.errors import Fault, SourceError
from corpus.source_text import rows, source_bytes

CLASSES = {
    "temporal": ("never", "sometimes", "already", "often", "generally", "usually", "frequently", "always"),
    "epistemic": ("maybe", "perhaps", "possibly", "probably", "actually", "really", "certainly", "definitely"),
    "neutral": ("hardly", "slightly", "basically", "quite", "pretty", "very", "seriously", "completely"),
}
CLASS_OF = {adverb: name for name, adverbs in CLASSES.items() for adverb in adverbs}
ADVERBS = tuple(CLASS_OF)
NEGATION = "not"

# One word of letters: the rule for hits looks at a single word before the adjective.
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
COMMENT = "#"
COMBINATIONS = 40


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that negate what follows them.
NEGATIVE = _words("""
    not n't n’t never no nothing nobody none nowhere neither nor hardly barely scarcely rarely seldom
    without cannot ain't aint arent cant couldnt didnt doesnt dont hasnt havent isnt wasnt werent wont
    wouldnt shouldnt
""")
# Where a clause begins that an earlier negation does not reach.
ENDS_SCOPE = _words("""
    , ; : -- – — ( ) … but because since although though while whereas if when which so until unless
    cause cuz yet
""")
# "So very good": the degree word goes with the adverb, and "so not good" is no plain negation.
BINDS_TIGHTLY = _words("""
    so too how such very pretty quite rather almost nearly slightly fairly somewhat extremely completely
    totally absolutely incredibly super far equally most more less least kinda sorta
""")
# Tagged as adjectives, but they count or point; negating them is another matter than intensifying them.
QUANTIFIERS = _words("""
    enough few fewer first last least less little many more most much next other own same several such
""")
# Words in -ly are adverbs that the tagger took for adjectives, but for these.
ADJECTIVES_IN_LY = _words("""
    beastly brotherly bubbly burly chilly comely costly courtly cowardly crinkly cuddly curly daily
    deadly dastardly disorderly early earthly elderly fatherly friendly ghastly ghostly godly grisly
    heavenly hilly holy homely hourly jolly kindly leisurely likely lively lonely lovely lowly manly
    measly melancholy monthly motherly neighborly neighbourly nightly oily orderly otherworldly prickly
    queenly saintly scholarly shapely sickly silly sisterly sly smelly sparkly sprightly squiggly
    stately surly timely ugly unearthly unfriendly ungainly unholy unlikely unruly unseemly unsightly
    untimely unworldly weekly wily wobbly womanly woolly worldly wrinkly yearly
""")
# "as often possible", "more often wrong": the adverb belongs to the word before it.
BINDS_THE_ADVERB = _words("""
    as least less more most
""")
# Known to everyone, but not in word lists.
ABBREVIATIONS = _words("""
    ad am app bc cgi dj dvd ep etc fbi id mr mrs ms nba nfl ok pc phd pm pr rpg tv uk us usa vs
""")
# "…, right?" at the end of a statement.
ASKS_FOR_ASSENT = _words("""
    correct no ok okay right true yes
""")


def _add_lists(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--adverbs",
        nargs="+",
        default=list(ADVERBS),
        metavar="ADVERB|FILE",
        help=Help(
            "only these adverbs, or files of them: one per line, optionally with a class in a second column "
            f"(default: these 24: {', '.join(ADVERBS)})",
            page="Only these, one word per line.",
        ),
    )
    parser.add_argument(
        "--adjectives",
        nargs="+",
        default=[],
        metavar="ADJECTIVE|FILE",
        help=Help(
            "only these, or files of them, one per line (default: all)",
            page="Only these, one per line. Empty: all.",
        ),
    )


def add_own_arguments(parser: ArgumentParser) -> None:
    _add_lists(parser)
    parser.add_argument(
        "--running",
        nargs="+",
        default=[],
        metavar="NAME",
        help="corpus files in which each line continues the previous one (a sentence or a turn per line, a blank line "
        "between documents): the context may then come from the previous line",
    )
    parser.add_argument(
        "--by-adverb",
        action="store_true",
        help=Help("one study for each adverb in the corpus", "One study per adverb"),
    )
    parser.add_argument(
        "--combinations",
        type=whole(2),
        default=COMBINATIONS,
        metavar="N",
        help="adjectives per adverb (%(default)s)",
    )
    parser.add_argument(
        "--attachment",
        choices=("adjective", "either"),
        default="either",
        help="what the adverb may modify: only the adjective, or also its copula (%(default)s)",
    )
    parser.add_argument("--keep-offensive", action="store_true", help="do not drop sentences with offensive words")
    parser.add_argument(
        "--bigrams",
        type=Path,
        metavar="FILE",
        help=Help(
            "CSV with adverb, adjective, ln_ngram_freq (default: the table in symspellpy)",
            "Frequencies",
            page="CSV with adverb, adjective, ln_ngram_freq. Empty: a packaged table.",
        ),
    )


def read_adverbs(selection: Sequence[str]) -> dict[str, str]:
    """Adverb → class, in the order asked for; empty where nobody names the class. SourceError with every fault."""
    classes: dict[str, str] = {}
    for one in selection:
        listed = _listed(Path(one), columns=2) if is_file(one) else [[one.casefold(), ""]]
        for word, name in listed:
            if not WORD.fullmatch(word):
                raise SourceError(Path(one), [Fault("--adverbs", f"{word!r} is neither a word nor a file")])
            classes.setdefault(word, name or CLASS_OF.get(word, ""))
    return classes


def read_adjectives(selection: Sequence[str]) -> frozenset[str]:
    """Those that hits are held to; empty where all are wanted."""
    words: set[str] = set()
    for one in selection:
        words |= {word for word, _ in _listed(Path(one), columns=1)} if is_file(one) else {one.casefold()}
    return frozenset(words)


def is_file(text: str) -> bool:
    """Whether it names a file and no word: no word has a point or a slash."""
    return "." in text or "/" in text or Path(text).is_file()


def list_files(*selections: Sequence[str]) -> list[Path]:
    """The files among what was asked for, for the manifest."""
    return [Path(one) for some in selections for one in some if is_file(one)]


def _parting(data: bytes) -> str:
    """What parts a word from its class: rows may have one cell or two, so that no table is looked for."""
    return "\t" if b"\t" in data else ";" if b";" in data.split(b"\n", 1)[0] else ","


def _listed(path: Path, *, columns: int) -> list[list[str]]:
    """Words and classes; lines that begin with # say something else. SourceError with every fault, by line."""
    data = source_bytes(path)
    entries: list[list[str]] = []
    faults: list[Fault] = []
    for number, cells in rows(data, delimiter=_parting(data)):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
            continue
        word, *more = [cell.strip() for cell in cells]
        if word.startswith(COMMENT) or not any([word, *more]):
            continue
        if not WORD.fullmatch(word):
            faults.append(Fault(f"line {number}", f"{word!r} is not one word of letters"))
        elif len(more) >= columns:
            faults.append(Fault(f"line {number}", f"has {len(cells)} cells; the limit is {columns}"))
        entries.append([word.casefold(), more[0] if more else ""])
    if not faults and not entries:
        faults.append(Fault("file", "contains no words"))
    if faults:
        raise SourceError(path, faults)
    return entries
