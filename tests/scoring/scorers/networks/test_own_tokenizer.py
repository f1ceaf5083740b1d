"""What is loaded reads a text as the model's own files say, whatever class transformers has for it."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from scoring.scorers.networks.encoded import words_of
from scoring.scorers.networks.loaded import Loaded
from scoring.scorers.networks.own_tokenizer import PROBES, OwnTokenizer, own_tokenizer, unreachable
from tests.scoring.library.layouts import (
    BERT_SPECIAL,
    DEBERTA_PIECES,
    LLAMA_PIECES,
    TEXT,
    TEXTS,
    bytes_of,
    pieces,
    word_pieces,
)

OPTIONS = {"trust_remote_code": False, "local_files_only": True}
LETTERS = "abc THE Old dóg e\u0301 É 19 3.5 don't, “x” ﬁ Ｆ\tη Ж 犬  ..."
# Classes of transformers that set a normalizer or a pre-tokenizer of their own, by the model that the file holds.
BYTES = ["GPT2Tokenizer", "RobertaTokenizer", "Qwen2Tokenizer", "GPTNeoXTokenizer", "DebertaTokenizer"]
UNIGRAM = ["XLMRobertaTokenizer", "CamembertTokenizer", "DebertaV2Tokenizer", "T5Tokenizer", "AlbertTokenizer"]
PIECES = ["BertTokenizer", "DistilBertTokenizer", "MPNetTokenizer"]
MODEL_TYPES = {"GPT": "gpt2", "Rob": "roberta", "Qwe": "qwen2", "Ber": "bert"}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"]


def opened(folder: Path, *, family: str = "masked") -> OwnTokenizer:
    return own_tokenizer(str(folder), family=family, options=OPTIONS)


def some_texts() -> list[str]:
    drawn = random.Random(7)
    made = ["".join(drawn.choices(LETTERS, k=drawn.randrange(1, 30))) for _ in range(200)]
    return [*PROBES, *TEXTS[:4], *made]


def trained(kind: str) -> Any:
    """A tokenizer of a file, with ways of reading that no class of transformers has."""
    made: Tokenizer
    trainer: Any
    if kind == "bytes":
        made, trainer = Tokenizer(models.BPE()), trainers.BpeTrainer(vocab_size=400, special_tokens=SPECIAL)
        made.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=True)]
        )
        made.decoder = decoders.ByteLevel()
    elif kind == "unigram":
        made = Tokenizer(models.Unigram())
        trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=SPECIAL, unk_token="<unk>")
        made.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Punctuation(), pre_tokenizers.Metaspace(prepend_scheme="never")]
        )
        made.decoder = decoders.Metaspace()
    else:
        made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        trainer = trainers.WordPieceTrainer(vocab_size=120, special_tokens=SPECIAL)
        made.pre_tokenizer, made.decoder = pre_tokenizers.Whitespace(), decoders.WordPiece()
    made.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase()])
    if kind == "pieces":
        made.normalizer = normalizers.NFC()
    made.train_from_iterator(TEXTS, trainer)
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    made.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return made


@pytest.mark.parametrize("family", ["masked", "causal"])
@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind, names in (("bytes", BYTES), ("unigram", UNIGRAM), ("pieces", PIECES)) for name in names],
)
def test_tokenizer_json_decides_whatever_the_class(tmp_path, kind, name, family):
    made = trained(kind)
    made.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    (tmp_path / "config.json").write_text(json.dumps({"model_type": MODEL_TYPES.get(name[:3], "bert")}))
    found = opened(tmp_path, family=family)
    assert found.changes[:1] == ("tokenizer.json",)
    assert f"not the class {name}" in found.remarks[0]
    with_ends = family == "masked"
    for text in some_texts():
        expected = made.encode(text, add_special_tokens=with_ends)
        encoding = found.tokenizer(text, add_special_tokens=with_ends).encodings[0]
        assert (encoding.ids, encoding.offsets) == (expected.ids, expected.offsets), text


def test_a_file_that_its_class_reads_alike_changes_nothing(tmp_path):
    bytes_of(tmp_path, ["<|endoftext|>"], as_json=True)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    found = opened(tmp_path, family="causal")
    assert (found.changes, found.remarks) == ((), ())


def test_merges_that_are_left_out_at_random_in_training_are_made_in_scoring(tmp_path):
    bytes_of(tmp_path, ["<|endoftext|>"], as_json=True)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    whole = opened(tmp_path, family="causal").tokenizer(TEXTS[0])["input_ids"]
    written = json.loads((tmp_path / "tokenizer.json").read_text())
    written["model"]["dropout"] = 0.5
    (tmp_path / "tokenizer.json").write_text(json.dumps(written))
    found = opened(tmp_path, family="causal")
    assert [found.tokenizer(TEXTS[0])["input_ids"] for _ in range(5)] == [whole] * 5
    assert found.changes == ("dropout is off",)
    assert found.remarks == ("its tokenizer leaves out merges at random (dropout 0.5), which is turned off here",)


@pytest.mark.parametrize("cased", [True, False])
def test_a_vocabulary_alone_says_whether_texts_are_lower_cased(tmp_path, cased):
    _, ids = word_pieces(tmp_path, cased=cased)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    found = opened(tmp_path)
    assert found.tokenizer("Anna visited Berlin .")["input_ids"] == ids("Anna visited Berlin .")
    assert found.changes == (("cased by its vocabulary",) if cased else ())
    assert any("has words with capitals" in remark for remark in found.remarks) is cased


def test_single_capitals_do_not_make_a_vocabulary_cased(tmp_path):
    words = [f"wort{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(300)]
    (tmp_path / "vocab.txt").write_text("\n".join([*BERT_SPECIAL, ".", *words, "A", "B", "C", "##D"]))
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    found = opened(tmp_path)
    assert (found.changes, found.remarks) == ((), ())
    assert found.tokenizer.tokenize("Wortaa wortab.") == ["wortaa", "wortab", "."]


def test_capitals_that_are_never_reached_are_named(tmp_path):
    word_pieces(tmp_path, cased=True)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    found = opened(tmp_path)
    assert found.remarks == (), "to say so takes longer than all else, and a run has no use for it"
    [remark] = unreachable(found.tokenizer)
    assert remark == "texts are lower-cased, so these words of its vocabulary are never read (3): Anna, Berlin, The"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sentencepiece.bpe.model", "spm.model", "spiece.model", "tokenizer.model"])
@pytest.mark.parametrize("rule", ["nmt_nfkc", "identity", "nmt_nfkc_cf"])
def test_a_file_of_sentencepiece_is_read_as_sentencepiece_reads_it(tmp_path, name, rule):
    kinds = {"sentencepiece.bpe.model": "xlm-roberta", "spm.model": "deberta-v2", "spiece.model": "big_bird"}
    how: dict[str, Any] = dict(DEBERTA_PIECES) if name == "spm.model" else {}
    if name == "tokenizer.model":
        how = dict(LLAMA_PIECES)
    pieces(tmp_path, name, **how | {"normalization_rule_name": rule})
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kinds.get(name, "llama")}))
    found = opened(tmp_path, family="causal" if name == "tokenizer.model" else "masked")
    reader = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / name))
    for text in [TEXT, "Anna visited Berlin in summer.", "An  old  door.  ", "The dog, 19 of us."]:
        assert found.tokenizer.tokenize(text) == reader.encode(text, out_type=str), text


def test_p3_words_part_at_spaces_where_the_tokenizer_has_but_one(tmp_path):
    pieces(tmp_path, "tokenizer.model", **LLAMA_PIECES | {"remove_extra_whitespaces": True})
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    found = opened(tmp_path)
    assert "words part at spaces" in found.changes
    loaded = Loaded(None, found.tokenizer, torch.device("cpu"), parts_at_spaces=found.parts_at_spaces)
    text = " The old  dog 19 slept."
    encoding = found.tokenizer(text)
    read: dict[int | None, str] = {}
    for token, word in zip(encoding.tokens(), words_of(loaded, encoding, text), strict=True):
        read[word] = read.get(word, "") + token
    digits = "".join(f"<0x{ord(digit):X}>" for digit in "19")
    assert [word.replace("▁", "") for word in read.values()] == ["The", "old", "dog", digits, "slept."]


@pytest.mark.parametrize("start", [True, False])
def test_c3_a_mask_without_tokenizer_json_takes_its_space(tmp_path, start):
    bytes_of(tmp_path, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    (tmp_path / "config.json").write_text('{"model_type": "roberta"}')
    tokenizer = opened(tmp_path).tokenizer
    text = "<mask> slept near" if start else "The <mask> slept"
    plain = tokenizer(text.replace("<mask>", "dog"))["input_ids"]
    masked = tokenizer(text)["input_ids"]
    assert masked.count(tokenizer.mask_token_id) == 1
    place = masked.index(tokenizer.mask_token_id)
    assert masked[:place] == plain[:place]


@pytest.mark.parametrize("backend", ["own", "class"])
def test_roles_lengths_and_template_stay(tmp_path, backend):
    made = trained("bytes")
    made.save(str(tmp_path / "tokenizer.json"))
    told = {"tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>", "eos_token": "</s>", "model_max_length": 77}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(told | {"chat_template": "{{ messages }}"}))
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    one = transformers.AutoTokenizer.from_pretrained(tmp_path) if backend == "class" else opened(tmp_path).tokenizer
    assert (one.bos_token, one.eos_token, one.model_max_length) == ("<s>", "</s>", 77)
    assert one.chat_template == "{{ messages }}"
