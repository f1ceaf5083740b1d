"""What columns are called, in whatever language: which field of an item each is by its head alone."""

import re
from collections.abc import Sequence

from annotation.itemfile import KINDS as ITEM_KINDS
from annotation.tasktypes.contract import TaskType
from annotation.tasktypes.words import bare_name
from corpus.decimals import plain_number, says_nothing
from corpus.tables.heads import BY_NUMBER
from stimuli.datasets.table.columns import KINDS

LONGEST_VALUE = 60
# Of a column of ids, at least this share of its values.
MOST_DIFFER = 0.9
MOST_VALUES = 40
NAMES = {
    "id": ("itemid", "item", "uid", "key", "index", "idx", "number", "no", "nr"),
    "kind": ("type", "itemtype"),
    "reference": ("label", "gold", "goldlabel", "answer", "correct", "target", "class", "expected", "truth"),
    "strength": (
        "frequency",
        "meanrating",
        "ratingmean",
        "meanacceptability",
        "meanjudgment",
        "meanjudgement",
        "averagerating",
        "mittlerebewertung",
        "mittleresurteil",
        "durchschnittsbewertung",
        "notemoyenne",
        "puntuaciónmedia",
    ),
    "group": ("pair", "pairid", "set", "family", "template", "block", "item", "itemid", "itemnumber", "itemnr"),
}
# What a mean is called that may be of anything; of ratings where the scale stands behind it: `Mittelwert (1–7)`.
MEANS = frozenset((
    "mean", "average", "m", "score", "rating", "acceptability", "mittelwert", "mittel", "mw",
    "durchschnitt", "bewertung", "akzeptabilität", "moyenne", "note", "media", "promedio",
    "valutazione", "puntuación", "média", "gemiddelde", "oordeel", "średnia", "ocena", "medel",
    "medelvärde", "gennemsnit", "среднее", "оценка", "平均", "平均值", "平均分", "評価", "평균",
))  # fmt: skip
OF_A_SCALE = re.compile(
    r"(.*\S)\s*[(\[（]\s*-?\d+\s*(?:-|–|—|\.\.\.?|…|to|bis|à|a|al|tot|do|till|til|до|至|[~〜～])\s*\+?\d+\s*[)\]）]"
)
# Of these, `group` is a list of people in files for PCIbex, and the source is what all its lists share.
SOURCES = ("item", "itemid", "itemnumber", "itemno", "itemnr", "itemset")
LISTS = ("group", "list")
# What is crossed with lists as sources are, and is none, by how its name begins: conditions, places, people.
CROSSED = ("cond", "pos", "trial", "order", "block", "participant", "subj", "person", "worker", "speaker", "level",
           "factor", "version", "type", "kind")  # fmt: skip
# What a column without a name is called, and ids by other names.
NAMELESS = re.compile(rf"{BY_NUMBER.pattern}|unnamed: \d+", re.IGNORECASE)
IDS = ("num", "row", "rowid", "pid", "sid")
# What a sentence is called elsewhere, alone or with a number: `Satz`, `Satz 1`, `frase_a`, `句子`.
SENTENCE = re.compile(
    r"(sentences?|texts?|stimulus|stimuli|utterances?|satz|sätze|äusserung|aeusserung|phrases?|frases?|oración|oracion|"
    r"zin|zdanie|mening|предложение|фраза|текст|句子?|例?文|文章|문장|جملة|משפט)([12ab]?)"
)
PLACES = {"a": "1", "b": "2"}
# What may stand behind a role of PAIRS: `good sentence` is `good`, and `guter Satz` `gut`.
OF_TEXTS = re.compile(r"(?<=.)(sentence|(er)?satz|option|(e)?version|(e)?variante|item)s?$")
PAIR = ("first", "second")
NUMBERED = re.compile(r"(option|choice|answer|candidate|ending)\w{1,2}")
# Roles of two options as published pairs call them: the first is the right one.
PAIRS = (
    ("good", "bad"),
    ("grammatical", "ungrammatical"),
    ("plausible", "implausible"),
    ("correct", "incorrect"),
    ("right", "wrong"),
    ("acceptable", "unacceptable"),
    ("grammatisch", "ungrammatisch"),
    ("akzeptabel", "inakzeptabel"),
    ("korrekt", "inkorrekt"),
    ("richtig", "falsch"),
    ("gut", "schlecht"),
)


def by_name(sample: dict[str, list[str]], task: type[TaskType]) -> dict[str, str]:
    """Field → column, of what is called so and can be it."""
    candidates = {field.name: (field.name, *field.also_called) for field in task.content_fields}
    candidates |= {name: (name, *others) for name, others in NAMES.items()}
    plain = {_as_sentence(column): column for column in reversed(sample)}
    plain |= {bare_name(column): column for column in reversed(sample)}
    plain = {_without_scale(column): column for column in reversed(sample)} | plain
    mapping: dict[str, str] = {}
    # Every field's own name first, then what it is also called.
    for place in range(max(map(len, candidates.values()))):
        for field, names in candidates.items():
            column = plain.get(bare_name(names[place]), "") if place < len(names) else ""
            if column and field not in mapping and column not in mapping.values() and fits(field, sample[column]):
                mapping[field] = column
    return mapping


def _without_scale(column: str) -> str:
    """A column's bare name before the ends of a scale, in which any word for a mean is the mean rating."""
    before = OF_A_SCALE.fullmatch(column.strip().casefold())
    name = bare_name(before[1] if before else column)
    return "meanrating" if before and name in MEANS else name


def _as_sentence(column: str) -> str:
    """A column's bare name, in which another word for a sentence is this one: `sentence1` of `Satz 1` and `Frase A`."""
    name = bare_name(column)
    called = SENTENCE.fullmatch(name)
    return f"sentence{PLACES.get(called[2], called[2])}" if called else name


def fits(field: str, texts: Sequence[str]) -> bool:
    """Whether a column of such a name can be that: ids are there and differ, labels are few and short."""
    filled = [text for text in texts if text]
    match field:
        case "id":
            # One that is there twice by mistake is marked in its row.
            differ = len(set(filled)) >= MOST_DIFFER * len(filled)
            return len(filled) == len(texts) and differ and all(len(text.split()) == 1 for text in filled)
        case "kind":
            return {KINDS.get(text.casefold(), text.casefold()) for text in filled if not says_nothing(text)} <= {
                *ITEM_KINDS
            }
        case "reference":
            return all(len(text) <= LONGEST_VALUE for text in filled) and len(set(filled)) <= MOST_VALUES
        case "strength":
            return all(
                re.fullmatch(r"[-+]?(\d++(\.\d++)?|\.\d++)([eE][-+]?\d+)?", plain_number(text)) for text in filled
            )
        case "group":
            return len(set(filled)) < len(filled)
    return True
