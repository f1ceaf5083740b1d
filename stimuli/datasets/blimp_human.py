"""BLiMP's human validation: what 345 people chose of five pairs a paradigm becomes a study with their labels.

A pair was shown in either order, so that its two sentences name it. Each submission of five had one attention check.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation.elsewhere.labelfile import LabelRow
from annotation.itemfile import ItemRow
from annotation.tasktypes.forced_choice import ForcedChoice
from corpus.errors import Fault, SourceError
from stimuli.datasets.published import DataSet, Reading, SourceLine, filled, one_of, read_table
from stimuli.making.settings import study_settings

COLUMNS = ("hit", "worker", "status", "item", "paradigm", "sentence_1", "sentence_2", "good", "choice")
ROLES = ("acceptable", "unacceptable")
CHECK = "attnchk"
REJECTED = "Rejected"
# About so many people judged a pair; each had four pairs and one check in a submission.
LABELS, PAIRS, CHECKS = 20, 4, 1

# The 12 phenomena, each with its field and its paradigms, as published with the models' results.
PHENOMENA: dict[tuple[str, str], tuple[str, ...]] = {
    ("anaphor_agreement", "morphology"): ("anaphor_gender_agreement", "anaphor_number_agreement"),
    ("argument_structure", "syntax"): (
        "animate_subject_passive", "animate_subject_trans", "causative", "drop_argument", "inchoative", "intransitive",
        "passive_1", "passive_2", "transitive",
    ),
    ("binding", "syntax_semantics"): (
        "principle_A_c_command", "principle_A_case_1", "principle_A_case_2", "principle_A_domain_1",
        "principle_A_domain_2", "principle_A_domain_3", "principle_A_reconstruction",
    ),
    ("control_raising", "syntax_semantics"): (
        "existential_there_object_raising", "existential_there_subject_raising", "expletive_it_object_raising",
        "tough_vs_raising_1", "tough_vs_raising_2",
    ),
    ("determiner_noun_agreement", "morphology"): (
        "determiner_noun_agreement_1", "determiner_noun_agreement_2", "determiner_noun_agreement_irregular_1",
        "determiner_noun_agreement_irregular_2", "determiner_noun_agreement_with_adj_2",
        "determiner_noun_agreement_with_adj_irregular_1", "determiner_noun_agreement_with_adj_irregular_2",
        "determiner_noun_agreement_with_adjective_1",
    ),
    ("ellipsis", "syntax"): ("ellipsis_n_bar_1", "ellipsis_n_bar_2"),
    ("filler_gap_dependency", "syntax"): (
        "wh_questions_object_gap", "wh_questions_subject_gap", "wh_questions_subject_gap_long_distance",
        "wh_vs_that_no_gap", "wh_vs_that_no_gap_long_distance", "wh_vs_that_with_gap",
        "wh_vs_that_with_gap_long_distance",
    ),
    ("irregular_forms", "morphology"): ("irregular_past_participle_adjectives", "irregular_past_participle_verbs"),
    ("island_effects", "syntax"): (
        "adjunct_island", "complex_NP_island", "coordinate_structure_constraint_complex_left_branch",
        "coordinate_structure_constraint_object_extraction", "left_branch_island_echo_question",
        "left_branch_island_simple_question", "sentential_subject_island", "wh_island",
    ),
    ("npi_licensing", "semantics"): (
        "matrix_question_npi_licensor_present", "npi_present_1", "npi_present_2", "only_npi_licensor_present",
        "only_npi_scope", "sentential_negation_npi_licensor_present", "sentential_negation_npi_scope",
    ),
    ("quantifiers", "semantics"): (
        "existential_there_quantifiers_1", "existential_there_quantifiers_2", "superlative_quantifiers_1",
        "superlative_quantifiers_2",
    ),
    ("subject_verb_agreement", "morphology"): (
        "distractor_agreement_relational_noun", "distractor_agreement_relative_clause",
        "irregular_plural_subject_verb_agreement_1", "irregular_plural_subject_verb_agreement_2",
        "regular_plural_subject_verb_agreement_1", "regular_plural_subject_verb_agreement_2",
    ),
}  # fmt: skip
PARADIGMS = {name: kind for kind, names in PHENOMENA.items() for name in names}
# Tried on people and not published: most chose the other sentence of some pairs.
UNPUBLISHED = (
    "coordinate_structure_constraint_subject_extraction",
    "subject_island",
    "wh_questions_object_gap_long_distance",
)

INSTRUCTIONS = """\
You will see two sentences that are nearly the same. One is a sentence that a native speaker of \
English would say; in the other, something is wrong. Choose the one that sounds better.

