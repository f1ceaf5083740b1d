"""What commands are asked for: choices of a results page's address, a run by its name; and what they say first."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

from django.core.management.base import BaseCommand, CommandError, OutputWrapper

from annotation.models import Study
from comparison.frame.filters.address import SelectionError, not_understood, read_selection
from comparison.frame.filters.selection import Selection
from comparison.frame.names import named_runs
from comparison.page.left_out import unfinished
from corpus.arguments import add_repeatable
from scoring.models import Run


class ExplainedCommand(BaseCommand):
    """Its help is read as it is written."""

    def create_parser(self, *args: Any, **options: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, **options)


def add_asking(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--query",
        default="",
        metavar="TEXT",
        help="Filters and choices as after the ? in the URL of a results page, such as 'by=class&against=reference'.",
    )
    parser.add_argument(
        "--run",
        default="",
        metavar="MODEL[:METRIC]",
        help="the run to show, by its model's key or name, such as minilm-l6-masked or BERT-large:cloze; "
        "the same as run=NUMBER in --query",
    )
    add_repeatable(
        parser,
        "--assessor",
        "NAME",
        "an annotator to show as a rater, by name in the imported file or the number in the labels file (a12); "
        "repeatable. Default: every annotator of a study with at most five",
    )


def selection_from_options(study: Study, options: dict[str, Any]) -> Selection:
    params = parse_qs(options["query"].removeprefix("?"), keep_blank_values=True)
    if unknown := not_understood(params):
        raise CommandError(unknown.replace("filters were ignored", "in --query"), returncode=2)
    try:
        selection = read_selection(params)
    except SelectionError as error:
        raise CommandError(str(error), returncode=2) from None
    if options["run"]:
        selection = replace(selection, run=_run(study, options["run"]))
    return replace(selection, assessors=tuple(options["assessor"]) or selection.assessors)


def _run(study: Study, name: str) -> str:
    """The key of the one run that is meant."""
    runs = [
        (str(run.pk), {one for called in (run.model.key, run.model.name) for one in (called, f"{called}:{run.metric}")})
        for run, _ in named_runs(study)
    ]
    keys = [key for key, names in runs if name in names]
    if len(keys) == 1:
        return keys[0]
    choices = ", ".join(f"{run.model.name}:{run.metric}" for run, _ in named_runs(study)) or "none"
    what = "several runs" if keys else "no run"
    raise CommandError(f"{study.slug} has {what} {name!r}. Runs: {choices}.", returncode=2)


def say_unfinished(studies: Iterable[Study], stderr: OutputWrapper) -> None:
    """A line for a study's runs that are still scoring, one for those that failed, one for those that were stopped.

    The exit code is that of whole ones. To be asked before anything is read: what ends meanwhile is rather said to
    be partial than not.
    """
    for study in studies:
        runs = Run.objects.filter(study=study).select_related("model")
        for some in unfinished(list(runs)):
            names = ", ".join(f"{run} ({run.done:,} of {run.total:,} items)" for run in some.runs)
            stderr.write(f"{study.slug}: {some.words}, so results cover only part of the items: {names}.")
