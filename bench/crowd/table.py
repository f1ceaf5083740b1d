"""The crowd in words: by persona, the policy beside the truth, and what must hold."""

from collections import Counter
from collections.abc import Iterable

from annotation.models import Item, Study
from annotation.platforms import Outcome
from bench.crowd.checks import Paid, Standing, faults_of_ends, faults_of_items, faults_of_labels, pay, standings
from bench.crowd.personas import PERSONAS
from bench.crowd.schedule import Came, against_what_came

HEAD = "| who | came | ended as | right code | excluded, by rule | labels that count |\n|---|---:|---|---:|---|---:|"


def tell(study: Study, came: Came) -> list[str]:
    """Print what became of them. Returns what does not hold."""
    found = standings(study, came.visits)
    paid = pay(study, found)
    faults = [
        *faults_of_items(study),
        *faults_of_labels(study, came.visits),
        *faults_of_ends(study, found),
        *paid.faults,
    ]
    parts = [
        by_persona(found),
        ["", *of_policy(found)],
        of_labels(study, found),
        of_payment(paid),
        of_forecast(study, came),
        [f"What must hold: {f'{len(faults)} faults' if faults else 'all of it holds'}.", *faults],
    ]
    print("\n".join(line for part in parts for line in part), flush=True)
    return faults


def by_persona(found: list[Standing]) -> list[str]:
    lines = [HEAD]
    for name in PERSONAS:
        mine = [one for one in found if one.visit.person.name == name]
        right = sum(one.ends_right for one in mine)
        cells = [
            name, len(mine), counts(_end(one) for one in mine), right,
            counts(one.rule for one in mine if one.rule), sum(one.counted for one in mine),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def _end(one: Standing) -> str:
    if one.sitting is None:
        return "turned away, quota full"
    return Outcome(one.sitting.outcome).words if one.sitting.is_over else "left midway, no code"


def counts(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in Counter(words).most_common()) or "none"


def of_policy(found: list[Standing]) -> list[str]:
    """Of those who answered items: whom the policy excludes beside whom it ought to."""
    judged = [one for one in found if one.was_judged]
    excluded = [one for one in judged if one.rule]
    ought = [one for one in judged if not one.visit.person.persona.reads]
    both = sum(bool(one.rule) for one in ought)
    wrongly = counts(one.visit.person.name for one in excluded if one.visit.person.persona.reads)
    missed = counts(f"{one.visit.person.name} of {len(one.visit.answers)} answers" for one in ought if not one.rule)
    return [
        f"Policy: {len(judged)} answered items, {len(ought)} of them do not read, {len(excluded)} are excluded.",
        f"  precision {_share(both, len(excluded))} (wrongly: {wrongly}); recall {_share(both, len(ought))} "
        f"(missed: {missed})",
    ]


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} = {part / whole:.2f}" if whole else "not defined: nobody is"


def of_labels(study: Study, found: list[Standing]) -> list[str]:
    targets = study.items.filter(kind=Item.Kind.TARGET)
    held = Counter(targets.values_list("counted", flat=True))
    each = ", ".join(f"{items} items with {count}" for count, items in sorted(held.items()))
    visits = [one.visit for one in found]
    strangers = [nothing for one in visits for nothing in one.strangers]
    again = [one.visit.code_again == one.code_again for one in found if one.visit.code_again is not None]
    return [
        f"Labels that count, of {study.labels_per_item} wanted: {each}; "
        f"{sum(targets.values_list('reserved', flat=True))} slots held.",
        f"Answers acknowledged: {sum(len(one.answers) for one in visits):,}, practice and checks among them; "
        f"{sum(one.sent_twice for one in visits)} of them sent twice.",
        f"Another browser with a known id: {sum(strangers)} of {len(strangers)} told nothing. "
        f"A second visit after the end: {sum(again)} of {len(again)} read the code that says so, and no item.",
    ]


def of_payment(paid: Paid) -> list[str]:
    return [
        f"Payment: {paid.approved} sittings approved, {paid.total} GBP; {paid.deserving} of them of people who read. "
        f"{paid.waiting} who read and were excluded wait for a decision."
    ]


def of_forecast(study: Study, came: Came) -> list[str]:
    after = len(came.foreseen.known)
    lines = [f"Forecast after {after} sittings, {came.foreseen.outlook.missing} labels missing, and what came:"]
    said = {True: "inside", False: "OUTSIDE", None: "no interval"}
    for one in against_what_came(study, came.foreseen):
        lines.append(f"  {one.name}: {one.forecast}; came {one.came:,.6g}: {said[one.is_inside]}")
    return lines
