"""What a study needs before it opens: one list of steps, each of them done or missing something.

The list makes the page “Ready to open?” (“Overview” once open) and the marks beside the pages of Setup. A step is pure:
it sees what a study has and says what is missing, or what is there. To add one: a function below, its line in STEPS,
and a case in setup/test_steps.py.
"""

import unicodedata
from math import ceil

from annotation.models import Study
from annotation.paying.money import pay_in_words
from annotation.platforms import PLATFORMS, Outcome
from annotation.quality.sentences import rules, warned
from researcher.setup.checklist import Has, Lack, Step, Steps, read_has
from scoring.library.language import language_name

# Pages of Setup that are no part; all others are named by the key of theirs.
ITEM_LIST, PREVIEW = "item-list", "preview"
# Where a step is mended at once: a new attention check, and the first page of the preview.
NEW_CHECK, WALK = "new-check", "walk"
# Fewer words than these hardly say a task, its options and an example.
FEW_WORDS = 20
# Languages of pages and of most texts that are written in Latin letters.
LATIN = {"en", "de", "fr", "es", "it", "nl", "pt", "sv", "da", "nb", "fi", "pl", "cs", "tr"}


def steps(study: Study) -> Steps:
    """In four queries, and one more where a platform has rules on the words of checks, or the study has lists."""
    return check(read_has(study, warnings=warned(study)))


def check(has: Has) -> Steps:
    """Every step that a study like this has."""
    return Steps(tuple(step.of(has) for step in STEPS if not (step.for_people and has.study.as_imported)))


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _no_items(has: Has) -> Lack | None:
    if has.of("target"):
        return None
    return Lack("There are no items", "Without items there is nothing to label.", "Add items", is_needed=True)


def _items(has: Has) -> str:
    keys = has.of("keys")
    known = f" ({'all' if keys == has.of('target') else f'{keys:,}'} with a reference)" if keys else ""
    others = (("attention", "attention check"), ("gold", "gold item"), ("practice", "practice item"))
    said = [counted(has.of(kind), words) for kind, words in others if has.of(kind)]
    return ", ".join([f"{counted(has.of('target'), 'target')}{known}", *said])


def _no_instructions(has: Has) -> Lack | None:
    if has.study.instructions.split():
        return None
    return Lack("No instructions", "They say what people should judge.", "Write instructions")


def _instructions(has: Has) -> str:
    words = len(has.study.instructions.split())
    return f"{counted(words, 'word')}{'; an example would help' if words < FEW_WORDS else ''}"


def _labels(has: Has) -> str:
    if has.study.as_imported:
        return "no more than were imported"
    batch = min(has.study.sitting_length, has.of("target"))
    return f"{has.study.labels_per_item:,} per item, {counted(batch, 'item')} per batch"


def _few_checks(has: Has) -> Lack | None:
    study, there = has.study, has.of("attention")
    if not study.attention_per_sitting:
        action = "Set number" if there else "Add checks"
        about = "collection.attention_per_sitting" if there else NEW_CHECK
        return Lack("No attention checks", "Careless annotators would not be noticed.", action, about)
    batches = ceil(min(study.max_items_per_annotator, has.of("target")) / study.sitting_length)
    if there >= batches * study.attention_per_sitting:
        return None
    because = (
        f"A batch uses {study.attention_per_sitting}; one annotator can do {counted(batches, 'batch', 'batches')}."
    )
    return Lack(f"Only {counted(there, 'attention check')}", because, "Add checks", NEW_CHECK)


def _checks(has: Has) -> str:
    return f"{has.study.attention_per_sitting} per batch, {has.of('attention'):,} in all"


def _no_gold(has: Has) -> Lack | None:
    if has.study.gold_per_sitting:
        return None
    if there := has.of("gold"):
        says = f"{counted(there, 'gold item')}, none in a batch"
        return Lack(says, "Set how many each batch has.", "Set number", "collection.gold_per_sitting")
    return Lack("No gold items", "Known answers show who misunderstood.", "Add gold", ITEM_LIST)


def _gold(has: Has) -> str:
    return f"{has.study.gold_per_sitting} per batch, {has.of('gold'):,} in all"


def _no_rule(has: Has) -> Lack | None:
    study, policy = has.study, has.study.policy
    # As the rules themselves speak of checks: where some are there, in a batch or not.
    checks = study.attention_per_sitting or study.gold_per_sitting or has.of("attention") or has.of("gold")
    if checks or policy.item_floor_ms or policy.sitting_floor_ms or policy.max_same_in_a_row or policy.max_in_pattern:
        return None
    return Lack("No rule excludes anyone", "No checks, no minimum times.", "Set rules")


