"""A model's row: what answers for it, where that looks things up, and what the database refuses."""

from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from scoring.library.location import Location, of_folder
from scoring.models import LanguageModel

ROWS = {
    "a hub model": {"family": "causal", "method": "causal", "location": "hub", "source": "owner/name"},
    "a baseline that gives labels": {"family": "baseline", "method": "random"},
    "a counted baseline": {"family": "baseline", "method": "ngram", "location": "store", "source": "novels"},
    "an LSTM": {"family": "baseline", "method": "lstm", "location": "models", "source": "novels"},
    "a model behind the endpoint": {
        "family": "endpoint", "method": "endpoint", "location": "endpoint", "source": "gpt-4.1",
    },
    "imported scores": {"family": "masked", "is_imported": True},
    "imported scores of a model of another kind": {"family": "other", "is_imported": True},
}  # fmt: skip
REFUSED = {
    "another scorer than its family's": {"family": "masked", "method": "causal", "location": "hub", "source": "a/b"},
    "no scorer": {"family": "masked", "location": "hub", "source": "a/b"},
    "a baseline without a method": {"family": "baseline"},
    "imported, and with a scorer": {"family": "masked", "method": "masked", "is_imported": True},
    "imported, and from somewhere": {"family": "masked", "is_imported": True, "location": "hub", "source": "a/b"},
    "of another kind, and not imported": {"family": "other", "method": "other", "location": "hub", "source": "a/b"},
    "a source that is nowhere": {"family": "masked", "method": "masked", "source": "a/b"},
    "a place without a name": {"family": "masked", "method": "masked", "location": "hub"},
    "an unknown place": {"family": "masked", "method": "masked", "location": "attic", "source": "a/b"},
    "a hub model behind the endpoint": {
        "family": "causal", "method": "causal", "location": "endpoint", "source": "gpt-4.1",
    },
    "an endpoint's model on the hub": {
        "family": "endpoint", "method": "endpoint", "location": "hub", "source": "gpt-4.1",
    },
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_models_that_there_are(row):
    LanguageModel.objects.create(key="m", name="M", **row)


@pytest.mark.django_db
@pytest.mark.parametrize("row", REFUSED.values(), ids=list(REFUSED))
def test_a_row_that_contradicts_itself_is_refused(row):
    with pytest.raises(IntegrityError), transaction.atomic():
        LanguageModel.objects.create(key="m", name="M", **row)


def test_what_lies_in_the_installations_folders_is_named_shortly_and_moves_with_them(settings, tmp_path):
    settings.MODELS_DIR, settings.VAR_DIR = tmp_path / "models", tmp_path / "var"
    row = LanguageModel(family="baseline", method="lstm", location="models", source="novels")
    assert (row.spec.method, row.spec.source) == ("lstm", str(tmp_path / "models" / "novels"))
    row = LanguageModel(family="baseline", method="ngram", location="store", source="novels")
    assert (row.spec.method, row.spec.source) == ("ngram", str(tmp_path / "var" / "associations" / "novels"))
    row = LanguageModel(family="masked", method="masked", location="hub", source="owner/name")
    assert row.spec.source == "owner/name"


def test_a_folder_among_the_models_is_told_from_one_elsewhere(settings, tmp_path):
    settings.MODELS_DIR = tmp_path / "models"
    assert of_folder(tmp_path / "models" / "mine") == (Location.MODELS, "mine")
    assert of_folder(Path("/elsewhere/mine")) == (Location.PATH, "/elsewhere/mine")


def test_only_what_looks_nothing_up_answers_in_no_time():
    labels, counted, lstm = (
        LanguageModel(family="baseline", location=location) for location in ("none", "store", "models")
    )
    assert [one.gives_labels_only for one in (labels, counted, lstm)] == [True, False, False]
    assert [one.is_counted for one in (labels, counted, lstm)] == [False, True, False]
