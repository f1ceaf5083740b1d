"""The settings of study.toml, table by table."""

from annotation.languages import DEFAULT, is_tag, of_pages
from annotation.platforms import PLATFORMS
from annotation.platforms.contract import Recovery
from annotation.quality.policy import AFTER_EXCLUSION
from annotation.studyfile.settings import (
    Setting,
    amount,
    attribute,
    currency,
    names,
    parameter_name,
    pattern,
    share,
    slug,
    slugs,
    text,
    text_within,
    texts,
    ways_of_recovery,
    whole,
    yes_or_no,
)
from annotation.studyfile.stages import STAGES

TOP = {
    "slug": Setting(
        "lower-case letters, digits and hyphens, 80 at most",
        slug,
    ),
    "title": Setting("text of 200 characters at most", text_within(200)),
    "instructions": Setting("the text that annotators read first", text),
    "language": Setting(f"one of {', '.join(of_pages())}", lambda value: value in of_pages(), DEFAULT),
}
# How options are ordered; empty, as the task type has it.
ORDERS = ("random", "balanced", "fixed")
COLLECTION = {
    "labels_per_item": Setting("a whole number from 1 to 1000", whole(1, 1000)),
    "as_imported": Setting("true or false", yes_or_no, False),
    "sitting_length": Setting("a whole number from 1 to 1000", whole(1, 1000)),
    "gold_per_sitting": Setting("a whole number from 0 to 100", whole(0, 100), 0),
    "attention_per_sitting": Setting("a whole number from 0 to 100", whole(0, 100), 0),
    "max_items_per_annotator": Setting("a whole number from 1", whole(1, 1_000_000)),
    "lease_minutes": Setting("a whole number of minutes from 1 to 10080", whole(1, 10_080), 60),
    "id_parameter": Setting(
        "the name of a query parameter other than link, imported and synthetic", parameter_name, "annotator"
    ),
    "platform": Setting(f"one of {', '.join(PLATFORMS)}", lambda value: value == "" or value in list(PLATFORMS), ""),
    "id_pattern": Setting("a regular expression of 200 characters at most", pattern, ""),
    "id_required": Setting("true or false", yes_or_no, False),
    "signed_ids": Setting("true or false", yes_or_no, False),
    "study_parameter": Setting("the name of a query parameter", parameter_name, "STUDY_ID"),
    "session_parameter": Setting("the name of a query parameter", parameter_name, "SESSION_ID"),
    "recovery": Setting(f"a list of {', '.join(Recovery)}", ways_of_recovery, [Recovery.PERSONAL_LINK.value]),
    "excludes": Setting("a list of slugs of other studies", slugs, []),
    "max_starts": Setting("a whole number from 0", whole(0, 1_000_000), 0),
    "max_unanswered": Setting("a whole number from 0", whole(0, 1_000_000), 50),
    "lists": Setting("latin_square", lambda value: value in ("", "latin_square"), ""),
    "condition_attribute": Setting("the name of an attribute", attribute, ""),
    "list_attribute": Setting("the name of an attribute", attribute, ""),
    "one_per_group": Setting("true or false", yes_or_no, False),
    "option_order": Setting("one of random, balanced, fixed", lambda value: value in ("", *ORDERS), ""),
    "pay": Setting('an amount as text, such as "2.50"', amount, ""),
    "currency": Setting("three capital letters, such as GBP", currency, ""),
    "forget_after_days": Setting("a whole number of days from 0 to 3650", whole(0, 3650), 0),
}
QUALITY = {
    "max_attention_failures": Setting("a whole number from 0", whole(0), 0),
    "gold_tolerance": Setting("a share from 0 to 1", share, 0.10),
    # What is far is for the researcher to say; the default stands only where no gold item asks for it (_faults_across).
    "gold_distance": Setting("a whole number of degrees from 1", whole(1), 1),
    "gold_least": Setting("a whole number from 0", whole(0), 0),
    "item_floor_ms": Setting("a whole number of milliseconds from 0", whole(0, 1_000_000), 0),
    "quick_tolerance": Setting("a share from 0 to 1", share, 0.10),
    "sitting_floor_ms": Setting("a whole number of milliseconds from 0", whole(0, 1_000_000), 0),
    "timed_least": Setting("a whole number from 1", whole(1), 10),
    "max_same_in_a_row": Setting("a whole number from 0", whole(0), 0),
    "max_in_pattern": Setting("a whole number from 0", whole(0), 0),
    "stretch_chance": Setting("a probability from 0 to 1", share, 0.01),
    "after_exclusion": Setting(
        f"one of {', '.join(AFTER_EXCLUSION)}", lambda value: value in AFTER_EXCLUSION, AFTER_EXCLUSION[0]
    ),
}
SCORING = {
    "metrics": Setting("a list of metric names", texts, []),
    "nonsubsective": Setting("a list of adjectives", texts, []),
}
# What nearness to people is measured by; all but the first are for scales with an order.
MEASURES = ("accuracy", "quadratic_kappa", "distance", "spearman")
# Of a study that names none, by its task type: ratings are means of points, and have no right answer.
MEASURE_OF_TYPE = {"rating": "spearman"}
RESULTS = {
    "measure": Setting(f"one of {', '.join(MEASURES)}", lambda value: value in ("", *MEASURES), ""),
    "numbers": Setting("a list of names of attributes, each once", names, []),
}
# What choosing an answer does: the page moves on by itself, or waits for Enter or Continue.
ADVANCE = ("choice", "enter")
LANGUAGE = Setting("a language tag of BCP 47, such as de or ar", lambda value: value == "" or is_tag(value), "")
PAGE = {
    "advance": Setting(f"one of {', '.join(ADVANCE)}", lambda value: value in ADVANCE, ADVANCE[0]),
    "stimulus_language": LANGUAGE,
    "text_language": LANGUAGE,
    "cannot_judge": Setting("true or false", yes_or_no, False),
    "report_problem": Setting("true or false", yes_or_no, False),
}
TABLES = ("task", "collection", "quality", "scoring", "prompt", "results", "codes", "return", "page", *STAGES)
