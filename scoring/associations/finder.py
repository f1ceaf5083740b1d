"""The pass over a corpus: every text is parsed, and what is counted of its sentences is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scoring.associations.sentences import SentenceFacts, sentence_facts

if TYPE_CHECKING:
    from stimuli.corpus.parsing import Parser
    from stimuli.corpus.texts import Text


@dataclass(frozen=True)
class AssociationFinder:
    """All sentences of a block, as facts. They are counted where they arrive: facts are a few times smaller."""

    name: ClassVar[str] = "associations"
    # Raised when a rule changes what is counted; stores of another version are not added to.
    version: ClassVar[str] = "1"

    def settings(self) -> dict[str, Any]:
        return {}

    def find(self, texts: "Sequence[Text]", parser: "Parser") -> list[SentenceFacts]:
        docs = parser.parsed_many(parser.tagged_many(texts))
        return [facts for doc in docs for facts in sentence_facts(doc)]
