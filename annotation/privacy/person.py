"""One person: found by what the platform calls them, and everything that a study holds about them, as plain values."""

from collections.abc import Sequence
from typing import Any

from django.db.models import ForeignKey, Model

from annotation.arrival.visitor import known_by
from annotation.models import Annotator, PlatformId, Study


def find_person(study: Study, given: str) -> Annotator | None:
    """Who has taken part with this id of the platform's, also after the id itself was erased; else None."""
    known = Annotator.objects.filter(
        platform=study.id_parameter, external_id=known_by(study.id_parameter, given.strip())
    )
    return known.filter(sittings__study=study).distinct().first()


def everything_about(study: Study, annotator: Annotator) -> dict[str, Any]:
    """Every row of the study that points to the annotator, and what points to those: for a JSON file."""
    sittings = study.sittings.filter(annotator=annotator).order_by("pk")
    return {
        "study": study.slug,
        "annotator": _values(annotator, but=()),
        "platform_id": PlatformId.kept(study.pk, annotator.pk),
        "sittings": _with_below(list(sittings.select_related("link")), but=("study", "annotator")),
        "exclusions": _with_below(list(study.exclusions.filter(annotator=annotator)), but=("study", "annotator")),
    }


def _with_below(rows: Sequence[Model], *, but: Sequence[str]) -> list[dict[str, Any]]:
    """Each with the rows that point to it, to any depth; one query for each kind of row."""
    if not rows:
        return []
    told = [_values(row, but=but) for row in rows]
    by_pk = {row.pk: values for row, values in zip(rows, told, strict=True)}
    for relation in type(rows[0])._meta.related_objects:
        field = relation.field
        below = relation.related_model._default_manager.filter(**{f"{field.name}__in": rows}).order_by("pk")
        named = [other.name for other in relation.related_model._meta.concrete_fields if _points(other, but=field.name)]
        found = list(below.select_related(*named))
        for row, values in zip(found, _with_below(found, but=(field.name, "annotator")), strict=True):
            by_pk[getattr(row, field.attname)].setdefault(relation.get_accessor_name() or "", []).append(values)
    return told


def _points(field: Any, *, but: str) -> bool:
    return isinstance(field, ForeignKey) and field.name != but


def _values(row: Model, *, but: Sequence[str]) -> dict[str, Any]:
    """Its columns; of rows that it points to, what they are called."""
    values = {}
    for field in row._meta.concrete_fields:
        if field.name in but or field.name == "browser":
            continue
        value = getattr(row, field.name)
        values[field.name] = str(value) if isinstance(value, Model) else value
    return values
