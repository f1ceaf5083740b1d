"""What became of a label file, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Study
from corpus.errors import counted

LINES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Imported:
    """`unchanged` labels were there already; `excluded` annotators broke the study's policy now.

    `not_counted` are new labels of annotators who were excluded before: stored, like all of theirs, without counting.
    `repeats` are labels after somebody's first on an item; `incomplete` lines were left out,
    and those of `unknown` items;
    `remarks` is what was noticed of the file.
    """

    labels: int
    unchanged: int
    annotators: int
    excluded: int
    not_counted: int = 0
    repeats: int = 0
    incomplete: Sequence[str] = ()
    unknown: Sequence[str] = ()
    remarks: Sequence[str] = ()

    def __str__(self) -> str:
        text = f"{counted(self.labels, 'label')} of {counted(self.annotators, 'annotator')} imported"
        text += f", {self.unchanged:,} unchanged"
        if self.repeats:
            text += f"; {counted(self.repeats, 'repeated label')} kept for self-agreement"
        if self.incomplete:
            text += f"; {counted(len(self.incomplete), 'incomplete line')} left out: {_lines(self.incomplete)}"
        if self.unknown:
            text += f"; {counted(len(self.unknown), 'line')} of unknown items left out: {_lines(self.unknown)}"
        if self.excluded:
            text += f"; {counted(self.excluded, 'annotator')} excluded by the study's rules"
        if self.not_counted:
            text += f"; {self.not_counted:,} of them do not count because their annotators were already excluded"
        return text


def _lines(places: Sequence[str]) -> str:
    more = f" and {len(places) - LINES_SHOWN} more" if len(places) > LINES_SHOWN else ""
    return f"{', '.join(places[:LINES_SHOWN])}{more}"


def what_helps(study: Study, most: int) -> str:
    """Where an item would get more labels than are wanted, which is locked once the study has opened."""
    if not study.has_opened:
        return (
            f"Set it to {most} (Setup, Labels per item), or collect no labels beyond imported ones (a box on the page; "
            f"--as-imported on the command line)."
        )
    if study.sittings.exists():
        return (
            "The study has opened, so this number is locked. Remove the extra labels from the file, or duplicate the "
            f"study (Setup, Study files), set {most} labels per item in the copy and import the file there."
        )
    return (
        "The study has opened, so this number is locked. No one has started: make the study a draft again (Setup), "
        f"set {most} labels per item and import the file again."
    )
