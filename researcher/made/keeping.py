"""From the figures of a made study to rows, and back."""

from collections.abc import Sequence
from dataclasses import asdict, fields

from annotation.models import Study
from researcher.models import MadeFigure
from stimuli.making.contract import Figure, figure_of

FIELDS = tuple(one.name for one in fields(Figure))


def keep_figures(study: Study, figures: Sequence[Figure]) -> None:
    """In place of those that there were: they are of what was made before. In the caller's transaction."""
    study.made_figures.all().delete()
    MadeFigure.objects.bulk_create(
        MadeFigure(study=study, position=position, **asdict(one)) for position, one in enumerate(figures)
    )


def kept_figures(study: Study) -> list[Figure]:
    return [_read(row) for row in study.made_figures.all()]


def kept_figure(study: Study, name: str) -> Figure:
    """MadeFigure.DoesNotExist for a name that is none of the study's."""
    return _read(study.made_figures.get(name=name))


def _read(row: MadeFigure) -> Figure:
    return figure_of({name: getattr(row, name) for name in FIELDS})
