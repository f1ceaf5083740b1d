"""What a job does in a study is kept as the deed of whoever asked for it on the page."""

import pytest
from django.urls import reverse

from annotation.models import Act
from researcher.imports.registry import KINDS
from researcher.models import Job
from tests.researcher.jobs.sources import asked, done, sent

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("queue")]


def kept(study_pk):
    read = Act.objects.filter(study_pk=study_pk).order_by("pk")
    return list(read.values_list("deed", "who", "via"))


def test_a_study_that_is_built_is_made_by_who_asked(browser):
    given = {"per_cell": "2", "phenomenon": ["simple"], "no_checks": "on", "seed": "0", "slug": "built"}
    job = done(asked(browser, "construction", "agreement", given))
    assert job.state == "finished", job.error
    deeds = kept(job.made.get().pk)
    assert ("made", "mira", "page") in deeds
    assert {(who, via) for _, who, via in deeds} == {("mira", "page")}


# A file of each kind, and what its act is about.
FILES = {
    "labels": ("item,annotator,label\ntarget-1,anna,less_likely\n", "one.csv"),
    "scores": ("item,label,score\n" + "".join(f"target-{n},less_likely,{n}\n" for n in (1, 2, 3)), "one · score"),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_files_of_every_kind_are_imported_by_who_asked(browser, study, kind):
    text, subject = FILES[kind.key]
    before = len(kept(study.pk))
    files = {"uploads": [sent(text, "one.csv")], "source": "our lab"}
    columns = browser.post(reverse(f"{kind.address}_files", args=[study.slug]), files).headers["Location"]
    form = browser.get(columns).context["form"]
    browser.post(columns, {field.name: field.value() for field in form if field.value() not in (None, False, "")})
    assert done(Job.objects.get()).state == "finished"
    assert kept(study.pk)[before:] == [(kind.deed, "mira", "page")]
    assert Act.objects.filter(study_pk=study.pk, deed=kind.deed).get().subject.startswith(subject)
