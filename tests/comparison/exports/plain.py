"""Exports written the plain way, a model object and a cell at a time: what the quick ways must give to the byte.

Run by test_plain.py with DATABASE_URL set: `python -m tests.comparison.exports.plain FOLDER`. Prints which exports are
the same, as JSON.
"""

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# Moments that are written differently: whole seconds, and fractions that end in zeros.
MOMENTS = [
    datetime(2026, 3, 2, 9, 0, second, micro, UTC) for second, micro in ((0, 0), (1, 120000), (2, 1), (3, 999999))
]


def plain_lines(rows: Iterable[Iterable[Any]]) -> str:
    from comparison.exports.cells import cell

    out = io.StringIO(newline="")
    for row in rows:
        csv.writer(out).writerow([cell(value) for value in row])
    return out.getvalue()


def plain_judgments(study: Any) -> Iterator[list[Any]]:
    from annotation.models import Assignment
    from comparison.exports.stored.judgments import HEADER

    names = list(dict.fromkeys(name for item in study.items.order_by("pk") for name in item.attributes))
    yield [*HEADER, *(f"attribute:{name}" for name in names)]
    answered = Assignment.objects.filter(item__study=study, state__in=Assignment.BEHIND)
    called = study.annotator_numbers.names()
    for one in answered.order_by("sitting_id", "position"):
        judgment, item = one.judgment, one.item
        earlier = [
            f"{revision.answer or 'cannot judge'} {revision.answered_at.isoformat()}"
            for revision in judgment.revisions.all()
        ]
        yield [
            study.slug, study.population, item.external_id, item.kind, called[one.annotator_id], one.annotator.profile,
            one.sitting_id, one.position, judgment.answer, item.reference, one.state, one.state == "counted",
            judgment.response_ms, judgment.hidden_ms, one.shown_at.isoformat() if one.shown_at else None,
            judgment.answered_at.isoformat(),
            "; ".join(earlier), " ".join(one.presentation.get("order", [])), one.sitting.instructions_version,
            item.group, study.task.text(item.content), *(item.attributes.get(name, "") for name in names),
        ]  # fmt: skip


def plain_scores(study: Any) -> Iterator[list[Any]]:
    from comparison.exports.stored.scores import HEADER, of_options
    from scoring.models import Score

    yield HEADER
    for score in Score.objects.filter(run__study=study).order_by("run_id", "item_id"):
        run, item, surprisal = score.run, score.item, of_options(score.detail)
        yield [
            study.slug, study.population, item.external_id, item.kind, run.pk, run.model.name, run.model.family,
            run.metric_shown, run.metric_version, score.decision, score.strength, score.unscored, item.reference,
            json.dumps(score.detail, ensure_ascii=False, sort_keys=True),
            json.dumps(surprisal, ensure_ascii=False) if surprisal else None,
            json.dumps(run.provenance, ensure_ascii=False, sort_keys=True),
        ]  # fmt: skip


def plain_items(study: Any, selection: Any) -> Iterator[list[Any]]:
    """All of it from one panel."""
    from comparison.figures.file import ORIGIN, number
    from comparison.frame.selected import select
    from comparison.statistics.strengths.correlation import people_score

    chosen = select(study, selection)
    panel, has_published = chosen.rows, chosen.whole.has_published
    scores, divergence = people_score(panel.counts, ordered=panel.ordered), panel.divergence(panel.compared)

    def value(code: int) -> str | None:
        return panel.values[code] if code >= 0 else None

    header = [*ORIGIN, "item", "group", "text", *(f"attribute:{name}" for name in panel.attributes), "reference"]
    header += ["published_strength"] if has_published else []
    header += [*(f"labels:{one}" for one in panel.values), "majority", "agreement", "people_score", "people_differ"]
    for run in panel.runs:
        header += [f"{part}:{run.name}" for part in ("decision", "strength", "unscored")]
        header += [f"degree_by_cuts:{run.name}"] if run.is_cut else []
    yield [*header, "divergence"]
    for row in range(len(panel.items)):
        line = [study.slug, study.population, panel.items[row], panel.groups[row], panel.texts[row]]
        line += [column[row] for column in panel.attributes.values()] + [value(int(panel.truth[row]))]
        line += [number(panel.published[row])] if has_published else []
        line += [*(int(count) for count in panel.counts[row]), value(int(panel.majority[row])), panel.kinds[row]]
        line += [number(scores[row]), number(panel.among_people[row])]
        for run in panel.runs:
            said, rest = value(int(run.decided[row])), [number(run.strengths[row]), run.unscored[row]]
            line += [None, *rest, said] if run.is_cut else [said, *rest]
        yield [*line, number(divergence[row])]


def differing(study: Any) -> list[str]:
    """The exports that are not what the plain way gives."""
    from comparison.exports.cells import lines
    from comparison.exports.registry import export
    from comparison.frame.filters.selection import Selection

    plain = {
        "judgments": plain_judgments(study),
        "scores": plain_scores(study),
        "items": plain_items(study, Selection()),
    }
    found = {what: "".join(lines(export(what)(study, Selection()))) for what in plain}
    written = {what: plain_lines(rows) for what, rows in plain.items()}
    return [what for what in plain if found[what] != written[what] or found[what].count("\n") < 2]


def revise(study: Any) -> None:
    """Moments, earlier answers and details of every kind."""
    from annotation.models import Assignment, Item, Judgment, Revision
    from scoring.models import Score
    from tests.comparison.cast import recount

    for number, judgment in enumerate(Judgment.objects.order_by("pk")):
        judgment.answered_at = MOMENTS[number % len(MOMENTS)]
        judgment.hidden_ms = (None, 0, 4200)[number % 3]
        state = ("counted", "surplus", "excluded", "declined")[number % 4]
        if state == "declined":
            judgment.answer = ""
        judgment.save()
        shown = None if number % 3 else MOMENTS[number % len(MOMENTS)] - timedelta(seconds=5)
        Assignment.objects.filter(judgment=judgment).update(shown_at=shown, state=state)
        for moment in MOMENTS[: number % 3]:
            said = "" if moment == MOMENTS[1] else "impossible"
            Revision.objects.create(
                judgment=judgment, answer=said, answered_at=moment, replaced_at=moment + timedelta(seconds=1)
            )
    recount(Item.objects.filter(kind=Item.Kind.TARGET))
    for number, score in enumerate(Score.objects.order_by("pk")):
        options = {"ü": {"logprob": -1.5 - number, "tokens": [["a", -1.0], ["=b", -0.00001]]}, "b": {"logprob": None}}
        score.detail = ({}, {"z": 0.00001, "a": "é"}, {"options": options})[number % 3]
        score.save()


def main(folder: Path) -> None:
    import django

    django.setup()
    from django.db import connection

    from tests.comparison.cast import give_labels, give_run
    from tests.studies import open_small_study, plausibility_row

    rows = [plausibility_row(n, reference="less_likely", attributes={"class": "=odd"}, group="g") for n in range(1, 8)]
    study = open_small_study(folder, rows)
    answers = ("less_likely", "more_likely", "impossible")
    give_labels(study, [(f"target-{n}", f"p{who}", answers[(n + who) % 3]) for n in range(1, 7) for who in range(3)])
    give_run(study, [(f"target-{n}", answers[n % 3], n / 7, "") for n in range(1, 6)], key="one", metric="label")
    give_run(study, [(f"target-{n}", None, -n / 3, "") for n in range(1, 8)], key="two", metric="pll")
    revise(study)
    print(json.dumps({"vendor": connection.vendor, "differing": differing(study)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
