"""The settings of study.toml, table by table: those of the whole study here, those of its stages in `stages`."""

import re

from annotation.arrival.id_pattern import is_pattern
from annotation.languages import DEFAULT, is_tag, of_pages
from annotation.platforms import PLATFORMS, Recovery
from annotation.quality.policy import FIXED, QUALITY
from annotation.setting import BEGUN, OPENED, Choice, Fixed, Setting, Several, Text, Texts, Tick, Whole, matching
from annotation.studyfile.leaving import CODES, RETURN
from annotation.studyfile.prompt import PROMPT
from annotation.studyfile.stages import STAGES
from annotation.tasktypes import task_settings
from corpus.arguments import is_slug


def _is_parameter(value: str) -> bool:
    # Those who come by the link alone, from a label file or by simulation are told apart by these words.
    return value not in ("link", "imported", "synthetic") and bool(re.fullmatch(r"[A-Za-z0-9_]{1,60}", value))


TOP: dict[str, Setting] = {
    "slug": Text(label="URL name", like="lower-case letters, digits and hyphens, at most 80", test=is_slug),
    "title": Text(label="Title", help="Shown on every page.", most=200),
    "instructions": Text(
        label="Instructions",
        help="Start a line with > to quote an example.",
        more="Markdown: paragraphs, emphasis, lists, quotations and tables, links. No HTML and no images; links lead "
        "to `https://`, `http://` or `mailto:` addresses, in a tab of their own. So are all longer texts below.",
        like="text that annotators read first",
        rows=18,
        markdown=True,
    ),
    "language": Choice(
        label="Language of annotators’ pages",
        more=(
            "Sets buttons, hints, messages and built-in scales; your own texts are not translated. You can add "
            "other languages (docs/annotators.md)."
        ),
        choices=dict.fromkeys(of_pages(), ""),
        default=DEFAULT,
    ),
}
WANTED = Fixed(when=OPENED, because="its number of labels is locked")
RECOGNIZED = Fixed(when=BEGUN, because="returning people are recognized by it")
COLLECTION: dict[str, Setting] = {
    "labels_per_item": Whole(
        label="Labels per item",
        help="Excluded labels do not count.",
        least=1,
        most=1000,
        fixed=WANTED,
        of_items=True,
    ),
    "as_imported": Tick(
        label="Collect no labels beyond imported ones",
        more="The study then counts as complete regardless of `labels_per_item`, and no one is offered an item.",
        fixed=WANTED,
        of_items=True,
    ),
    "sitting_length": Whole(label="Items per batch", more="Checks and practice come on top.", least=1, most=1000),
    "gold_per_sitting": Whole(
        label="Gold items per batch",
        help="Clear items with a known answer.",
        more="No annotator sees one twice.",
        most=100,
        default=0,
        fixed=FIXED,
        of_items=True,
    ),
    "attention_per_sitting": Whole(
        label="Attention checks per batch",
        help="Items whose text says which answer to give.",
        more="No annotator sees one twice.",
        most=100,
        default=0,
        fixed=FIXED,
        of_items=True,
    ),
    "max_items_per_annotator": Whole(
        label="Maximum items per annotator", help="Over all their batches.", least=1, most=1_000_000
    ),
    "lease_minutes": Whole(
        label="Hold unanswered items for … minutes",
        help="After that, other people can answer them.",
        more="Before the first answer, at most ten minutes, unless `max_unanswered` is 0. Two minutes before "
        "the end, the page asks whether the person is still there.",
        least=1,
        most=10_080,
        unit="minutes",
        default=60,
    ),
    "platform": Choice(
        label="Recruitment platform",
        help="Sets ID format, URL parameters and return address.",
        more="Those are `id_parameter`, `id_pattern`, `id_required`, `study_parameter`, `session_parameter`, "
        "`recovery` and the addresses of `[return]` (below).",
        choices={"": "None (open link)", **{key: one.name for key, one in PLATFORMS.items()}},
        default="",
        fixed=RECOGNIZED,
    ),
    "id_parameter": Text(
        label="URL parameter with the participant ID",
        help="For example PROLIFIC_PID in ?PROLIFIC_PID=…",
        like="the name of a query parameter other than link, imported and synthetic",
        test=_is_parameter,
        default="annotator",
        fixed=RECOGNIZED,
    ),
    "id_pattern": Text(
        label="ID format",
        help="Regular expression for the whole ID, such as [0-9a-f]{24}.",
        empty="any ID",
        most=200,
        like="a regular expression of at most 200 characters that is fast to match",
        test=is_pattern,
        default="",
    ),
    "id_required": Tick(
        label="Require a participant ID",
        help="People with an empty ID or a placeholder are turned away.",
    ),
    "signed_ids": Tick(
        label="Require a personal link",
        help="Create them from your IDs in Collect, under Links.",
        more="See docs/annotators.md.",
    ),
    "study_parameter": Text(
        label="URL parameter with the platform’s study ID",
        more="It is stored with the batch.",
        like="the name of a query parameter",
        test=_is_parameter,
        default="STUDY_ID",
    ),
    "session_parameter": Text(
        label="URL parameter with the platform’s session ID",
        more="It is stored with the batch.",
        like="the name of a query parameter",
        test=_is_parameter,
        default="SESSION_ID",
    ),
    "recovery": Several(
        label="Resume in another browser with",
        help="If neither, only you can allow it, under Payment.",
        choices={
            Recovery.SESSION.value: "the same platform session ID",
            Recovery.PERSONAL_LINK.value: "their personal link",
        },
        default=[Recovery.PERSONAL_LINK.value],
    ),
    "excludes": Texts(
        label="Turn away participants of these studies",
        help="By URL name. You can also import lists of IDs in Collect.",
        more="People who have started there with the same ID under the same `id_parameter` cannot start "
        "here. Each study of a group names the others. `python manage.py import_exclusions SLUG FILE` imports a list "
        "as well.",
        like="slugs of other studies",
        test=is_slug,
        default=[],
    ),
    "max_starts": Whole(
        label="Maximum starts per link",
        help="Declined, screened-out and abandoned starts do not count.",
        empty="no limit",
        more="See docs/annotators.md.",
        most=1_000_000,
        default=0,
    ),
    "max_unanswered": Whole(
        label="Maximum people per link without a first answer",
        empty="no limit, as for a class that starts together",
        more="People who are idle for long also make room for new ones (docs/annotators.md).",
        most=1_000_000,
        default=50,
    ),
    "lists": Choice(
        label="Lists",
        more=(
            "Items that share a `group` are variants of one source. They are spread over as many lists as a source "
            "has variants (below)."
        ),
        choices={"": "none", "latin_square": "Latin square: each annotator sees one variant per source"},
        default="",
        of_items=True,
    ),
    "condition_attribute": Text(
        label="Condition",
        help="Attribute to balance over lists.",
        empty="the attribute in which variants differ",
        more="With `lists` alone.",
        most=200,
        like="the name of an attribute",
        default="",
        of_items=True,
    ),
    "list_attribute": Text(
        label="List",
        help="Attribute that names each item’s list.",
        empty="lists are made",
        more="Only with `lists`; for example `group` of PCIbex. A source must not appear twice on one list.",
        most=200,
        like="the name of an attribute",
        default="",
        of_items=True,
    ),
    "one_per_group": Tick(label="Never show two variants of one item to the same person", of_items=True),
    "option_order": Choice(
        label="Order of an item’s options",
        help="Ordered scales keep their order.",
        more=(
            "With `balanced`, each option appears in each position equally often, as far as the number of labels "
            "allows. `forced_choice` is random by default; the others keep the order of their scale."
        ),
        choices={
            "": "default of the task",
            "random": "random for each annotator",
            "balanced": "every option equally often in every position",
            "fixed": "fixed order of the scale",
        },
        default="",
    ),
    "pay": Text(
        label="Pay per submission",
        help="For example 2.50. People read it before they start.",
        more="Payment shows the hourly rate. People read `pay` of `[information]` instead, where it is set; if it "
        "names only other amounts, or another currency, the study’s page warns.",
        like='an amount such as "2.50"',
        amount=True,
        # Text: a number of TOML would be a binary fraction, which money is not.
        test=matching(r"\d{1,5}(\.\d{1,2})?"),
        default="",
    ),
    "currency": Text(
        label="Currency",
        help="For example GBP.",
        more="Applies to `pay` and to bonuses.",
        like="three capital letters, such as GBP",
        test=matching(r"[A-Z]{3}"),
        default="",
    ),
    "forget_after_days": Whole(
        label="Erase platform IDs after … days",
        help="Counted from the participant’s last visit.",
        empty="never",
        more=(
            "That is their last answer or, without one, their last step before the items. Leave time to pay: "
            "Prolific approves automatically after 21 days."
        ),
        most=3650,
        unit="days",
        default=0,
    ),
}
SCORING: dict[str, Setting] = {
    "metrics": Texts(
        label="Metrics",
        help="For example pll, causal.",
        like="metric names",
        repeat=True,
        default=[],
    ),
    "nonsubsective": Texts(
        label="Nonsubsective adjectives",
        help="Used only by the baseline that answers “less likely” for them.",
        like="adjectives",
        repeat=True,
        default=[],
    ),
}
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
RESULTS: dict[str, Setting] = {
    "measure": Choice(
        label="Measure",
        help="κ, distance and ρ need an ordered scale.",
        more="ρ is between a run’s scores and people’s mean ratings, κ is Cohen’s. Choose it before you look.",
        choices={"": "default: Spearman’s ρ for ratings, otherwise accuracy", **MEASURES},
        default="",
    ),
    "numbers": Texts(
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
    ),
}
LANGUAGE = "a language tag of BCP 47, such as de or ar"
PAGE: dict[str, Setting] = {
    "advance": Choice(
        label="Move to the next item by",
        choices={
            "choice": "choosing an answer, with a moment to undo",
            "enter": "pressing Enter or Continue",
        },
        side_by_side=True,
        default="choice",
    ),
    "stimulus_language": Text(
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
    ),
    "text_language": Text(
        label="Language of your other texts",
        help="Title, instructions, questions. Language tag, such as de.",
        empty="same as the items",
        more='For English items with German instructions: `language = "de"`, `stimulus_language = "en"`, '
        '`text_language = "de"`.',
        like=LANGUAGE,
        test=is_tag,
        default="",
    ),
    "cannot_judge": Tick(label="Offer “I cannot judge this item”", help="The item goes to someone else."),
    "report_problem": Tick(
        label="Offer “Report a problem with this item”",
        help="Participants can send you a short note.",
        more="500 characters at most.",
    ),
}
# Beside its type; each type takes those that it declares.
TASK = task_settings()
# All but [task], which is the task type's, and the tables of the stages, which a study has or has not.
READ_BY_TABLE = {
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
