"""The data set itself, as a study folder that `load_study` reads, with every answer and score beside it."""

from pathlib import Path
from typing import Any

from annotation import itemfile, labelfile, studyfile
from annotation.labelfile import LabelRow
from annotation.models import Assignment, Item, RepeatedLabel, Study
from annotation.revised import row_of
from comparison.bundle.mark import mark
from comparison.bundle.rows import write_lines
from comparison.frame.names import annotator_name
from corpus.toml_text import toml_text

EVERY_ANSWER, EVERY_SCORE = "judgments.csv", "scores.csv"


def write_folder(study: Study, folder: Path) -> None:
    """`labels.csv` is for people's labels alone: it has no place to say that labels are synthetic, and would be loaded
    as people's. Those are in judgments.csv, which says it on every line.
    """
    settings = f"# {mark(study)}\n" + toml_text(settings_of(study))
    (folder / studyfile.NAME).write_text(settings, encoding="utf-8", newline="\n")
    itemfile.write_items(folder / itemfile.NAME, map(row_of, study.items.order_by("position").iterator()))
    if study.population == Study.Population.PEOPLE:
        labelfile.write_labels(folder / labelfile.NAME, _labels(study))
    write_lines(study, "judgments", folder / EVERY_ANSWER)
    write_lines(study, "scores", folder / EVERY_SCORE)


def settings_of(study: Study) -> dict[str, Any]:
    """What study.toml declares."""
    return {
        **{name: getattr(study, name) for name in studyfile.TOP},
        "task": {"type": study.task_type, **study.task_settings},
        "collection": {name: getattr(study, name) for name in studyfile.COLLECTION},
        "codes": study.codes,
        "return": {**study.addresses, "redirect": study.redirects},
        "quality": {name: getattr(study, name) for name in studyfile.QUALITY},
        "scoring": {name: getattr(study, name) for name in studyfile.SCORING},
        "results": {"measure": str(study.measure), "numbers": study.numbers},
    }


def _labels(study: Study) -> list[LabelRow]:
    """Those that figures rest on: countable labels on targets."""
    counted = Assignment.objects.filter(
        item__study=study, item__kind=Item.Kind.TARGET, state=Assignment.State.COUNTED
    ).order_by("item__position", "annotator_id")
    rows = counted.values_list("item__external_id", "annotator_id", "judgment__answer", "judgment__response_ms")
    given = [
        LabelRow(item, annotator_name(who), answer, None if took is None else took / 1000)
        for item, who, answer, took in rows.iterator(chunk_size=2000)
    ]
    again = RepeatedLabel.objects.filter(assignment__in=counted).order_by(
        "assignment__item__position", "assignment__annotator_id", "turn"
    )
    repeats = again.values_list(
        "assignment__item__external_id", "assignment__annotator_id", "answer", "response_ms", "turn"
    )
    return given + [
        LabelRow(item, annotator_name(who), answer, None if took is None else took / 1000, turn)
        for item, who, answer, took, turn in repeats.iterator(chunk_size=2000)
    ]
