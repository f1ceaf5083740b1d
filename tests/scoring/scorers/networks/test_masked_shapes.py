"""Masked models with positions and tokenizers that the packaged one has not."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from annotation.tasktypes.contract import Cloze, ClozeNumbers, Sentence, SentenceNumbers, Unscored
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from tests.scoring.scorers.shapes import BERT

WORDS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "snow", "fell", "\u0120", "\u0120snow", "\u0120fell"]
POSITIONS = 20
SIZES = BERT | {"vocab_size": len(WORDS), "max_position_embeddings": POSITIONS}
# Whose positions begin after the padding index, and BERT's, which do not.
CONFIGS = {
    "bert": transformers.BertConfig(**SIZES),
    "mpnet": transformers.MPNetConfig(**SIZES),
    "roberta": transformers.RobertaConfig(**SIZES),
    "roberta-prelayernorm": transformers.RobertaPreLayerNormConfig(**SIZES),
    "xlm-roberta-xl": transformers.XLMRobertaXLConfig(**SIZES, pad_token_id=1),
    "data2vec-text": transformers.Data2VecTextConfig(**SIZES, pad_token_id=1),
    "ibert": transformers.IBertConfig(**SIZES, pad_token_id=1),
    "esm": transformers.EsmConfig(**SIZES, pad_token_id=1, mask_token_id=4, position_embedding_type="absolute"),
    "longformer": transformers.LongformerConfig(**SIZES, pad_token_id=1, attention_window=4),
}


def written(folder: Path, config: Any, *, lstrip: bool = True) -> Path:
    torch.manual_seed(5)
    transformers.AutoModelForMaskedLM.from_config(config).eval().save_pretrained(folder)
    made = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    made.decoder = decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="<unk>",
        pad_token="<pad>",
        mask_token=AddedToken("<mask>", lstrip=lstrip, special=True),
    )
    tokenizer.save_pretrained(folder)
    return folder


def opened(folder: Path, metric: str) -> Any:
    return open_scorer(ModelSpec("masked", str(folder)), metric=metric, settings={})


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGS)
def test_g5_a_text_is_as_long_as_the_models_positions_wherever_they_begin(tmp_path, name):
    scorer = opened(written(tmp_path, CONFIGS[name]), "pll")
    most = POSITIONS - (0 if name == "bert" else 2)
    fits, too_long = scorer.score([Sentence("snow" + " fell" * (count - 1)) for count in (most, most + 1)])
    assert isinstance(fits, SentenceNumbers)
    assert len(fits.tokens) == most
    assert too_long == Unscored(f"the text has {most + 1} tokens with start and end; the model reads at most {most}")


@pytest.mark.parametrize("lstrip", [True, False])
def test_c3_a_mask_that_leaves_its_space_alone_is_told(tmp_path, lstrip):
    [result] = opened(written(tmp_path, CONFIGS["roberta"], lstrip=lstrip), "cloze").score(
        [Cloze("snow ____ fell", ("snow", "fell"))]
    )
    if lstrip:
        assert isinstance(result, ClozeNumbers)
        return
    told = "the model reads the space before its mask as a separate token, so no word fits the slot"
    assert result == Unscored(told)
