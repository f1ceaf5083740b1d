"""Tokens as a person reads them: a space is shown as one, and bytes as the letters that they spell.

Byte-level tokenizers (Radford et al. 2019) write every byte as one printable letter, so that " café" reads `ĠcafÃ©`;
SentencePiece writes a space as `▁`. BERT's word pieces (`##ing`) are left as linguists know them.
"""

from collections.abc import Sequence

SPACE = "␣"
SENTENCEPIECE_SPACE = "▁"
# How a byte-level tokenizer writes a space.
BYTE_SPACE = "Ġ"


def _alphabet() -> dict[str, int]:
    """Letter to byte, as in GPT-2's published encoder: printable bytes stand for themselves, others follow U+0100."""
    kept = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in set(kept)]
    return {chr(byte): byte for byte in kept} | {chr(256 + place): byte for place, byte in enumerate(others)}


BYTES = _alphabet()


def readable(tokens: Sequence[str]) -> tuple[str, ...]:
    """One text's tokens; a token that is part of a letter only stays as the tokenizer writes it."""
    if any(token.startswith(BYTE_SPACE) for token in tokens) and all(set(token) <= BYTES.keys() for token in tokens):
        return tuple(_spelled(token) for token in tokens)
    return tuple(token.replace(SENTENCEPIECE_SPACE, SPACE) for token in tokens)


def _spelled(token: str) -> str:
    try:
        text = bytes(BYTES[letter] for letter in token).decode()
    except UnicodeDecodeError:
        return token
    return text.replace("\n", "↵").replace(" ", SPACE)
