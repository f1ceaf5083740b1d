"""Input that no form of ours would send: a clear refusal, never a failure of the server."""

import pytest
from django.urls import reverse

from annotation.assignment import start
from annotation.models import Exclusion, StudyLink
from annotation.quality.exclusion import exclude, reinstate
from annotation.recording import record
from comparison.frame.cache.gathered import read_one
from tests.studies import open_small_study, person, plausibility_rows


@pytest.mark.slow
@pytest.mark.parametrize("what", ["items", "report", "breakdown", "confusion"])
def test_a_download_that_does_not_fit_is_refused_before_its_first_line(client, study, what):
    for query in ("attribute=nope&value=x", "by=nope", "run=nope", "runs=nope"):
        answer = client.get(reverse("export", args=[study.slug, what]) + f"?{query}")
        assert answer.status_code in (200, 404), query
        if answer.status_code == 200:
            # What the download has no use for is not read; then it must be whole.
            assert len(b"".join(answer.streaming_content).splitlines()) > 1, query


@pytest.mark.slow
def test_a_sitting_that_cannot_be_is_not_paid(client, study):
    for sitting in ("9223372036854775808", "9" * 5000, "\0", "../..", ""):
        answer = client.post(reverse("payment", args=[study.slug]), {"sitting": [sitting], "do": "approve"})
        assert answer.status_code in (302, 422), sitting
        assert not study.sittings.exclude(payment="undecided").exists()


@pytest.mark.slow
def test_a_moment_beyond_the_calendar_is_refused(client, study):
    data = {"name": "late", "expires_at": "9999-12-31T23:59:59-23:00"}
    assert client.post(reverse("link_add", args=[study.slug]), data).status_code < 500
    assert not StudyLink.objects.filter(name="late").exists()


@pytest.mark.slow
def test_a_model_with_an_impossible_key_is_refused(client, study):
    answer = client.post(reverse("run_start", args=[study.slug]), {"choice": "\0 label"}, follow=True)
    assert "There is no model" in answer.content.decode()


@pytest.mark.parametrize("address", ["/s/%00/", "/s/x%00y/", "/sitting/%00/", "/sitting/%00/back/"])
def test_an_address_with_a_nul_leads_nowhere(visitor, address):
    assert visitor.get(address).status_code == 404


@pytest.mark.slow
def test_swapping_verdicts_is_a_new_state_of_the_data(tmp_path, db):
    """Whose labels count decides the figures, even where their number stays the same."""
    study = open_small_study(tmp_path, plausibility_rows(1), collection={"sitting_length": 1})
    for name, answer in (("ann", "impossible"), ("bob", "impossible"), ("cyd", "more_likely")):
        record(start(study, person(name)), 1, answer)
    for name in ("ann", "bob"):
        exclude(study, person(name), rule="researcher", evidence={"reason": "test", "by": "test"})
    versions = []
    for out, back in (("ann", "bob"), ("bob", "ann")):
        exclude(study, person(out), rule="researcher", evidence={"reason": "test", "by": "test"})
        reinstate(Exclusion.objects.get(study=study, annotator=person(back)))
        versions.append(read_one(study).version)
    assert versions[0] != versions[1]
