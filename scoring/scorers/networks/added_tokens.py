"""A tokenizer that reads as it says, with the roles that transformers knows of: start, end, mask, padding."""

import json
from typing import Any

import transformers
from tokenizers import Tokenizer


def completed(own: Tokenizer, loaded: Any) -> Any:
    """`own` as transformers takes a tokenizer, with the roles, the lengths and the chat template of `loaded`."""
    there = {token.content for token in own.get_added_tokens_decoder().values()}
    added = (token for _, token in sorted(loaded.added_tokens_decoder.items()) if token.content not in there)
    for token in added:
        (own.add_special_tokens if token.special else own.add_tokens)([token])
    # The role must be that of the token which unknown words really become, or they would not be noticed.
    unknown = _unknown(own)
    backend: Any = transformers.PreTrainedTokenizerFast
    return backend(
        tokenizer_object=own,
        model_max_length=loaded.model_max_length,
        model_input_names=loaded.model_input_names,
        padding_side=loaded.padding_side,
        clean_up_tokenization_spaces=loaded.clean_up_tokenization_spaces,
        chat_template=loaded.chat_template,
        **loaded.special_tokens_map | ({"unk_token": unknown} if unknown else {}),
    )


def _unknown(own: Tokenizer) -> str | None:
    """What the tokenizer reads a word as that it does not know; None if it knows all there are."""
    model = json.loads(own.model.__getstate__())
    if model.get("unk_id") is not None:
        return str(model["vocab"][model["unk_id"]][0])
    named: str | None = model.get("unk_token")
    return named


def with_greedy_mask(loaded: Any) -> Any | None:
    """The tokenizer with a mask that takes the space before it; None where it takes it, or leaves none behind.

    RoBERTa, DeBERTa and their kin were trained so. transformers knows it from tokenizer.json, and without that file
    forgets it, and every slot would follow a token for the space.
    """
    mask = loaded.mask_token
    if mask is None or not _leaves_a_space(loaded, mask):
        return None
    content = json.loads(loaded.backend_tokenizer.to_str())
    for token in content["added_tokens"]:
        if token["content"] == mask:
            token["lstrip"] = True
    return completed(Tokenizer.from_str(json.dumps(content)), loaded)


def _leaves_a_space(loaded: Any, mask: str) -> bool:
    ids = loaded(f"a {mask}", add_special_tokens=False)["input_ids"]
    before = ids[: ids.index(loaded.mask_token_id)] if loaded.mask_token_id in ids else []
    return len(before) > 1 and not loaded.decode(before[-1:]).strip()
