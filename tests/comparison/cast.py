"""Studies with labels and scores already in them, written as rows: what collection and scoring leave behind."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from annotation.models import Annotator, AnnotatorNumber, Assignment, Item, Judgment, Sitting, Study
from annotation.models.item import agreed_in
from scoring.library.location import Location
from scoring.models import LanguageModel, Run, Score

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

# item, annotator, label
Label = tuple[str, str, str]
# item, decision, strength, reason
Scored = tuple[str, str | None, float | None, str]


def give_labels(study: Study, labels: Iterable[Label], *, profile: str = "") -> None:
    """Countable labels of people, or of synthetic annotators of `profile`, each annotator in one sitting."""
    items = {item.external_id: item for item in study.items.all()}
    by_annotator: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        by_annotator[label[1]].append(label)
    for name, own in by_annotator.items():
        platform = "synthetic" if profile else "annotator"
        annotator, _ = Annotator.objects.get_or_create(platform=platform, external_id=name, profile=profile)
        _one_sitting(study, annotator, [(items[item], answer) for item, _, answer in own])
    study.population = Study.Population.SYNTHETIC if profile else Study.Population.PEOPLE
    study.save(update_fields=["population"])
    recount(items.values())


def _one_sitting(study: Study, annotator: Annotator, answers: list[tuple[Item, str]]) -> None:
    AnnotatorNumber.objects.give(study.pk, [annotator.pk])
    sitting = Sitting.objects.create(
        study=study,
        annotator=annotator,
        state=Sitting.State.FINISHED,
        instructions_version=study.instructions_version,
        completion_code="C0DE",
        lease_expires_at=START,
        finished_at=START,
        outcome=Sitting.Outcome.COMPLETED,
    )
    order = list(study.task.scale.values)
    assignments = Assignment.objects.bulk_create(
        Assignment(
            sitting=sitting,
            annotator=annotator,
            item=item,
            position=place,
            presentation={"order": order},
            state=Assignment.State.COUNTED,
            shown_at=START,
        )
        for place, (item, _) in enumerate(answers, 1)
    )
    Judgment.objects.bulk_create(
        Judgment(
            assignment=assignment,
            answer=answer,
            response_ms=1500 + 10 * assignment.position,
            answered_at=START + timedelta(seconds=assignment.position),
        )
        for assignment, (_, answer) in zip(assignments, answers, strict=True)
    )


def recount(items: Iterable[Item]) -> None:
    """What is kept at items, as recording a label leaves it."""
    items = list(items)
    tallies: dict[int, Counter[str]] = defaultdict(Counter)
    counted = Assignment.objects.filter(item__in=[item.pk for item in items], state=Assignment.State.COUNTED)
    for item_id, answer in counted.values_list("item_id", "judgment__answer"):
        tallies[item_id][answer] += 1
    for item in items:
        item.tally = dict(tallies[item.pk])
        item.counted = sum(tallies[item.pk].values())
        item.agreed = agreed_in(item.tally)
        item.target = max(item.target, item.counted) if item.kind == "target" else 0
    Item.objects.bulk_update(items, ["tally", "counted", "target", "agreed"], batch_size=200)


def give_run(study: Study, scores: Iterable[Scored], *, key: str, metric: str = "pll", family: str = "masked") -> Run:
    """A finished run with these scores."""
    method = key if family == LanguageModel.Family.BASELINE else family
    row = {"name": key, "family": family, "method": method}
    if family != LanguageModel.Family.BASELINE:
        row |= {"location": Location.PATH, "source": key}
    model, _ = LanguageModel.objects.get_or_create(key=key, defaults=row)
    rows = list(scores)
    unscored = sum(1 for row in rows if row[3])
    run = Run.objects.create(
        study=study,
        model=model,
        metric=metric,
        metric_version="1",
        state=Run.State.FINISHED,
        total=len(rows),
        scored=len(rows) - unscored,
        unscored=unscored,
        provenance={"device": "cpu"},
    )
    items = dict(study.items.values_list("external_id", "pk"))
    Score.objects.bulk_create(
        [
            Score(
                run=run, item_id=items[item], decision=decision, strength=strength, unscored=reason,
                detail={} if reason or strength is None else _detail(strength),
            )
            for item, decision, strength, reason in rows
        ],
        batch_size=500,
    )  # fmt: skip
    return run


def _detail(strength: float) -> dict[str, object]:
    return {
        "options": {
            "original": {"text": "A lamp lights the hall.", "logprob": -20.0, "tokens": [["A", -1.0], ["lamp", -19.0]]},
            "modified": {"text": "A broken lamp lights the hall.", "logprob": -20.0 + strength, "rank": 3},
        },
        "top": [["lamp", -0.5], ["light", -1.5]],
    }
