"""The masked language model that the tree carries: what is composed answers as its card says."""

import json

import pytest
from django.conf import settings

from annotation.studyfile import read_study
from scoring.library.composed import ARTEFACT, CARD, composed_models, place
from tests.scoring.scorers.weights import folder, needs_weights
from training.management.commands.card_masked_lm import SAMPLE
from training.masked.judging import CONTEXTS, OWN, judge_pairs, judge_slots, read_pairs
from training.masked.reading import Vocabulary, plain_tokenizer
from training.masked.training import read_composed

pytestmark = [pytest.mark.slow, needs_weights]
MOST_BYTES = 12_000_000


@pytest.fixture(scope="module", params=composed_models(), ids=lambda model: model.key)
def composed(request, tmp_path_factory):
    """A model of the tree, its card, and the folder that it was composed into."""
    models_dir = tmp_path_factory.mktemp("models")
    (models_dir / request.param.encoder).symlink_to(folder(request.param.encoder))
    place(request.param, models_dir, say=print)
    return request.param, json.loads((request.param.folder / CARD).read_text()), models_dir / request.param.key


def test_its_file_is_small_enough_to_be_carried(composed):
    model, card, _ = composed
    assert (model.folder / ARTEFACT).stat().st_size == card["artefact_bytes"] <= MOST_BYTES


def test_it_answers_the_pairs_as_its_card_says(composed):
    _, card, made = composed
    tokenizer = plain_tokenizer(made)
    found = judge_pairs(read_composed(made), read_pairs(OWN), tokenizer, Vocabulary.of(tokenizer)).as_json()
    assert found == card["measured"]["after"]["pairs"]["own pairs"]


def test_it_answers_the_intensifier_sample_as_its_card_says(composed):
    _, card, made = composed
    found = judge_slots(made, read_study(settings.BASE_DIR / SAMPLE))
    told = card["measured"]["after"]["slots"]
    assert found["left_out"] == told["left_out"]
    for context in CONTEXTS:
        intervals, bounds = found[context].pop("intervals"), told[context].pop("intervals")
        assert found[context] == pytest.approx(told[context], rel=1e-3)
        assert intervals == {name: pytest.approx(told, rel=1e-3) for name, told in bounds.items()}
