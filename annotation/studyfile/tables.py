"""The settings of study.toml, table by table: those of the whole study here, those of its stages in `stages`.

A study's row has what these classes have: `study.lease_minutes`. All stands in one column, `declared`, but for what is
annotated as a `Column`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, overload

from annotation.languages import DEFAULT, is_tag, of_pages
from annotation.quality.policy import QUALITY
from annotation.setting import Choice, Column, Setting, Text, Texts, Tick, settings_in
from annotation.studyfile.collection import COLLECTION
from annotation.studyfile.leaving import CODES, RETURN
from annotation.studyfile.prompt import PROMPT
from annotation.studyfile.stages import STAGES
from annotation.tasktypes import task_settings
from corpus.arguments import is_slug


class Top:
    slug: Column = Text(label="URL name", like="lower-case letters, digits and hyphens, at most 80", test=is_slug)
    title: Column = Text(label="Title", help="Shown on every page.", most=200)
    instructions = Text(
        label="Instructions",
        help="Start a line with > to quote an example.",
        more="Markdown: paragraphs, emphasis, lists, quotations and tables, links. No HTML and no images; links lead "
        "to `https://`, `http://` or `mailto:` addresses, in a tab of their own. So are all longer texts below.",
        like="text that annotators read first",
        rows=18,
        markdown=True,
    )
    language = Choice(
        label="Language of annotators’ pages",
        more=(
            "Sets buttons, hints, messages and built-in scales; your own texts are not translated. You can add "
            "other languages (docs/annotators.md)."
        ),
        choices=dict.fromkeys(of_pages(), ""),
        default=DEFAULT,
    )


TOP = settings_in(Top)


class Scoring:
    metrics = Texts(
        label="Metrics",
        help="For example pll, causal.",
        like="metric names",
        repeat=True,
        default=[],
    )
    nonsubsective = Texts(
        label="Nonsubsective adjectives",
        help="Used only by the baseline that answers “less likely” for them.",
        like="adjectives",
        repeat=True,
        default=[],
    )


SCORING = settings_in(Scoring)
ACCURACY = "accuracy"
# What nearness to people is measured by; all but accuracy are for scales with an order.
MEASURES = {
    ACCURACY: "accuracy",
    "quadratic_kappa": "quadratic κ",
    "distance": "mean distance in steps",
    "spearman": "Spearman’s ρ",
}
# Of a study that names none, by its task type: ratings are means of points, and have no right answer.
MEASURE_OF_TYPE = {"rating": "spearman"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureChoice(Choice):
    """Read of a study that names none, it is that of the task type."""

    @overload
    def __get__(self, holder: None, owner: type) -> Self: ...
    @overload
    def __get__(self, holder: object, owner: type) -> str: ...
    def __get__(self, holder: Any, owner: type) -> Self | str:
        if holder is None:
            return self
        return self.declared_in(holder.declared, self.name) or usual_measure(holder.task_type)


def usual_measure(task_type: str) -> str:
    return MEASURE_OF_TYPE.get(task_type, ACCURACY)


class Results:
    measure = MeasureChoice(
        label="Measure",
        help="κ, distance and ρ need an ordered scale.",
        more="ρ is between a run’s scores and people’s mean ratings, κ is Cohen’s. Choose it before you look.",
        choices={"": "default: Spearman’s ρ for ratings, otherwise accuracy", **MEASURES},
        default="",
    )
    numbers = Texts(
        label="Numeric attributes",
        help="Results show them in bins and curves. For example intensity.",
        more=(
            "Results show accuracy by value and a regression. A study made of a table declares them when at least "
            "seven different values are numbers. Each value must be a number (`0.5`) or mark a missing one "
            "(`not found`, `NA`, `n/a`, `-`)."
        ),
        like="names of attributes, each once",
        default=[],
        of_items=True,
    )


RESULTS = settings_in(Results)
LANGUAGE = "a language tag of BCP 47, such as de or ar"


class Page:
    advance = Choice(
        label="Move to the next item by",
        choices={
            "choice": "choosing an answer, with a moment to undo",
            "enter": "pressing Enter or Continue",
        },
        side_by_side=True,
        default="choice",
    )
    stimulus_language = Text(
        label="Language of the items",
        help="Language tag, such as de or ar.",
        empty="same as the pages",
        more=(
            "Screen readers use it for pronunciation, and browsers for writing direction. Without it, the first "
            "letters of each text decide the direction."
        ),
        like=LANGUAGE,
        test=is_tag,
        default="",
    )
    text_language = Text(
        label="Language of your other texts",
        help="Title, instructions, questions. Language tag, such as de.",
        empty="same as the items",
        more='For English items with German instructions: `language = "de"`, `stimulus_language = "en"`, '
        '`text_language = "de"`.',
        like=LANGUAGE,
        test=is_tag,
        default="",
    )
    cannot_judge = Tick(label="Offer “I cannot judge this item”", help="The item goes to someone else.")
    report_problem = Tick(
        label="Offer “Report a problem with this item”",
        help="Participants can send you a short note.",
        more="500 characters at most.",
    )


PAGE = settings_in(Page)
# Beside its type; each type takes those that it declares.
TASK = task_settings()
# All but [task], which is the task type's, and the tables of the stages, which a study has or has not.
READ_BY_TABLE: dict[str, Mapping[str, Setting]] = {
    "collection": COLLECTION,
    "quality": QUALITY,
    "scoring": SCORING,
    "prompt": PROMPT,
    "results": RESULTS,
    "codes": CODES,
    "return": RETURN,
    "page": PAGE,
}
TABLES = ("task", *READ_BY_TABLE, *STAGES)
# Every setting by its path, such as `collection.labels_per_item`.
SETTINGS = TOP | {
    f"{table}.{name}": setting
    for table, settings in ({"task": TASK} | READ_BY_TABLE | STAGES).items()
    for name, setting in settings.items()
}
