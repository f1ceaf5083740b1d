"""ρ as a measure, and the default of ratings: a study that named nothing has accuracy in its row, and so takes ρ now."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

MEASURES = [
    ("accuracy", "accuracy"),
    ("quadratic_kappa", "quadratic κ"),
    ("distance", "mean distance in degrees"),
    ("spearman", "Spearman’s ρ"),
]


def ratings_by_rho(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    study = apps.get_model("annotation", "Study")
    study._base_manager.filter(task_type="rating", measure="accuracy").update(measure="spearman")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_latin_square_attributes")]

    operations = [
        migrations.RemoveConstraint(model_name="study", name="study_measure"),
        migrations.AlterField(
            model_name="study",
            name="measure",
            field=models.CharField(
                choices=MEASURES, default="accuracy", help_text="What nearness to people is measured by.", max_length=20
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(("measure__in", ["accuracy", "quadratic_kappa", "distance", "spearman"])),
                name="study_measure",
            ),
        ),
        migrations.RunPython(ratings_by_rho, migrations.RunPython.noop),
    ]
