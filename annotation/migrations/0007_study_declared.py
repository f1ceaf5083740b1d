"""A setting that no query asks for stands in one column of its study's row, by its name."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

NAMES = ["language", "stimulus_language", "text_language", "instructions", "labels_per_item", "sitting_length", "gold_per_sitting", "attention_per_sitting", "max_items_per_annotator", "lease_minutes", "id_parameter", "id_pattern", "id_required", "signed_ids", "study_parameter", "session_parameter", "recovery", "max_starts", "max_unanswered", "excludes", "lists", "condition_attribute", "list_attribute", "one_per_group", "option_order", "currency", "metrics", "nonsubsective", "measure", "numbers", "advance", "cannot_judge", "report_problem", "max_attention_failures", "gold_tolerance", "gold_distance", "gold_least", "item_floor_ms", "quick_tolerance", "sitting_floor_ms", "timed_least", "max_same_in_a_row", "max_in_pattern", "stretch_chance", "after_exclusion"]


def declare(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for study in apps.get_model("annotation", "Study")._base_manager.iterator():
        study.declared = {name: getattr(study, name) for name in NAMES}
        study.save(update_fields=["declared"])


def put_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for study in apps.get_model("annotation", "Study")._base_manager.iterator():
        for name in study.declared.keys() & {*NAMES}:
            setattr(study, name, study.declared[name])
        study.save(update_fields=NAMES)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_exclusion_rules_in_words")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="declared",
            field=models.JSONField(
                default=dict, help_text="Settings by name; what is not there is as its declaration says."
            ),
        ),
        migrations.RunPython(declare, put_back),
    ]
