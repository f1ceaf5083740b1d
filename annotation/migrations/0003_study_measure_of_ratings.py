"""ρ as a measure, and the default of ratings: a study that named nothing has accuracy in its row, and so takes ρ now.

The row does not tell accuracy that a study.toml named from accuracy by default: both take ρ. A study whose measure was
changed in its setup, or by loading its folder again, has an act that says so, and keeps what was chosen.
"""

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
    study, act = apps.get_model("annotation", "Study"), apps.get_model("annotation", "Act")
    chosen = act._base_manager.filter(facts__has_key="results.measure").values("study_pk")
    by_default = study._base_manager.filter(task_type="rating", measure="accuracy").exclude(pk__in=chosen)
    by_default.update(measure="spearman")


def without_rho(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """The program before knows no ρ, and its database takes none: all that have it are measured by accuracy there."""
    study = apps.get_model("annotation", "Study")
    study._base_manager.filter(measure="spearman").update(measure="accuracy")


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
        migrations.RunPython(ratings_by_rho, without_rho),
    ]
