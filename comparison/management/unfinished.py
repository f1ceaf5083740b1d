"""What a command says of runs without an end before it writes figures of them: the exit code is that of whole ones."""

from collections.abc import Iterable

from django.core.management.base import OutputWrapper

from annotation.models import Study
from comparison.page.left_out import unfinished
from scoring.models import Run


def say_unfinished(studies: Iterable[Study], stderr: OutputWrapper) -> None:
    """A line for a study's runs that are still scoring, one for those that failed, one for those that were stopped.

    To be asked before anything is read: what ends meanwhile is rather said to be partial than not.
    """
    for study in studies:
        runs = Run.objects.filter(study=study).select_related("model")
        for some in unfinished(list(runs)):
            named = ", ".join(f"{run} ({run.done:,} of {run.total:,} items)" for run in some.runs)
            stderr.write(f"{study.slug}: {some.words}, so that figures are of a part of the items: {named}.")
