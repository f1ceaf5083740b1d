"""manage.py accuracy_table STUDY…: who is right how often, every rater in every study, as one table."""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.arguments import named
from annotation.models import Study
from comparison.across.columns import PoolError, pooled, read_column
from comparison.across.layout import Caption, layout
from comparison.across.table import DIGITS, Studied, accuracy_table, selected, shared
from comparison.exports.cells import write_out
from comparison.figures.models.classes import ways
from comparison.frame.assessors import Assessor, few_assessors
from comparison.frame.filters.address import SelectionError
from comparison.frame.filters.selection import TARGETS
from comparison.frame.names import read_assessors
from comparison.frame.panel import Panel
from comparison.frame.reading import read_panel
from comparison.management.asking import ExplainedCommand, say_unfinished
from comparison.statistics.accuracy.classes import Way
from corpus.arguments import add_repeatable

HELP = """One table over several studies. Rows are raters: people, models, imported scores (marked so), baselines.
Columns are studies. A cell has the number of correct items and n, the share with its 95 % interval, and the number of
ties and unscored items; or the reason why there is no share.

  manage.py accuracy_table eventsrev-pairs dtfit-pairs
  manage.py accuracy_table eventsrev-pairs dtfit-pairs --shared
  manage.py accuracy_table ab-boolq ab-altboolq --pool boolq+=ab-boolq,ab-altboolq
  manage.py accuracy_table eventsadapt-pairs --where voice=active --where condition=animate–animate --format csv

Classifiers that were trained here are listed by their training studies: several classifiers and studies form one
table of training sets by test sets. Cells for a model's own training data are marked.

Single annotators are raters too, *one person · NAME*, compared with the reference or the majority of the others: every
annotator of a study with at most five, or those named by --assessor. --classes counts ADEPT's labels in 4 or 3 classes.
A pooled column has the items of several studies together, for raters that are in all of them. Items of one id or
group are one cluster in its interval: variants of one question do not count as two.

Items without a reference are not counted. In a study with two options, people's published ratings are read by their
sign: positive means the first option.

Exit codes: 0; 1 if writing fails; 2 wrong arguments."""


