"""`a` or `an`, by the sound that the next word begins with (American English)."""

import re

# A letter that begins with a consonant sound: a university, a European, a one-way street, a ukulele.
CONSONANT = re.compile(
    r"eu|ew|one(?:s|self|ness|time)?(?![a-z])|once(?![a-z])|ouija"
    r"|uni(?!n|m(?!od)|d(?!ir)|r|ss|ll)|unan|us(?=[aeiu])|ut(?=[eio])|utah"
    r"|ur(?=an[iu]|ana|in[ae]|ea|eth|et|ug|ol)|uk|ubi|uvul|ufo(?:s?)(?![a-z])|uv(?![a-z])|usb"
)
# A consonant that is silent or begins with a vowel: an hour, an heir, an herb, an X-ray.
VOWEL = re.compile(r"hour|honest|honou?r|heir|herb|x-?ray|y(?=[^aeiouy\W])|[fhlmnrsx](?=-\w)|8|11(?!\d)|18(?!\d)")
# What a letter's own name begins with, for words that are spelled out.
SPELLED_VOWEL = frozenset("AEFHILMNORSX")
SPOKEN = frozenset(("NASA", "NATO", "UNICEF", "UNESCO", "LEGO", "RAM", "ROM", "LED"))


def article(following: str) -> str:
    """The indefinite article before this word (or the words that begin with it)."""
    word = following.split()[0].lstrip("\"'(")
    if len(word) > 1 and word.isalpha() and word.isupper() and word not in SPOKEN:
        return "an" if word[0] in SPELLED_VOWEL else "a"
    low = word.casefold()
    if VOWEL.match(low):
        return "an"
    return "an" if low[:1] in "aeiou" and not CONSONANT.match(low) else "a"
