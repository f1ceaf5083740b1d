"""A study's folder downloaded, sent again and copied, in the browser."""

import io
import zipfile

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.lifecycle.folder import study_hash
from annotation.loading import load_study
from annotation.models import Study
from tests.studies import plausibility_rows, write_study


@pytest.fixture
def researcher(db):
    return get_user_model().objects.create_user("mara")


@pytest.fixture
def draft(researcher, tmp_path):
    return load_study(write_study(tmp_path / "draft", plausibility_rows(3), slug="draft"), owner=researcher).study


def downloaded(client, study):
    answer = client.get(reverse("study_folder", args=[study.slug]))
    assert answer["Content-Disposition"] == f'attachment; filename="{study.slug}.zip"'
    return b"".join(answer.streaming_content)


def send(client, data, *, name="draft.zip"):
    return client.post(reverse("study_upload"), {"folder": SimpleUploadedFile(name, data)}, follow=True)


@pytest.mark.slow
def test_a_folder_comes_back_as_the_same_study(client, draft):
    data, before = downloaded(client, draft), study_hash(draft)
    assert client.get(reverse("study_hash", args=["draft"])).content.decode() == f"{before}  draft\n"
    draft.delete()
    answer = send(client, data)
    assert answer.redirect_chain == [("/studies/draft/setup/", 302)]
    assert "3 items added" in answer.content.decode()
    assert client.get(reverse("study_hash", args=["draft"])).content.decode() == f"{before}  draft\n"


@pytest.mark.slow
def test_a_stranger_learns_nothing_by_sending_a_folder_of_that_name(client, draft, colleague):
    data = downloaded(client, draft)
    answer = send(colleague, data)
    assert answer.status_code == 422
    assert "The slug draft is not available. Choose another slug." in answer.content.decode()
    assert Study.objects.count() == 1


@pytest.mark.slow
def test_faults_stand_beside_the_file_and_nothing_is_stored(client, draft):
    with zipfile.ZipFile(io.BytesIO(downloaded(client, draft))) as archive:
        settings = archive.read("draft/study.toml").decode()
    draft.delete()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as out:
        out.writestr("study.toml", settings)
        out.writestr("items.jsonl", '{"id": "a"}\n')
    answer = send(client, data.getvalue())
    assert answer.status_code == 422
    assert "No study created. 1 problem in" in answer.content.decode()
    assert "content" in answer.content.decode()
    assert not Study.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"", b"nothing of the kind"])
def test_other_files_are_refused(client, data):
    answer = send(client, data)
    assert answer.status_code == 422


@pytest.mark.slow
def test_a_study_is_duplicated(client, draft):
    page = client.get(reverse("setup", args=[draft.slug])).content.decode()
    assert 'value="draft-copy"' in page
    address = reverse("study_duplicate", args=[draft.slug])
    answer = client.post(address, {"slug": "draft-two", "title": "Two"}, follow=True)
    assert answer.redirect_chain == [("/studies/draft-two/setup/", 302)]
    assert "Two created as a draft, with items and setup of The draft study." in answer.content.decode()
    again = client.post(address, {"slug": "draft-two", "title": "Two"})
    assert again.status_code == 422
    assert "draft-two is not available." in again.content.decode()
    assert client.post(address, {"slug": "No Slug", "title": ""}).status_code == 422
    assert Study.objects.count() == 2


def test_the_copy_is_its_makers_also_where_they_are_only_an_editor(draft, colleague, carl):
    draft.memberships.create(user=carl, role="editor")
    colleague.post(reverse("study_duplicate", args=[draft.slug]), {"slug": "mine", "title": "Mine"})
    assert Study.objects.get(slug="mine").memberships.get().role == "owner"
