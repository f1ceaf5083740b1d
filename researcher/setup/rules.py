"""How much is asked of whom, what is held against whom, in which language, and by what nearness is measured; and which
metrics a study can name.
"""

from collections import Counter
from dataclasses import dataclass

from django import forms
from django.db.models import QuerySet
from django.utils.translation import get_language_info

from annotation.languages import of_pages
from annotation.models import Study
from annotation.models.study import Lists, Measure, OptionOrder
from annotation.quality.policy import DROP, LIMITS, RECOLLECT
from annotation.tasktypes.asking import TEMPLATE
from researcher.setup.part_form import Lines, PartForm, line, number, pick, plain, share, tick, whole
from researcher.what_if import LABELS, SHARES
from scoring.metrics import METRICS
from scoring.models import LanguageModel
from scoring.runs.fitting import choices_for

HELP = {
    "max_attention_failures": "0: any failed check excludes.",
    "gold_tolerance": "From 0 to 1; 0.1 is a tenth of them.",
    "gold_distance": "How far from its reference an answer counts as wrong; 1 is any other answer.",
    "gold_least": "With fewer of them nothing is decided by gold.",
    "item_floor_ms": "A quicker answer counts as too quick.",
    "quick_tolerance": "From 0 to 1; with more of them, the annotator is excluded.",
    "sitting_floor_ms": "Of a sitting that is quicker, the annotator is excluded.",
    "timed_least": "With fewer of them nothing is decided by time.",
    "max_same_in_a_row": "The same label, or the same place on the page.",
    "max_in_pattern": "Two to five answers, again and again.",
    "stretch_chance": "From 0 to 1, by what others say of the same items: what is that likely is held against nobody.",
}
LARGEST = {"item_floor_ms": 1_000_000, "sitting_floor_ms": 1_000_000}


class LabelsForm(PartForm):
    key, heading = "labels", "Labels and sittings"
    says = "How many labels each item gets, and what one sitting has. Practice items come on top."
    of_path = False
    sections = (
        (
            "Labels",
            "",
            ("collection__labels_per_item", "collection__as_imported", "collection__max_items_per_annotator"),
        ),
        (
            "One sitting",
            "Checks are mixed in at random places. Their number is fixed when the study opens.",
            (
                "collection__sitting_length",
                "collection__attention_per_sitting",
                "collection__gold_per_sitting",
                "collection__lease_minutes",
            ),
        ),
        (
            "Balance",
            "Variants of one source are targets with the same group.",
            ("collection__lists", "collection__one_per_group", "collection__option_order"),
        ),
        (
            "Latin square by attribute",
            "",
            ("collection__condition_attribute", "collection__list_attribute"),
        ),
        ("Pay", "The payment queue says what an hour comes to.", ("collection__pay", "collection__currency")),
    )
    folded = ("Latin square by attribute",)

    collection__labels_per_item = whole("Labels for each target", "Only those that count.", least=1, most=1000)
    collection__as_imported = tick("No more labels are wanted than were imported")
    collection__max_items_per_annotator = whole(
        "Targets for one annotator, at most", "Over all of their sittings.", least=1, most=1_000_000
    )
    collection__sitting_length = whole("Targets in a sitting", least=1, most=1000)
    collection__attention_per_sitting = whole(
        "Attention checks in a sitting", "Items whose text asks for a certain answer.", least=0, most=100
    )
    collection__gold_per_sitting = whole(
        "Gold items in a sitting", "Clear cases with a known answer.", least=0, most=100
    )
    collection__lease_minutes = whole(
        "Minutes that items are held", "Without an answer, they go to others afterwards.", least=1, most=10_080
    )
    collection__lists = pick(
        "Lists",
        [
            (Lists.NONE.value, "None"),
            (Lists.LATIN_SQUARE.value, "Latin square: an annotator meets one variant of every source"),
        ],
    )
    collection__condition_attribute = line(
        "Condition",
        "An attribute that each list has equally often. Empty: the one that tells variants apart.",
    )
    collection__list_attribute = line("List", "The attribute that says each item’s list. Empty: lists are made.")
    collection__one_per_group = tick("Nobody sees two targets of one group, without lists")
    collection__option_order = pick(
        "Order of an item’s options",
        [(one.value, one.label.capitalize()) for one in OptionOrder],
        "A scale with an order keeps it.",
    )
    collection__pay = line("Pay for one sitting", "A number, such as 2.50. People read what stands under Information.")
    collection__currency = line("Currency", "Three capital letters, such as GBP.")


