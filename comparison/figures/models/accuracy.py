"""How often each run is right, against the majority and the reference, and what it left open."""

from collections.abc import Iterator

from annotation.models.population import Words
from comparison.figures.figure import Figure
from comparison.figures.file import Row, estimated
from comparison.figures.findings import FINDINGS, MAJORITY, REFERENCE, Against, RunFinding
from comparison.figures.table import BOTH, Cell, Rater, Table
from comparison.frame.selected import Selected
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.estimate import Estimate

TARGETS = {MAJORITY: "Majority", REFERENCE: "Reference"}
HEADS = ("accuracy", "accuracy over all items", "κ", "correct of n")
OPEN = ("decided", "undecided", "unscored", "waiting")


def majority_of(people: Words) -> str:
    """What most of them say, as a row beside runs: a baseline is called after the majority label too."""
    return f"Majority of {people.many}"


def _tables(chosen: Selected) -> Iterator[Table]:
    has_target = {MAJORITY: chosen.outline.has_labels, REFERENCE: chosen.outline.has_references}
    targets, findings = tuple(target for target in TARGETS if has_target[target]), FINDINGS.read(chosen)
    if not findings.runs or not targets:
        return
    rows: list[tuple[Cell, ...]] = []
    if len(targets) == len(TARGETS) and not chosen.outline.no_majority:
        majority = Rater(name=majority_of(chosen.study.people), kind="people")
        rows.append((majority, "", "", "", "", *_held(findings.majority_reference), ""))
    for run in findings.runs:
        rater = Rater(name=run.name, title=run.title, family=run.family, is_baseline=run.is_baseline)
        rows.append((rater, *_against(run, chosen, targets), run.unscored))
    yield Table(
        name="accuracy",
        title="Accuracy and Cohen’s κ of every run, "
        + " and ".join(f"against the {TARGETS[target].lower()}" for target in targets),
        columns=("Run", *(f"{TARGETS[target]}: {head}" for target in targets for head in HEADS), "Unscored"),
        rows=tuple(rows),
        rests_on=f"n counts the items, of {findings.items:,}, that have a label both from the run and from the target"
        "; over all items, items without an answer count as wrong",
        method=BOTH,
    )


def _against(run: RunFinding, chosen: Selected, targets: tuple[str, ...]) -> Iterator[Cell]:
    for target in targets:
        nothing = chosen.outline.no_majority if target == MAJORITY else ""
        if nothing or not run.has_labels:
            yield from (Estimate.none(nothing or run.why_no_labels), "", "", "")
        else:
            yield from _held(run.against(target), run.of_all(target))


def _held(against: Against, every: Hits | None = None) -> tuple[Cell, ...]:
    """`every` is over all items, of a run."""
    hits = against.hits
    right = f"{hits.correct:,} of {hits.compared:,}" if hits.compared else ""
    return hits.accuracy, every.accuracy if every else "", against.kappa, right


def _lines(chosen: Selected) -> Iterator[Row]:
    for run in FINDINGS.read(chosen).runs:
        yield from _lines_of(run)


def _lines_of(run: RunFinding) -> Iterator[Row]:
    by, how = ("_by_cuts", run.cuts.words) if run.cuts and run.is_cut else ("", "")
    head = ["runs", run.name, run.family]
    for target in TARGETS:
        against, every = run.against(target), run.of_all(target)
        yield [*head, target, f"accuracy{by}", *estimated(against.hits.accuracy, against.hits.correct, how=how)]
        yield [*head, target, f"accuracy_all{by}", *estimated(every.accuracy, every.correct, how=how)]
        yield [*head, target, f"cohen_kappa{by}", *estimated(against.kappa, how=how)]
        yield [*head, target, "spearman_strength", *estimated(run.strength(target))]
    if run.strength_published.value is not None:
        yield [*head, "published strength", "spearman_strength", *estimated(run.strength_published)]
    for name in OPEN:
        yield [*head, "", name, None, None, None, None, "items", getattr(run, name), "", ""]
    for reason, count in run.reasons:
        yield [*head, "", "unscored_because", None, None, None, None, "items", count, "", reason]


# On the page it stands in the leaderboard.
ACCURACY_OF_RUNS: Figure[tuple[RunFinding, ...]] = Figure(
    key="accuracy",
    part="models",
    title="Accuracy",
    shape=None,
    compute=lambda chosen: FINDINGS.read(chosen).runs,
    tables=_tables,
    lines=_lines,
)
