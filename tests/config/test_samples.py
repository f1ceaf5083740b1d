"""What a newcomer finds: five sample studies, one of them labeled and marked as such."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.models import Study
from config.local import prepare
from scoring.models import Run

SAMPLES = Path(settings.BASE_DIR) / "stimuli" / "samples"


@pytest.mark.slow
def test_one_sample_is_labeled_and_stays_as_its_researcher_has_it(db, monkeypatch):
    monkeypatch.setattr(prepare, "call_command", loading_only(call_command))
    prepare.ensure_account("long-and-dull-1")
    prepare.load_samples(SAMPLES, owner=prepare.ACCOUNT)
    assert Study.objects.filter(memberships__user__username=prepare.ACCOUNT).count() == 5
    labeled = Study.objects.exclude(sittings=None).get()
    assert labeled.slug == prepare.LABELED
    assert labeled.population == Study.Population.SYNTHETIC
    assert not labeled.items.filter(kind="target", counted__lt=labeled.labels_per_item).exists()
    sittings = labeled.sittings.count()
    prepare.load_samples(SAMPLES, owner=prepare.ACCOUNT)
    assert labeled.sittings.count() == sittings
    assert not Run.objects.exists()


def loading_only(call):
    """Runs are started by the test of `make run`, with servers."""
    return lambda name, *given, **options: None if name == "score_defaults" else call(name, *given, **options)
