"""The database holds every field of choices to its choices, and to the same ones as the model."""

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.models import Q

from annotation.models import Study
from annotation.models.constraints import one_of
from tests.house.sources import ROOMS
from tests.studies import open_small_study, plausibility_rows

OURS = [model for model in apps.get_models() if model._meta.app_label in ROOMS]
CHOICES = [
    (model, field)
    for model in OURS
    for field in model._meta.fields
    if isinstance(field, models.CharField) and field.choices
]


def in_order(condition: object) -> object:
    """A list of values that are allowed, sorted: which of them comes first says nothing."""
    match condition:
        case Q(children=[(str(lookup), list(values))], negated=False):
            return Q((lookup, sorted(values)))
    return condition


@pytest.mark.parametrize(
    ("model", "field"), CHOICES, ids=[f"{model.__name__}.{field.name}" for model, field in CHOICES]
)
def test_a_field_of_choices_has_its_constraint(model, field):
    conditions = [in_order(one.condition) for one in model._meta.constraints if isinstance(one, models.CheckConstraint)]
    assert Q((f"{field.name}__in", sorted(value for value, _ in field.flatchoices))) in conditions


def test_a_constraint_keeps_the_name_that_it_is_given():
    assert one_of("state", Study.State, name="study_state").name == "study_state"


@pytest.mark.django_db
def test_the_database_refuses_what_is_no_choice(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1))
    with pytest.raises(IntegrityError, match="study_state"), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(state="ajar")
