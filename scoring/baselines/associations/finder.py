"""The pass over a corpus: every text is parsed, and what is counted of its sentences is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from corpus.errors import BuildError
from scoring.baselines.associations.schema import VERSION
from scoring.baselines.associations.tally import SentenceFacts, sentence_facts

if TYPE_CHECKING:
    from corpus.parsing import Parser
    from corpus.texts import Text


@dataclass(frozen=True)
class AssociationFinder:
    """All sentences of a block, as facts. They are counted where they arrive: facts are a few times smaller."""

    name: ClassVar[str] = "associations"
    # Raised when a rule changes what is counted; stores of another version are neither added to nor scored with.
    version: ClassVar[str] = "1"

    def settings(self) -> dict[str, Any]:
        return {}

    def find(self, texts: "Sequence[Text]", parser: "Parser") -> list[SentenceFacts]:
        docs = parser.parsed_many(parser.tagged_many(texts))
        return [facts for doc in docs for facts in sentence_facts(doc)]


def counted_with(*, window: int) -> dict[str, Any]:
    """What can change the counts of a file, and what a parser here would find in a sentence that is scored.

    `window` is how far to the right of a word another counts as near it; 0 where no words near each other are counted.
    """
    # Imported here, because it loads spaCy.
    from corpus.parsing import PACKAGES
    from corpus.provenance import versions

    return {"finder": AssociationFinder.version, "schema": VERSION, "window": window, **versions(PACKAGES)}


class OtherCounting(BuildError):
    """A store that was counted by other rules or with another parser than those here."""


def require_same(before: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """OtherCounting where what a store was counted with is not what there is here."""
    if before != here:
        was, now = (", ".join(f"{name} {version}" for name, version in sorted(one.items())) for one in (before, here))
        raise OtherCounting(
            f"This store was counted with {was}, and here is {now}: their counts do not add up. "
            "Count into a store of another name."
        )