def _rules(has: Has) -> str:
    study = has.study
    # Of many studies the items are counted already.
    study.has_attention = bool(study.attention_per_sitting or has.of("attention"))
    study.has_gold = bool(study.gold_per_sitting or has.of("gold"))
    return rules(study.policy, study)[0].removesuffix(".")


def _no_consent(has: Has) -> Lack | None:
    if has.study.path.consent:
        return None
    return Lack("No consent text", "Annotators are not asked for consent.", "Write consent")


def _pay_is_silent(has: Has) -> Lack | None:
    missing = [word for word, said in (("minutes", has.minutes), ("pay", pay_in_words(has.study))) if not said]
    if not missing:
        return None
    about = "information.minutes" if "minutes" in missing else "collection.pay"
    return Lack(f"{' and '.join(missing).capitalize()} not stated", "People read both before they start.", "Add", about)


def _pay(has: Has) -> str:
    return f"{counted(has.minutes, 'minute')}, {pay_in_words(has.study)}"


def _platform(has: Has) -> str:
    study = has.study
    if study.platform not in PLATFORMS:
        return "open link"
    return f"{PLATFORMS[study.platform].name}, {len(study.codes)} of {len(Outcome)} codes"


def _other_script(has: Has) -> Lack | None:
    """The texts are declared to be in a language of Latin letters, and mostly have others."""
    letters = [one for one in has.study.instructions if one.isalpha()]
    latin = sum(unicodedata.name(one, "").startswith("LATIN") for one in letters)
    if 2 * latin >= len(letters) or has.study.texts_speak.partition("-")[0] not in LATIN:
        return None
    says = f"Texts are declared as {language_name(has.study.texts_speak)}"
    return Lack(says, "They are in other letters; browsers need the language.", "Set language", "page.text_language")


def _language(has: Has) -> str:
    spoken = dict.fromkeys([has.study.language, has.study.stimuli_speak, has.study.texts_speak])
    pages, *others = map(language_name, spoken)
    return f"pages in {pages}, texts in {' and '.join(others)}" if others else f"{pages} throughout"


def _not_seen(has: Has) -> Lack | None:
    if has.previewed:
        return None
    says = "Changed since the preview" if has.was_previewed else "No preview yet"
    return Lack(says, "See the pages as annotators will.", "Preview", WALK)


STEPS: tuple[Step, ...] = (
    Step(
        key="question",
        name="Question",
        page="question",
        done=lambda has: has.study.task.question,
        for_people=False,
        is_locked=True,
    ),
    Step(key="items", name="Items", page=ITEM_LIST, lacks=_no_items, done=_items, for_people=False, is_locked=True),
    Step(
        key="instructions",
        name="Instructions",
        page="instructions",
        lacks=_no_instructions,
        done=_instructions,
    ),
    Step(
        key="labels",
        name="Labels per item",
        page="labels",
        done=_labels,
        about=("collection.condition_attribute",),
        for_people=False,
        is_locked=True,
    ),
    Step(
        key="attention",
        name="Attention checks",
        page="labels",
        lacks=_few_checks,
        done=_checks,
        about=("collection.attention_per_sitting",),
        is_locked=True,
    ),
    Step(key="gold", name="Gold items", page="labels", lacks=_no_gold, done=_gold, is_locked=True),
    Step(
        key="rules",
        name="Exclusion rules",
        page="quality",
        lacks=_no_rule,
        done=_rules,
        about=("quality.",),
        is_locked=True,
    ),
    Step(
        key="consent",
        name="Consent",
        page="consent",
        lacks=_no_consent,
        done=lambda has: counted(len(has.study.path.consent.text.split()), "word") if has.study.path.consent else "",
    ),
    Step(
        key="pay",
        name="Minutes and pay",
        page="information",
        lacks=_pay_is_silent,
        done=_pay,
        about=("information.",),
    ),
    Step(key="platform", name="Platform and codes", page="platform", done=_platform, about=("codes.", "return.")),
    Step(key="language", name="Language", page="language", lacks=_other_script, done=_language, for_people=False),
    Step(key="preview", name="Preview", page=PREVIEW, lacks=_not_seen, done=lambda has: "seen", is_locked=True),
)
