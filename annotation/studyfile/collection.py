"""`[collection]` of study.toml: how many labels are wanted, who may come, what they are shown, and their pay."""

import re

from annotation.arrival.id_pattern import is_pattern
from annotation.platforms import PLATFORMS, Recovery
from annotation.quality.policy import FIXED
from annotation.setting import (
    BEGUN,
    OPENED,
    Choice,
    Column,
    Fixed,
    Several,
    Text,
    Texts,
    Tick,
    Whole,
    matching,
    settings_in,
)
from corpus.arguments import is_slug

LATIN_SQUARE, BALANCED, IN_ORDER = "latin_square", "balanced", "fixed"
SIGNS = {"£": "GBP", "€": "EUR", "$": "USD"}
WANTED = Fixed(when=OPENED, because="its number of labels is locked")
RECOGNIZED = Fixed(when=BEGUN, because="returning people are recognized by it")


def _is_parameter(value: str) -> bool:
    # Taken: these words mark people who came by the link alone, from a label file or by simulation.
    return value not in ("link", "imported", "synthetic") and bool(re.fullmatch(r"[A-Za-z0-9_]{1,60}", value))


class Collection:
    labels_per_item = Whole(
        label="Labels per item",
        help="Excluded labels do not count.",
        least=1,
        most=1000,
        fixed=WANTED,
        of_items=True,
    )
    as_imported: Column = Tick(
        label="Collect no labels beyond imported ones",
        more="The study then counts as complete regardless of `labels_per_item`, and no one is offered an item.",
        fixed=WANTED,
        of_items=True,
    )
    sitting_length = Whole(label="Items per batch", more="Checks and practice come on top.", least=1, most=1000)
    gold_per_sitting = Whole(
        label="Gold items per batch",
        help="Clear items with a known answer.",
        more="No annotator sees one twice.",
        most=100,
        default=0,
        fixed=FIXED,
        of_items=True,
    )
    attention_per_sitting = Whole(
        label="Attention checks per batch",
        help="Items whose text says which answer to give.",
        more="No annotator sees one twice.",
        most=100,
        default=0,
        fixed=FIXED,
        of_items=True,
    )
    max_items_per_annotator = Whole(
        label="Maximum items per annotator", help="Across all batches.", least=1, most=1_000_000
    )
    lease_minutes = Whole(
        label="Hold unanswered items for … minutes",
        help="After that, other people can answer them.",
        more="Before the first answer, at most ten minutes, unless `max_unanswered` is 0. Two minutes before "
        "the end, the page asks whether the person is still there.",
        least=1,
        most=10_080,
        unit="minutes",
        default=60,
    )
    platform: Column = Choice(
        label="Recruitment platform",
        help="Sets ID format, URL parameters and return address.",
        more="Those are `id_parameter`, `id_pattern`, `id_required`, `study_parameter`, `session_parameter`, "
        "`recovery` and the addresses of `[return]` (below).",
        choices={"": "None (open link)", **{key: one.name for key, one in PLATFORMS.items()}},
        default="",
        fixed=RECOGNIZED,
    )
    id_parameter = Text(
        label="URL parameter with the participant ID",
        help="For example PROLIFIC_PID in ?PROLIFIC_PID=…",
        like="the name of a query parameter other than link, imported and synthetic",
        test=_is_parameter,
        default="annotator",
        fixed=RECOGNIZED,
    )
    id_pattern = Text(
        label="ID format",
        help="Regular expression, such as [0-9a-f]{24}.",
        empty="any ID",
        most=200,
        like="a regular expression of at most 200 characters that is fast to match",
        test=is_pattern,
        default="",
    )
    id_required = Tick(
        label="Require a participant ID",
        help="Turns away empty IDs and placeholders.",
    )
    signed_ids = Tick(
        label="Require a personal link",
        help="Create them under Collect, Links.",
        more="See docs/annotators.md.",
    )
    study_parameter = Text(
        label="URL parameter with the platform’s study ID",
        more="It is stored with the batch.",
        like="the name of a query parameter",
        test=_is_parameter,
        default="STUDY_ID",
    )
    session_parameter = Text(
        label="URL parameter with the platform’s session ID",
        more="It is stored with the batch.",
        like="the name of a query parameter",
        test=_is_parameter,
        default="SESSION_ID",
    )
    recovery = Several(
        label="Resume in another browser with",
        help="If neither, only you can allow it, under Payment.",
        choices={
            Recovery.SESSION.value: "the same platform session ID",
            Recovery.PERSONAL_LINK.value: "their personal link",
        },
        default=[Recovery.PERSONAL_LINK.value],
    )
    excludes = Texts(
        label="Turn away participants of these studies",
        help="By URL name. Lists of IDs go under Collect, Import.",
        more="People who have started there with the same ID under the same `id_parameter` cannot start "
        "here. Each study of a group names the others. `python manage.py import_exclusions SLUG FILE` imports a list "
        "as well.",
        like="slugs of other studies",
        test=is_slug,
        default=[],
    )
    max_starts = Whole(
        label="Maximum starts per link",
        help="Declined, screened-out and abandoned starts do not count.",
        empty="no limit",
        more="See docs/annotators.md.",
        most=1_000_000,
        default=0,
    )
    max_unanswered = Whole(
        label="Maximum people per link without a first answer",
        empty="no limit, as for a class that starts together",
        more="People who are idle for long also make room for new ones (docs/annotators.md).",
        most=1_000_000,
        default=50,
    )
    lists = Choice(
        label="Lists",
        more=(
            "Items that share a `group` are variants of one source. They are spread over as many lists as a source "
            "has variants (below)."
        ),
        choices={"": "none", LATIN_SQUARE: "Latin square: each annotator sees one variant per source"},
        default="",
        of_items=True,
    )
    condition_attribute = Text(
        label="Condition",
        help="Attribute to balance over lists.",
        empty="the attribute in which variants differ",
        more="With `lists` alone.",
        most=200,
        like="the name of an attribute",
        default="",
        of_items=True,
    )
    list_attribute = Text(
        label="List",
        help="Attribute that names each item’s list.",
        empty="lists are made",
        more="Only with `lists`; for example `group` of PCIbex. A source must not appear twice on one list.",
        most=200,
        like="the name of an attribute",
        default="",
        of_items=True,
    )
    one_per_group = Tick(label="Never show two variants of one item to the same person", of_items=True)
    option_order = Choice(
        label="Order of an item’s options",
        help="Ordered scales keep their order.",
        more=(
            "With `balanced`, each option appears in each position equally often, as far as the number of labels "
            "allows. `forced_choice` is random by default; the others keep the order of their scale."
        ),
        choices={
            "": "default of the task",
            "random": "random for each annotator",
            BALANCED: "every option equally often in every position",
            IN_ORDER: "fixed order of the scale",
        },
        default="",
    )
    pay: Column = Text(
        label="Pay per submission",
        help="For example 2.50. People read it before they start.",
        more="Payment shows the hourly rate. People read `pay` of `[information]` instead, where it is set; if it "
        "names only other amounts, or another currency, the study’s page warns.",
        like='an amount such as "2.50"',
        amount=True,
        # Text: a number of TOML would be a binary fraction, which money is not.
        test=matching(r"\d{1,5}(\.\d{1,2})?"),
        default="",
    )
    currency = Text(
        label="Currency",
        help="For example GBP.",
        more="Applies to `pay` and to bonuses.",
        like="three capital letters, such as GBP",
        signs=SIGNS,
        test=matching(r"[A-Z]{3}"),
        default="",
    )
    forget_after_days: Column = Whole(
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
    )


COLLECTION = settings_in(Collection)
