"""A study of pairs of variants that three people labeled, with all that an item may have."""

from annotation.elsewhere.label_import import import_labels
from annotation.elsewhere.labelfile import LabelRow, write_labels
from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.models import Study
from tests.studies import plausibility_row, write_study

DEGREES = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")


def labeled_study(tmp_path, *, items=60, slug="pilot") -> Study:
    """Two items a group, degrees in turn, half with a reference; every tenth has no majority, every 15th one label."""
    rows = [_row(number) for number in range(items)]
    rows += [plausibility_row(1, kind="gold", reference="impossible")]
    study = load_study(write_study(tmp_path / slug, rows, slug=slug)).study
    labels = [
        LabelRow(row.id, f"worker-{who}", label)
        for number, row in enumerate(rows[:items])
        for who, label in enumerate(_given(number))
    ]
    write_labels(tmp_path / f"{slug}-labels.csv", labels)
    import_labels(study, tmp_path / f"{slug}-labels.csv")
    study.refresh_from_db()
    return study


def _row(number: int) -> ItemRow:
    attributes = {"class": "abc"[number % 3]} | ({"region": "north"} if number % 2 else {})
    reference = DEGREES[number // 2 % 5] if number < 30 else None
    return plausibility_row(number, reference=reference, group=f"source {number // 2}", attributes=attributes)


def _given(number: int) -> list[str]:
    degree = DEGREES[number // 2 % 5]
    if number % 15 == 14:
        return [degree]
    return list(DEGREES[:3]) if number % 10 == 9 else [degree, degree, DEGREES[number % 5]]
