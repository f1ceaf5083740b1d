"""What a job does in a study is kept as the deed of whoever asked for it on the page."""

import pytest
from django.urls import reverse

from annotation.models import Act
from researcher.models import Job
from tests.researcher.jobs.sources import asked, done, of_scores, sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


def kept(study_pk):
    read = Act.objects.filter(study_pk=study_pk).order_by("pk")
    return list(read.values_list("deed", "who", "via"))


@pytest.mark.slow
def test_a_study_that_is_built_is_made_by_who_asked(browser):
    given = {"per_cell": "2", "phenomenon": ["simple"], "no_checks": "on", "seed": "0", "slug": "built"}
    job = done(asked(browser, "construction", "agreement", given))
    assert job.state == "finished", job.error
    deeds = kept(job.made.get().pk)
    assert ("made", "mira", "page") in deeds
    assert {(who, via) for _, who, via in deeds} == {("mira", "page")}


def test_labels_and_scores_are_imported_by_who_asked(browser, study):
    before = len(kept(study.pk))
    labels = sent("item,annotator,label\ntarget-1,anna,less_likely\n", "labels.csv")
    columns = browser.post(reverse("label_files", args=[study.slug]), {"uploads": [labels]}).headers["Location"]
    browser.post(columns, {"item": "item", "annotator": "annotator", "label": "label"})
    assert done(Job.objects.get(kind="labels")).state == "finished"
    table = "item,label,score\n" + "".join(f"target-{n},less_likely,{n}\n" for n in (1, 2, 3))
    of_scores(browser, study, sent(table, "one.csv"))
    assert done(Job.objects.get(kind="scores")).state == "finished"
    assert kept(study.pk)[before:] == [("labels imported", "mira", "page"), ("scores imported", "mira", "page")]
    assert Act.objects.filter(study_pk=study.pk, deed="labels imported").get().subject == "labels.csv"
