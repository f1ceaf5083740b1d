"""What a newcomer finds: six sample studies, one labeled by people, one by programs and marked as such."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Assignment, Study
from config.local import prepare
from researcher.studies.list import read_lines
from scoring.models import Run

SAMPLES = Path(settings.BASE_DIR) / "stimuli" / "samples"

pytestmark = pytest.mark.slow


@pytest.fixture
def samples(db, monkeypatch, tmp_path):
    monkeypatch.setattr(prepare, "call_command", loading_only(call_command))
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    prepare.ensure_account("long-and-dull-1")
    prepare.load_samples(SAMPLES, owner=prepare.ACCOUNT)
    return Study.objects.filter(memberships__user__username=prepare.ACCOUNT)


def test_two_are_labeled_and_stay_as_their_researcher_has_them(samples):
    assert samples.count() == 6
    labeled = samples.exclude(sittings=None).distinct()
    assert {one.slug: one.population for one in labeled} == {
        prepare.PUBLISHED: Study.Population.PEOPLE,
        prepare.LABELED: Study.Population.SYNTHETIC,
    }
    synthetic = samples.get(slug=prepare.LABELED)
    assert not synthetic.items.filter(kind="target", counted__lt=synthetic.labels_per_item).exists()
    sittings = {one.slug: one.sittings.count() for one in labeled}
    prepare.load_samples(SAMPLES, owner=prepare.ACCOUNT)
    assert {one.slug: one.sittings.count() for one in labeled} == sittings
    assert not Run.objects.exists()


def test_the_study_of_people_leads_and_is_complete_without_who_failed_a_check(samples):
    assert samples.first().slug == prepare.PUBLISHED
    (line,) = read_lines(samples.filter(slug=prepare.PUBLISHED))
    assert (line.items, line.complete, line.valid, line.target) == (335, 335, 6309, 6309)
    assert line.study.state == Study.State.CLOSED
    assert line.study.policy_hash
    excluded = line.study.exclusions.values_list("annotator__external_id", "rule")
    out = {name.partition("/")[2]: rule for name, rule in excluded}
    assert out == dict.fromkeys(["w0036", "w0078", "w0196", "w0257", "w0277", "w0310"], "attention")
    labels = Assignment.objects.filter(sitting__study=line.study, item__kind="target")
    right = labels.filter(state=Assignment.State.COUNTED, judgment__answer="acceptable").count()
    assert 100 * right / 6309 == pytest.approx(88.6, abs=0.3)


def test_it_says_whose_its_data_are(samples):
    study = samples.get(slug=prepare.PUBLISHED)
    assert "CC BY 4.0" in study.label_sources.get().note
    assert "creativecommons.org/licenses/by/4.0" in study.path.information.text


@pytest.mark.parametrize("slug", [prepare.PUBLISHED, prepare.LABELED])
def test_complete_samples_can_be_gone_through_as_a_participant(samples, admin_client, admin_user, slug):
    samples.get(slug=slug).memberships.create(user=admin_user, role="owner")
    for step in ("target", "attention", "last", "end"):
        page = admin_client.get(reverse("setup_preview_at", args=[slug, step]))
        assert page.status_code == 200
        assert "No items right now" not in page.content.decode()


def loading_only(call):
    """Runs are started by the test of `make run`, with servers."""
    return lambda name, *given, **options: None if name == "score_defaults" else call(name, *given, **options)
