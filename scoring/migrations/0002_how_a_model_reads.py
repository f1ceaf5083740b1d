from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="languagemodel",
            name="reading",
            field=models.JSONField(
                blank=True,
                help_text="What its tokenizer reads otherwise than transformers' class; null: not looked at yet.",
                null=True,
            ),
        ),
    ]