class QualityForm(PartForm):
    key, heading = "quality", "Quality policy"
    says = (
        "Whoever breaks one of these rules is excluded: their labels stay stored and stop counting. Payment is decided "
        "apart. The policy is fixed, and hashed, when the study opens."
    )
    of_path = False
    sections = (
        ("Attention checks", "", ("quality__max_attention_failures",)),
        ("Gold items", "", ("quality__gold_tolerance", "quality__gold_distance", "quality__gold_least")),
        (
            "Time",
            "Quantiles of a pilot’s response times propose floors.",
            (
                "quality__item_floor_ms",
                "quality__quick_tolerance",
                "quality__sitting_floor_ms",
                "quality__timed_least",
            ),
        ),
        (
            "The same answers again and again",
            "",
            ("quality__max_same_in_a_row", "quality__max_in_pattern", "quality__stretch_chance"),
        ),
        ("What becomes of their items", "", ("quality__after_exclusion",)),
    )

    quality__after_exclusion = pick(
        "Items that lose a label to an excluded annotator",
        [
            (RECOLLECT, "Are offered again, until they have all their labels"),
            (DROP, "Are dropped, with the other labels that they have"),
        ],
        "Dropped, they are not in the majority, and nobody is asked for them.",
    )

    def more_fields(self) -> dict[str, forms.Field]:
        return {f"quality__{name}": _limit(name) for name in LIMITS}


class LanguageForm(PartForm):
    key, heading = "language", "Languages"
    says = (
        "Buttons, hints and built-in scales are in the pages’ language; your own texts stay as you wrote them. Screen "
        "readers and the direction of writing go by what is said here."
    )
    of_path = False

    language = pick("Annotators’ pages", [(tag, get_language_info(tag)["name"]) for tag in of_pages()])
    page__stimulus_language = line("Items’ texts", "A language tag, such as de or ar. Empty: that of the pages.")
    page__text_language = line(
        "Title, instructions, questions and the other texts of yours",
        "A language tag. Empty: that of the items’ texts.",
    )


class ResultsForm(PartForm):
    key, heading = "scoring", "Scoring and results"
    says = "What models are asked of each item, and what nearness to people is measured by."
    of_path = False

    results__measure = pick(
        "Nearness to people is measured by",
        [(one.value, one.label.capitalize()) for one in Measure],
        "All but accuracy are for scales with an order.",
    )
    results__numbers = Lines(
        label="Attributes that are numbers",
        help_text="Names of items’ attributes, one on a line, such as intensity: results show them in bins and curves.",
    )
    scoring__metrics = Lines(
        label="Metrics", help_text="Names as in the page on metrics, one on a line, such as pll or causal."
    )
    scoring__nonsubsective = Lines(
        label="Nonsubsective adjectives",
        help_text="One on a line; only for the baseline that calls them less likely.",
    )


class PromptForm(PartForm):
    key, heading = "prompt", "Asking models in words"
    says = (
        "For the metrics prompted and sampled. A run keeps the prompt that it was started with, under a version of its "
        "own; started again with another, it begins anew."
    )
    of_path = False
    sections = (
        ("What is said", "", ("prompt__system", "prompt__template", "prompt__shots")),
        (
            "Several asks",
            "For the metric sampled alone: replies are read as text, and the most frequent answer decides. "
            "An item has no decision where it changes with the order of the options.",
            ("prompt__asks", "prompt__temperature", "prompt__answer_tokens"),
        ),
    )

    prompt__system = plain("System message", "Empty: the instructions that annotators read.")
    prompt__template = plain(
        "The user’s message",
        "{item}, {question}, {options} and {letters} are filled in. Empty: " + TEMPLATE.replace("\n", " "),
    )
    prompt__shots = Lines(
        label="Shots",
        help_text="Ids of practice items, one on a line: each is shown before, with its reference as the answer.",
    )
    prompt__asks = whole(
        "Asks of each item",
        "Raised until every order is asked equally often: two orders on a scale, otherwise one per option.",
        least=1,
        most=100,
    )
    prompt__temperature = number("Temperature", "From 0 to 2.", least=0, most=2)
    prompt__answer_tokens = whole(
        "Tokens of a reply, at most", "More than a few where the prompt asks for reasons first.", least=1, most=8192
    )


def _limit(name: str) -> forms.Field:
    if name in SHARES:
        return share(LABELS[name], HELP[name])
    return whole(LABELS[name], HELP[name], least=0, most=LARGEST.get(name, 32_767))


@dataclass(frozen=True, slots=True)
class Measured:
    """Keys of metrics: `named` by the study, others that a model here has for its items, and those that none has;
    `measures` are keys and words of what nearness to people is measured by.
    """

    named: list[str]
    fitting: list[tuple[str, int]]
    others: list[str]
    measures: list[tuple[str, str]]


def read_measured(study: Study, *, among: QuerySet[LanguageModel]) -> Measured:
    """`fitting` has how many of the models `among` them have each."""
    having = Counter(metric.key for _, fitting in choices_for(study, among=among) for metric in fitting)
    rest = [key for key in METRICS if key not in study.metrics]
    return Measured(
        list(study.metrics),
        [(key, having[key]) for key in rest if having[key]],
        [key for key in rest if not having[key]],
        [(one.value, one.label) for one in Measure],
    )
