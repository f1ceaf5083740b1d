"""The settings of study.toml, table by table: those of the whole study here, those of its stages in `stages`."""

import re

from annotation.languages import DEFAULT, is_tag, of_pages
from annotation.platforms import PLATFORMS, Recovery
from annotation.quality.policy import FIXED, QUALITY
from annotation.setting import BEGUN, OPENED, Choice, Fixed, Setting, Several, Text, Texts, Tick, Whole, matching
from annotation.studyfile.leaving import CODES, RETURN
from annotation.studyfile.prompt import PROMPT
from annotation.studyfile.stages import STAGES
from corpus.arguments import is_slug


def _is_parameter(value: str) -> bool:
    # Those who come by the link alone, from a label file or by simulation are told apart by these words.
    return value not in ("link", "imported", "synthetic") and bool(re.fullmatch(r"[A-Za-z0-9_]{1,60}", value))


def _is_pattern(value: str) -> bool:
    try:
        return bool(re.compile(value))
    except re.error:
        return False


TOP: dict[str, Setting] = {
    "slug": Text(
        label="The study’s name in addresses and commands",
        like="lower-case letters, digits and hyphens, 80 at most",
        test=is_slug,
    ),
    "title": Text(label="Title", help="Of the study, on every page.", most=200),
    "instructions": Text(
        label="Instructions",
        help="Quotations (> at the start of a line) suit examples.",
        more="Markdown: paragraphs, emphasis, lists, quotations and tables, links. No HTML and no images; links lead "
        "to `https://`, `http://` or `mailto:` addresses, in a tab of their own. So are all longer texts below.",
        like="the text that annotators read first",
        rows=18,
        markdown=True,
    ),
    "language": Choice(
        label="Annotators’ pages",
        more="Buttons, hints and refusals, and the words of the built-in scales, are in it; your own texts stay as you "
        "wrote them. Another can be added (docs/annotators.md).",
        choices=dict.fromkeys(of_pages(), ""),
        default=DEFAULT,
    ),
}
WANTED = Fixed(when=OPENED, because="its number of labels is fixed")
RECOGNIZED = Fixed(when=BEGUN, because="by it those who come again are recognized")
COLLECTION: dict[str, Setting] = {
    "labels_per_item": Whole(
        label="Labels for each target",
        help="Only those that count.",
        least=1,
        most=1000,
        fixed=WANTED,
        of_items=True,
    ),
    "as_imported": Tick(
        label="No more labels are wanted than were imported",
        more="The study is then complete whatever `labels_per_item` says, and nobody is offered an item.",
        fixed=WANTED,
        of_items=True,
    ),
    "sitting_length": Whole(label="Targets in a sitting", more="Checks and practice come on top.", least=1, most=1000),
    "gold_per_sitting": Whole(
        label="Gold items in a sitting",
        help="Clear cases with a known answer.",
        more="An annotator meets each only once.",
        most=100,
        default=0,
        fixed=FIXED,
        of_items=True,
    ),
    "attention_per_sitting": Whole(
        label="Attention checks in a sitting",
        help="Items whose text asks for a certain answer.",
        more="An annotator meets each only once.",
        most=100,
        default=0,
        fixed=FIXED,
        of_items=True,
    ),
    "max_items_per_annotator": Whole(
        label="Targets for one annotator, at most", help="Over all of their sittings.", least=1, most=1_000_000
    ),
    "lease_minutes": Whole(
        label="Minutes that items are held",
        help="Without an answer, they go to others afterwards.",
        more="Until the first answer ten minutes at most, unless `max_unanswered` is 0; two minutes before, the page "
        "asks whether somebody is still there.",
        least=1,
        most=10_080,
        unit="minutes",
        default=60,
    ),
    "platform": Choice(
        label="Who sends participants",
        help="It sets what ids look like, by which parameters they come, and where people are led back to, unless you "
        "have said otherwise.",
        more="Those are `id_parameter`, `id_pattern`, `id_required`, `study_parameter`, `session_parameter`, "
        "`recovery` and the addresses of `[return]` (below).",
        choices={"": "nobody in particular: an open link", **{key: one.name for key, one in PLATFORMS.items()}},
        default="",
        fixed=RECOGNIZED,
    ),
    "id_parameter": Text(
        label="Query parameter with the id",
        help="Such as PROLIFIC_PID in ?PROLIFIC_PID=…",
        like="the name of a query parameter other than link, imported and synthetic",
        test=_is_parameter,
        default="annotator",
        fixed=RECOGNIZED,
    ),
    "id_pattern": Text(
        label="Pattern of ids",
        help="A regular expression that every id fits as a whole, such as [0-9a-f]{24}.",
        empty="any id",
        most=200,
        like="a regular expression of 200 characters at most",
        test=_is_pattern,
        default="",
    ),
    "id_required": Tick(
        label="Nobody begins without an id",
        help="An empty id, or a placeholder that was not filled in, is refused in a sentence.",
    ),
    "signed_ids": Tick(
        label="Nobody begins without a personal link",
        help="Make them from your ids in Collect, under Links.",
        more="See docs/annotators.md.",
    ),
    "study_parameter": Text(
        label="Query parameter with the platform’s id of the study",
        more="It is kept with the sitting.",
        like="the name of a query parameter",
        test=_is_parameter,
        default="STUDY_ID",
    ),
    "session_parameter": Text(
        label="Query parameter with the platform’s id of the visit",
        more="It is kept with the sitting.",
        like="the name of a query parameter",
        test=_is_parameter,
        default="SESSION_ID",
    ),
    "recovery": Several(
        label="By what somebody may go on in another browser",
        help="With neither, only you can let them, in the payment queue.",
        choices={
            Recovery.SESSION.value: "the platform’s id of the visit, if it is the same",
            Recovery.PERSONAL_LINK.value: "their personal link",
        },
        default=[Recovery.PERSONAL_LINK.value],
    ),
    "excludes": Texts(
        label="Studies whose participants may not begin here",
        help="Their names in addresses. Lists of ids are imported in Collect.",
        more="Whoever has begun there with the same id under the same `id_parameter` cannot begin here. Each study of "
        "a group names the others. `python manage.py import_exclusions SLUG FILE` imports a list as well.",
        like="slugs of other studies",
        test=is_slug,
        default=[],
    ),
    "max_starts": Whole(
        label="Sittings that begin by one link, at most",
        help="Starts that came to nothing (declined, screened out, left) make room again. It holds for every link that "
        "has no limit of its own.",
        empty="any number",
        more="See docs/annotators.md.",
        most=1_000_000,
        default=0,
    ),
    "max_unanswered": Whole(
        label="Sittings of one link that hold items without an answer yet, at once",
        empty="any number, as for a class that begins together",
        more="Beside it, whoever is still for long gives way to those who come (docs/annotators.md).",
        most=1_000_000,
        default=50,
    ),
    "lists": Choice(
        label="Lists",
        more="Items that share a `group` are variants of one source, spread over as many lists as a source has "
        "variants (below).",
        choices={"": "none", "latin_square": "Latin square: an annotator meets one variant of every source"},
        default="",
        of_items=True,
    ),
    "condition_attribute": Text(
        label="Condition",
        help="An attribute that each list has equally often.",
        empty="the one that tells variants apart",
        more="With `lists` alone.",
        most=200,
        like="the name of an attribute",
        default="",
        of_items=True,
    ),
    "list_attribute": Text(
        label="List",
        help="The attribute that says each item’s list.",
        empty="lists are made",
        more="With `lists` alone; such as `group` of PCIbex. A source must not lie twice on one list.",
        most=200,
        like="the name of an attribute",
        default="",
        of_items=True,
    ),
    "one_per_group": Tick(label="Nobody sees two targets of one group, without lists", of_items=True),
    "option_order": Choice(
        label="Order of an item’s options",
        help="A scale with an order keeps it.",
        more="With `balanced`, over an item’s labels each option stands at each place as equally often as their number "
        "allows. `forced_choice` draws by itself; the others keep their scale’s own order.",
        choices={
            "": "as the task type has it",
            "random": "drawn for each annotator",
            "balanced": "every option equally often at every place",
            "fixed": "the scale's own",
        },
        default="",
    ),
    "pay": Text(
        label="Pay for one sitting",
        help="A number, such as 2.50. People read what stands under Information.",
        more="The payment queue says what an hour comes to; where `pay` of `[information]` names other amounts only, "
        "or another currency, the study’s page warns.",
        like='an amount as text, such as "2.50"',
        # Text: a number of TOML would be a binary fraction, which money is not.
        test=matching(r"\d{1,5}(\.\d{1,2})?"),
        default="",
    ),
    "currency": Text(
        label="Currency",
        help="Three capital letters, such as GBP.",
        more="Of `pay` and of bonuses.",
        like="three capital letters, such as GBP",
        test=matching(r"[A-Z]{3}"),
        default="",
    ),
    "forget_after_days": Whole(
        label="Days until a platform’s id is erased",
        help="Counted from when somebody was here last, paid or not.",
        empty="never by itself",
        more="That is their last answer, or, of who gave none, the last step before the items (begun, consented, tried "
        "the questions, read the instructions). Leave time to pay: Prolific approves by itself after 21 days.",
        most=3650,
        unit="days",
        default=0,
    ),
}
SCORING: dict[str, Setting] = {
    "metrics": Texts(
        label="Metrics",
        help="Names as in the page on metrics, such as pll or causal.",
        like="metric names",
        repeat=True,
        default=[],
    ),
    "nonsubsective": Texts(
        label="Nonsubsective adjectives",
        help="Only for the baseline that calls them less likely.",
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
    "distance": "mean distance in degrees",
    "spearman": "Spearman’s ρ",
}
# Of a study that names none, by its task type: ratings are means of points, and have no right answer.
MEASURE_OF_TYPE = {"rating": "spearman"}
RESULTS: dict[str, Setting] = {
    "measure": Choice(
        label="Nearness to people is measured by",
        help="All but accuracy are for scales with an order.",
        more="ρ is between a run’s scores and people’s mean ratings, κ is Cohen’s. Choose it before you look.",
        choices={"": "as the task type has it: Spearman’s ρ of ratings, else accuracy", **MEASURES},
        default="",
    ),
    "numbers": Texts(
        label="Attributes that are numbers",
        help="Names of items’ attributes, such as intensity: results show them in bins and curves.",
        more="Beside them, how often a run is right, and in a regression. Wherever an item has one, its text must be a "
        "number (`0.5`), or say that there is none (`not found`, `NA`, `n/a`, `-`).",
        like="names of attributes, each once",
        default=[],
        of_items=True,
    ),
}
LANGUAGE = "a language tag of BCP 47, such as de or ar"
PAGE: dict[str, Setting] = {
    "advance": Choice(
        label="What moves the page on to the next item",
        choices={
            "choice": "choosing an answer; for a moment it can be undone",
            "enter": "Enter, or the button Continue",
        },
        side_by_side=True,
        default="choice",
    ),
    "stimulus_language": Text(
        label="Items’ texts",
        help="A language tag, such as de or ar.",
        empty="that of the pages",
        more="Screen readers pronounce them in it, and browsers write them from right to left where its script does. "
        "Where it is not given, each text runs as its first letters do.",
        like=LANGUAGE,
        test=is_tag,
        default="",
    ),
    "text_language": Text(
        label="Title, instructions, questions and the other texts of yours",
        help="A language tag.",
        empty="that of the items’ texts",
        more='For English items with German instructions: `language = "de"`, `stimulus_language = "en"`, '
        '`text_language = "de"`.',
        like=LANGUAGE,
        test=is_tag,
        default="",
    ),
    "cannot_judge": Tick(
        label="Offer “I cannot judge this item”",
        help="It moves on without a label, which somebody else is asked for.",
    ),
    "report_problem": Tick(
        label="Offer “Report a problem with this item”",
        help="A short text to you, beside the answer.",
        more="500 characters at most.",
    ),
}
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
    for table, settings in (READ_BY_TABLE | STAGES).items()
    for name, setting in settings.items()
}
