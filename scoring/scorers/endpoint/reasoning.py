"""What a model wrote before its answer, cut off: thoughts in tags, and channels (docs/metrics.md, S2)."""

import re

_NAMES = "think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad|rationale|chain[_ ]of[_ ]thought|cot"
_TAG = rf"(?:begin_of_|start_|seed:)?(?:{_NAMES})"
# <think>, [THINK], ◁think▷, <|begin_of_thought|>, <|START_THINKING|>.
_OPENED = re.compile(rf"[<\[◁]\|?\s*{_TAG}\b[^<>\[\]◁▷\n]*?\|?[>\]▷]", re.IGNORECASE)
_CLOSED = re.compile(rf"[<\[◁]\|?\s*(?:/\s*|end_of_|end_)(?:seed:)?(?:{_NAMES})\s*\|?[>\]▷]", re.IGNORECASE)
# gpt-oss, with its marks or with what is left of them where a server takes special tokens out.
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)(?:\s[^<\n]*)?<\|message\|>", re.IGNORECASE)
_ENDED = re.compile(r"<\|(?:end|return|call|start|eot_id|im_end)\|>.*", re.DOTALL)
_BARE = re.compile(r"\s*analysis(?=[A-Z:\s])")
_FINAL = re.compile(r"assistant\s*final\b|assistantfinal|^\s*final(?=[\sA-Z:])", re.MULTILINE)


def without_reasoning(reply: str) -> str | None:
    """What a reply says after its reasoning; None where it ends within it."""
    if channels := list(_CHANNEL.finditer(reply)):
        if channels[-1][1].lower() != "final":
            return None
        reply = _ENDED.sub("", reply[channels[-1].end() :])
    elif _BARE.match(reply):
        finals = list(_FINAL.finditer(reply))
        if finals:
            reply = reply[finals[-1].end() :]
        elif re.match(r"\s*analysis(?=[A-Z])", reply):
            return None
    closings = list(_CLOSED.finditer(reply))
    openings = list(_OPENED.finditer(reply))
    said, depth, begin = "", 0, 0
    for mark in sorted([*openings, *closings], key=lambda found: found.start()):
        if mark in openings:
            said += reply[begin : mark.start()] if depth == 0 else ""
            depth += 1
        else:
            # A closing without an opening: the prompt had opened it, and all before was reasoning.
            said = "" if depth == 0 else said
            depth = max(0, depth - 1)
        begin = mark.end()
    return said + reply[begin:] if depth == 0 else None
