"""How the LSTM reads a text: its sentences, and their words (docs/metrics.md, R1 and R2). The standard library only.

Close to what word-level models of English are trained on (Penn Treebank clitics, hyphens parted as in OntoNotes 5),
but for digits, which stand one by one: figures are no reason then to leave a text unscored.
"""

import re
import unicodedata

# Raised when the same text gives other words, so that models and prepared text of before are refused.
VERSION = "1"
MARKS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
DASHES = re.compile(r"--+|[–—―]")
# Where a sentence may end: its mark, what closes with it, and after white space something that can begin another.
ENDS = re.compile(r"[.!?]+[\"')\]]*(?=\s+[\"'(\[]*(?:[^\W\d_a-z]|\d))")
LAST_WORD = re.compile(r"[^\s\"'(\[]+$")
ABBREVIATIONS = frozenset(
    "mr|mrs|ms|messrs|mme|dr|prof|st|rev|hon|gov|sen|rep|gen|col|capt|maj|lt|sgt|vs|cf|e.g|i.e".split("|")  # noqa: SIM905
)
LETTERS = r"[^\W\d_]"
CLITIC = r"'(?:s|re|ve|ll|d|m)"
WORD = re.compile(rf"{CLITIC}(?!{LETTERS})|{LETTERS}+(?:'{LETTERS}+)*|\d|[^\s\w]|_")
ENDS_IN_CLITIC = re.compile(rf"(.+?)(n't|{CLITIC})")


def sentences(text: str) -> list[list[str]]:
    """The words of each sentence of a text, in lower case; sentences without words are left out."""
    found = [words(sentence) for sentence in _parted(_plain(text))]
    return [one for one in found if one]


def words(sentence: str) -> list[str]:
    """The words of one sentence: letters together, clitics apart, digits and all other marks one by one."""
    parts: list[str] = []
    for match in WORD.finditer(_plain(sentence).lower()):
        parts += _without_clitics(match.group())
    return parts


def _plain(text: str) -> str:
    """One way of writing letters (NFKC), quotation marks and dashes."""
    return DASHES.sub("—", unicodedata.normalize("NFKC", text).translate(MARKS))


def _parted(text: str) -> list[str]:
    parts, begin = list[str](), 0
    for match in ENDS.finditer(text):
        if not _abbreviates(text[begin : match.start()], match.group()):
            parts.append(text[begin : match.end()])
            begin = match.end()
    return [*parts, text[begin:]]


def _abbreviates(before: str, mark: str) -> bool:
    """Whether a period belongs to what stands before it: a title, or one letter of a name (but not `I`)."""
    last = LAST_WORD.search(before)
    if not mark.startswith(".") or last is None:
        return False
    word = last.group()
    return word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "I")


def _without_clitics(word: str) -> list[str]:
    """`wouldn't've` as would, n't, 've."""
    match = ENDS_IN_CLITIC.fullmatch(word)
    return [*_without_clitics(match.group(1)), match.group(2)] if match else [word]
