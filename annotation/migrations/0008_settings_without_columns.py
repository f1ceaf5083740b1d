"""The columns go whose settings are declared now. Taken back, they come as they are made here and are filled by 0007."""

from importlib import import_module

from django.db import migrations, models

NAMES = import_module("annotation.migrations.0007_study_declared").NAMES
CONSTRAINTS = ["study_measure", "study_advance", "study_lists", "study_after_exclusion", "study_option_order", "study_labels_per_item", "study_gold_tolerance", "study_quick_tolerance", "study_stretch_chance"]
# Columns that had no default: a row that is there takes one when its column comes back.
FILLED: dict[str, models.Field] = {
    "instructions": models.TextField(default=""),
    "labels_per_item": models.PositiveSmallIntegerField(default=1),
    "sitting_length": models.PositiveSmallIntegerField(default=1),
    "max_items_per_annotator": models.PositiveIntegerField(default=1),
    "lease_minutes": models.PositiveIntegerField(default=60),
    "id_parameter": models.CharField(default="annotator", max_length=60),
    "max_attention_failures": models.PositiveSmallIntegerField(default=0),
    "gold_tolerance": models.FloatField(default=0.1),
    "gold_distance": models.PositiveSmallIntegerField(default=1),
}


class Migration(migrations.Migration):
    dependencies = [("annotation", "0007_study_declared")]

    operations = [
        *(migrations.RemoveConstraint(model_name="study", name=name) for name in CONSTRAINTS),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(model_name="study", name=name, field=field) for name, field in FILLED.items()
            ]
        ),
        *(migrations.RemoveField(model_name="study", name=name) for name in NAMES),
    ]