Some sentences say odd things. Judge only their grammar. One of the pairs asks you to choose a \
certain sentence; please do what it says.
"""
PAPER = (
    "Warstadt, Parrish, Liu, Mohananey, Peng, Wang and Bowman (2020). BLiMP: The Benchmark of Linguistic Minimal "
    "Pairs for English. TACL 8, 377–392"
)
LICENSE = "CC BY 4.0"
ABOUT = f"""\
The pairs, the people’s choices and the attention checks are those of BLiMP’s human validation, collected on Amazon \
Mechanical Turk: {PAPER}. From [github.com/alexwarstadt/blimp](https://github.com/alexwarstadt/blimp), commit 3e56b06, \
license [{LICENSE}](https://creativecommons.org/licenses/by/4.0/). Names of workers were replaced by numbers.
"""

Pair = frozenset[str]


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of every pair with all that people chose; `limit` keeps the first pairs of each paradigm."""
    lines = read_table(source, columns=COLUMNS)
    faults = [fault for line in lines for fault in _faults(line)] or list(_disagreeing(lines))
    if faults:
        raise SourceError(source, faults)
    rows, names = _items(lines, limit)
    labels = list(_labels(lines, names))
    submissions = {line["hit"]: line for line in lines}
    rejected = Counter(line["worker"] for line in submissions.values() if line["status"] == REJECTED)
    many = Counter(row.kind for row in rows)
    people = len({label.annotator for label in labels})
    return Reading(
        settings=_settings(),
        rows=rows,
        sources=[source],
        options={"limit": limit},
        counts={
            "lines": len(lines),
            "submissions": len(submissions),
            "items": many["target"],
            "attention_checks": many["attention"],
            "people": people,
            "labels": len(labels),
            "submissions_rejected_by_the_platform": rejected.total(),
        },
        dropped=list(_dropped(lines, names)),
        # The platform's verdict is kept beside the labels and decides nothing: the study has rules of its own.
        notes={"rejected_by_the_platform": dict(sorted(rejected.items()))},
        labels=labels,
        labels_note=_note(len(submissions), rejected),
        summary=[
            f"{len(labels)} labels of {people} people on {many['target']} pairs and {many['attention']} attention "
            f"checks; the platform rejected {rejected.total()} of {len(submissions)} submissions"
        ],
    )


def _settings() -> dict[str, Any]:
    settings = study_settings(
        slug="blimp-human",
        title="Acceptability of minimal pairs (BLiMP)",
        instructions=INSTRUCTIONS,
        task={"type": ForcedChoice.key, "question": "Which sentence sounds better?", "options": list(ROLES)},
        metrics=("pll_within_word_l2r", "causal"),
        labels_per_item=LABELS,
        sitting_length=PAIRS,
        attention=CHECKS,
        most_items=sum(map(len, PHENOMENA.values())) * 5,
    )
    collection = settings["collection"] | {"as_imported": True}
    return settings | {"collection": collection, "information": {"text": ABOUT}}


def _note(submissions: int, rejected: Counter[str]) -> str:
    """Whom it rejected stands in the manifest alone: not everybody who reads the note may see annotators' names."""
    return (
        f"Amazon Mechanical Turk, which rejected {rejected.total():,} of {submissions:,} submissions, of "
        f"{len(rejected):,} people. These rejections exclude no one here; the study’s rules do"
    )


def _faults(line: SourceLine) -> Iterator[Fault]:
    for column in ("hit", "worker", "sentence_1", "sentence_2"):
        yield from filled(line, column)
    yield from one_of(line, "status", ("Approved", REJECTED))
    yield from one_of(line, "paradigm", (*PARADIGMS, *UNPUBLISHED, CHECK))
    yield from one_of(line, "good", ("1", "2"))
    yield from one_of(line, "choice", ("", "1", "2"))
    if line["sentence_1"] == line["sentence_2"]:
        yield Fault(f"{line.where}.sentence_2", "is the same as sentence_1")


def _disagreeing(lines: Sequence[SourceLine]) -> Iterator[Fault]:
    """The lines that call another sentence of a pair good than an earlier one."""
    good: dict[tuple[str, Pair], SourceLine] = {}
    for line in lines:
        first = good.setdefault(_pair(line), line)
        if _good(first) != _good(line):
            yield Fault(f"{line.where}.good", f"is the other sentence on {first.where}")


def _pair(line: SourceLine) -> tuple[str, Pair]:
    return line["paradigm"], frozenset((line["sentence_1"], line["sentence_2"]))


def _good(line: SourceLine) -> str:
    return line[f"sentence_{line['good']}"]


def _items(lines: Sequence[SourceLine], limit: int | None) -> tuple[list[ItemRow], dict[tuple[str, Pair], str]]:
    """The items, by phenomenon and paradigm and within one as they come, then the checks; and the name of each pair."""
    by_paradigm: dict[str, dict[tuple[str, Pair], SourceLine]] = defaultdict(dict)
    for line in lines:
        by_paradigm[line["paradigm"]].setdefault(_pair(line), line)
    rows: list[ItemRow] = []
    names: dict[tuple[str, Pair], str] = {}
    for paradigm in (*PARADIGMS, CHECK):
        pairs = list(by_paradigm[paradigm].items())
        for number, (pair, line) in enumerate(pairs if paradigm == CHECK else pairs[:limit], start=1):
            rows.append(_row(line, number))
            names[pair] = rows[-1].id
    return rows, names


def _row(line: SourceLine, number: int) -> ItemRow:
    good = _good(line)
    (other,) = _pair(line)[1] - {good}
    content = {"options": dict(zip(ROLES, (good, other), strict=True))}
    paradigm = line["paradigm"]
    if paradigm == CHECK:
        return ItemRow(f"attention-{number}", content, "attention", ROLES[0])
    phenomenon, field = PARADIGMS[paradigm]
    attributes = {"phenomenon": phenomenon, "field": field, "paradigm": paradigm}
    return ItemRow(f"{paradigm}-{number}", content, "target", ROLES[0], attributes)


def _labels(lines: Sequence[SourceLine], names: dict[tuple[str, Pair], str]) -> Iterator[LabelRow]:
    """What was chosen, by role. A person with several submissions met a check again: each is a label of its own."""
    repeats: Counter[tuple[str, str]] = Counter()
    for line in lines:
        if (item := names.get(_pair(line))) is None or not line["choice"]:
            continue
        repeats[line["worker"], item] += 1
        label = ROLES[line["choice"] != line["good"]]
        yield LabelRow(item, line["worker"], label, repeat=repeats[line["worker"], item])


def _dropped(lines: Sequence[SourceLine], names: dict[tuple[str, Pair], str]) -> Iterator[dict[str, Any]]:
    for paradigm in sorted({line["paradigm"] for line in lines} & set(UNPUBLISHED)):
        yield {"paradigm": paradigm, "why": "not among the 67 published"}
    for line in lines:
        if not line["choice"] and _pair(line) in names:
            yield {"line": line.number, "why": "no sentence was chosen"}


IMPORTER = DataSet(
    key="blimp-human",
    help="BLiMP's human validation (Warstadt et al. 2020): people's choices for five pairs per paradigm",
    paper=PAPER,
    license=LICENSE,
    read=read,
)