class Command(ExplainedCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("studies", nargs="+", metavar="STUDY", help="a study's slug; one column each")
        add_repeatable(
            parser,
            "--where",
            "ATTRIBUTE=VALUE",
            "only items with this value. Several values of one attribute: any of them; several attributes: all",
        )
        parser.add_argument(
            "--against", default="reference", choices=sorted(TARGETS), help="what counts as right (reference)"
        )
        parser.add_argument(
            "--ties",
            default="left-out",
            choices=("left-out", "wrong"),
            help="equally good options: left out of n, as in Results, or counted as wrong, as in many papers",
        )
        parser.add_argument(
            "--shared",
            action="store_true",
            help="only items that every run has scored, to compare runs on the same items; runs without labels or "
            "scores do not count",
        )
        _add_counting(parser)
        add_repeatable(
            parser,
            "--pool",
            "NAME=STUDY,STUDY",
            "add a column with the items of these studies together; they need not be columns themselves",
        )
        _add_form(parser)

    def handle(self, *args: Any, studies: list[str], out: Path | None, **options: Any) -> None:
        conditions = _conditions(options["where"])
        pools = _pools(options["pool"], studies)
        slugs = [*studies, *(slug for several in pools.values() for slug in several)]
        loaded = [named(slug) for slug in dict.fromkeys(slugs)]
        say_unfinished(loaded, self.stderr)
        panels = {study: read_panel(study, coarse=False) for study in loaded}
        _refuse_unknown(conditions, panels.values())
        assessors = _assessors(panels, options["assessor"])
        columns = [
            read_column(
                study,
                panel,
                against=options["against"],
                where=selected(panel, conditions),
                assessors=assessors[study],
                way=_way(study, options["classes"]),
            )
            for study, panel in panels.items()
        ]
        if options["shared"]:
            columns = [shared(column) for column in columns]
        columns = _with_pools(columns, pools, visible=set(studies))
        table = accuracy_table(columns, ties_are_wrong=options["ties"] == "wrong")
        items = _words(conditions, is_shared=options["shared"])
        caption = Caption(
            options["against"],
            items,
            options["ties"],
            classes=options["classes"],
            digits=options["digits"],
            is_grouped=any(column.sample.clusters is not None for column in columns),
        )
        write_out(layout(options["format"])(columns, table, caption), out=out, stdout=self.stdout)
        if out is not None:
            self.stderr.write(f"Wrote {out}.")


def _add_counting(parser: ArgumentParser) -> None:
    """Which single annotators are raters, and in how many classes labels are counted."""
    add_repeatable(
        parser,
        "--assessor",
        "NAME",
        "an annotator as a row, by the name in the imported file or the number in the labels file (a12); "
        "repeatable. Without it, every annotator of a study with at most five; `none` for no one",
    )
    parser.add_argument(
        "--classes",
        type=int,
        metavar="N",
        help="count in N classes: fewer than the scale has, without doubtful labels or with extremes merged",
    )


def _add_form(parser: ArgumentParser) -> None:
    """How the table is written, and where."""
    parser.add_argument("--format", default="text", choices=("text", "csv", "markdown"), help="the format (text)")
    parser.add_argument(
        "--digits",
        type=int,
        default=DIGITS,
        choices=range(1, 7),
        metavar="N",
        help=f"decimals of shares and intervals, in text and Markdown ({DIGITS}); CSV has ten",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write; without it, standard output")


def _pools(arguments: Sequence[str], studies: Sequence[str]) -> dict[str, list[str]]:
    pools: dict[str, list[str]] = {}
    for one in arguments:
        name, _, slugs = one.partition("=")
        several = list(dict.fromkeys(slug for slug in slugs.split(",") if slug))
        if not name or len(several) < 2:
            raise CommandError(
                f"--pool {one}: write NAME=STUDY,STUDY, such as boolq+=ab-boolq,ab-altboolq.", returncode=2
            )
        if name in pools or name in studies:
            raise CommandError(f"--pool {one}: there is already a column {name!r}.", returncode=2)
        pools[name] = several
    return pools


def _with_pools(columns: Sequence[Studied], pools: Mapping[str, Sequence[str]], *, visible: set[str]) -> list[Studied]:
    by_name = {column.name: column for column in columns}
    try:
        together = [pooled(name, [by_name[slug] for slug in several]) for name, several in pools.items()]
    except PoolError as error:
        raise CommandError(str(error), returncode=2) from None
    return [column for column in columns if column.name in visible] + together


def _conditions(arguments: Sequence[str]) -> dict[str, list[str]]:
    conditions: dict[str, list[str]] = defaultdict(list)
    for one in arguments:
        name, equals, value = one.partition("=")
        if not (name and equals):
            raise CommandError(f"--where {one}: write ATTRIBUTE=VALUE, such as voice=active.", returncode=2)
        conditions[name].append(value)
    return dict(conditions)


def _refuse_unknown(conditions: Mapping[str, Sequence[str]], panels: Iterable[Panel]) -> None:
    """An attribute or value that no study has is a slip; one that only some have leaves the others empty."""
    present: dict[str, set[str]] = defaultdict(set)
    for panel in panels:
        for name, column in panel.attributes.items():
            present[name].update(column.tolist())
    for name, values in conditions.items():
        if name not in present:
            choices = ", ".join(sorted(present)) or "none"
            raise CommandError(f"No item has an attribute {name!r}. Attributes: {choices}.", returncode=2)
        for value in values:
            if value not in present[name]:
                choices = ", ".join(sorted(filter(None, present[name])))
                raise CommandError(f"No item has {name}={value!r}. Values: {choices}.", returncode=2)


def _assessors(panels: Mapping[Study, Panel], names: Sequence[str]) -> dict[Study, tuple[Assessor, ...]]:
    """Whom each study shows. A name that no study knows is a slip; one that only some know leaves the others empty."""
    if not names:
        return {study: read_assessors(study, (), few=few_assessors(panel)) for study, panel in panels.items()}
    by_study: dict[Study, tuple[Assessor, ...]] = dict.fromkeys(panels, ())
    for name in names if names != ["none"] else ():
        faults = []
        for study in panels:
            try:
                by_study[study] = (*by_study[study], *read_assessors(study, (name,)))
            except SelectionError as error:
                faults.append(f"{study.slug}: {error}")
        if len(faults) == len(panels):
            raise CommandError(" ".join(faults), returncode=2)
    return by_study


def _way(study: Study, classes: int | None) -> Way | None:
    """How labels are counted; None on the whole scale."""
    by_classes = {way.classes: way for way in ways(study.task.scale)}
    if classes is not None and classes not in by_classes:
        choices = ", ".join(map(str, by_classes))
        raise CommandError(f"{study.slug} cannot be counted in {classes} classes; choices: {choices}.", returncode=2)
    return None if classes is None else by_classes[classes]


def _words(conditions: Mapping[str, Sequence[str]], *, is_shared: bool) -> str:
    phrases = [f"{name} is {' or '.join(value or 'empty' for value in of)}" for name, of in conditions.items()]
    if not is_shared:
        return ", ".join(phrases) or "all items"
    return ", of these ".join([*([", ".join(phrases)] if phrases else []), "all items that every run has scored"])
