from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='condition_attribute',
            field=models.CharField(blank=True, help_text='What tells the variants of a source apart; empty: found out.', max_length=200),
        ),
        migrations.AddField(
            model_name='study',
            name='list_attribute',
            field=models.CharField(blank=True, help_text='What says the list; empty: it is made.', max_length=200),
        ),
    ]
