"""Which metrics a study can name, beside the field that names them."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Study
from annotation.models.study import Measure
from scoring.metrics import METRICS
from scoring.models import LanguageModel
from scoring.runs.fitting import choices_for


@dataclass(frozen=True, slots=True)
class Measured:
    """Keys of metrics: `named` by the study, others that a model here has for its items, and those that none has;
    `measures` are keys and words of what nearness to people is measured by.
    """

    named: list[str]
    fitting: list[tuple[str, int]]
    others: list[str]
    measures: list[tuple[str, str]]


def read_measured(study: Study, *, among: QuerySet[LanguageModel]) -> Measured:
    """`fitting` has how many of the models `among` them have each."""
    having = Counter(metric.key for _, fitting in choices_for(study, among=among) for metric in fitting)
    rest = [key for key in METRICS if key not in study.metrics]
    return Measured(
        list(study.metrics),
        [(key, having[key]) for key in rest if having[key]],
        [key for key in rest if not having[key]],
        [(one.value, one.label) for one in Measure],
    )
