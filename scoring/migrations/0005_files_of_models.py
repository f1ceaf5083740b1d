from django.db import migrations, models


def name_the_weights(apps, schema_editor):
    """What was registered before is known by its weights only; loading such a model says what to run."""
    LanguageModel = apps.get_model("scoring", "LanguageModel")
    for model in LanguageModel.objects.exclude(file_hash=""):
        model.files = {"model.safetensors": model.file_hash}
        model.save(update_fields=["files"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0004_endpoint_calls"),
    ]

    operations = [
        migrations.AddField(
            model_name="languagemodel",
            name="files",
            field=models.JSONField(
                default=dict, help_text="sha256 of every file of a folder that decides the answers."
            ),
        ),
        migrations.AlterField(
            model_name="languagemodel",
            name="file_hash",
            field=models.CharField(blank=True, help_text="sha256 of `files`.", max_length=64),
        ),
        migrations.RunPython(name_the_weights, migrations.RunPython.noop),
    ]
