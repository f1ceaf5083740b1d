"""A draft of ratings asks for the sentences that its items have: one, or a pair."""

import pytest
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.loading import load_study
from tests.studies import write_study

pytestmark = pytest.mark.django_db

RATING = {"type": "rating", "question": "How natural?", "points": 7, "low": "Not", "high": "Completely"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ({"sentence": "He eats."}, ["Sentence"]),
        ({"first": "He eats.", "second": "He eat."}, ["First sentence", "Second sentence"]),
    ],
)
def test_a_rating_study_asks_for_the_sentences_that_its_items_have(client, researcher, tmp_path, content, labels):
    study = load_study(write_study(tmp_path / "rated", [ItemRow("one", content)], slug="rated", task=RATING)).study
    for address in (reverse("item_new", args=[study.slug]), reverse("item_edit", args=[study.slug, "one"])):
        form = client.get(address).context["form"]
        assert [field.label for field in form.content_fields] == labels
    sent = {"kind": "target", **{f"content.{name}": "New." for name in content}}
    assert client.post(reverse("item_new", args=[study.slug]), sent).status_code == 302


def test_a_draft_with_single_sentences_and_pairs_can_get_either(client, researcher, tmp_path):
    rows = [ItemRow("one", {"sentence": "He eats."}), ItemRow("two", {"first": "She eats.", "second": "She eat."})]
    study = load_study(write_study(tmp_path / "rated", rows, slug="rated", task=RATING)).study
    new = reverse("item_new", args=[study.slug])
    names = {field.name for field in client.get(new).context["form"].content_fields}
    assert names >= {"content.sentence", "content.first", "content.second"}
    pair = {"kind": "target", "content.first": "They eat.", "content.second": "They eats."}
    assert client.post(new, pair).status_code == 302
