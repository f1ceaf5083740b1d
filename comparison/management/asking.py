"""What export and figure are asked for: a study, the choices of a results page's address, and a run by its name."""

from argparse import ArgumentParser
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

from django.core.management.base import CommandError

from annotation.models import Study
from comparison.frame.filters.address import SelectionError, not_understood, read_selection
from comparison.frame.filters.selection import Selection
from comparison.frame.names import named_runs


def add_asking(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--query",
        default="",
        metavar="TEXT",
        help="Filters and choices as behind the ? of a results page, such as 'by=class&against=reference'.",
    )
    parser.add_argument(
        "--run",
        default="",
        metavar="MODEL[:METRIC]",
        help="the run to look at, by its model's key or name, such as minilm-l6-masked or BERT-large:cloze; "
        "the same as run=NUMBER in --query",
    )
    parser.add_argument(
        "--assessor",
        action="append",
        default=[],
        metavar="NAME",
        help="an annotator to show as a rater of their own, by the name in the imported file or the number in the "
        "judgments (a12); may be given several times. Without it, all of a study of five at most",
    )


def asked_study(slug: str) -> Study:
    try:
        return Study.objects.get(slug=slug)
    except Study.DoesNotExist:
        known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no study {slug!r}. There are: {known}.", returncode=2) from None


def asked_selection(study: Study, options: dict[str, Any]) -> Selection:
    asked = parse_qs(options["query"].removeprefix("?"), keep_blank_values=True)
    if unknown := not_understood(asked):
        raise CommandError(unknown.replace("the address, and left out", "--query"), returncode=2)
    try:
        selection = read_selection(asked)
    except SelectionError as error:
        raise CommandError(str(error), returncode=2) from None
    if options["run"]:
        selection = replace(selection, run=_run(study, options["run"]))
    return replace(selection, assessors=tuple(options["assessor"]) or selection.assessors)


def _run(study: Study, asked: str) -> str:
    """The key of the one run that is meant."""
    runs = [
        (str(run.pk), {one for called in (run.model.key, run.model.name) for one in (called, f"{called}:{run.metric}")})
        for run, _ in named_runs(study)
    ]
    found = [key for key, names in runs if asked in names]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{run.model.name}:{run.metric}" for run, _ in named_runs(study)) or "none"
    what = "several runs" if found else "no run"
    raise CommandError(f"{study.slug} has {what} {asked!r}. There are: {known}.", returncode=2)
