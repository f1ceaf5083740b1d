"""A small finder for tests: in a module of its own, so that other processes can import it."""

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from corpus.parsing import Parser
from corpus.texts import Text


@dataclass(frozen=True)
class Adverbs:
    """Words tagged as adverbs, by place. Kills its own process when it meets `kills`."""

    name: ClassVar[str] = "adverbs"
    version: ClassVar[str] = "1"
    kills: str = ""

    def settings(self) -> dict[str, Any]:
        return {}

    def find(self, texts: Sequence[Text], parser: Parser) -> Any:
        if self.kills and any(self.kills in text.text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return [
            [text.place, [token.text for token in doc if token.tag_ == "RB"]]
            for text, doc in zip(texts, parser.tagged_many(texts), strict=True)
        ]


@dataclass(frozen=True)
class Refuses(Adverbs):
    """The same sweep by name and settings, but it must not be asked anything."""

    def find(self, texts: Sequence[Text], parser: Parser) -> Any:
        raise RuntimeError("asked again")
