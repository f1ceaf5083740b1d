"""The pass over a corpus: which sentences are hits, and what only their tree can tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from stimuli.constructions.intensifiers import negation, rule
from stimuli.constructions.intensifiers.options import ADVERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from corpus.parsing import Parser
    from corpus.texts import Text

SENTENCE_BREAK = re.compile(r"(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<=[.!?…])\s+(?=[\"'“‘(]*[A-Z])")
# A point after a title ends nothing.
COMPLETE = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bSir)(?<!\bProf)(?<!\bvs)[.!?…][\"'”’)\]]*$")


@dataclass(frozen=True)
class IntensifierFinder:
    """Finds every hit of all 24 adverbs, or of those listed; what is made of them is decided later, without another
    pass.

    `running` names the files in which a line goes on where the one before has ended, a sentence or a turn each.
    """

    running: tuple[str, ...] = ()
    adverbs: tuple[str, ...] = ADVERBS

    name: ClassVar[str] = "intensifiers"
    version: ClassVar[str] = "3"

    def settings(self) -> dict[str, Any]:
        # A pass for the 24 keeps the name that it had before there were other lists.
        listed = {} if self.adverbs == ADVERBS else {"adverbs": list(self.adverbs)}
        return {"running": sorted(self.running), **listed}

    def find(self, texts: "Sequence[Text]", parser: "Parser") -> dict[str, Any]:
        """Counts at each stage, and the hits."""
        before = self._lines_before(texts)
        promising = [text for text in texts if rule.promising(self.adverbs).search(text.text)]
        tagged = [
            (text, doc, places)
            for text, doc in zip(promising, parser.tagged_many(promising), strict=True)
            if (places := rule.candidates(doc, self.adverbs))
        ]
        parsed = parser.parsed_many([doc for _, doc, _ in tagged])
        hits = [
            _hit(text.place, before.get(text.place, ""), *hit)
            for (text, _, places), doc in zip(tagged, parsed, strict=True)
            for hit in rule.hits(doc, places)
        ]
        return {
            "texts": len(texts),
            "adverb_and_word_at_an_end": len(promising),
            "tagged_adverb_and_adjective": len(tagged),
            "hits": hits,
        }

    def _lines_before(self, texts: "Sequence[Text]") -> dict[str, str]:
        """By place, the text that ends right before it. Blank lines, which end a document, leave gaps in the places."""
        before = {}
        for one, two in pairwise(texts):
            (file, line), (same, following) = (_file_and_line(text.place) for text in (one, two))
            if file == same and file in self.running and following - line <= 1:
                before[two.place] = one.text
        return before


def _file_and_line(place: str) -> tuple[str, int]:
    """A line that was cut in pieces has places such as novel.txt:12.2."""
    file, _, line = place.rpartition(":")
    return file, int(line.partition(".")[0])


def _hit(place: str, line_before: str, adverb: "Token", adjective: "Token", joined: str) -> dict[str, Any]:
    """`before` is the sentence before `sentence`, if it is complete: of the same text, else of the line before."""
    doc = adverb.doc
    starts = _starts(doc, adverb.i)
    end = rule.ENDS.match(doc.text, adjective.idx + len(adjective))
    assert end is not None, "a hit ends its sentence"
    sentence = doc.text[doc[starts[0]].idx : end.end()]
    before = doc.text[doc[starts[1]].idx : doc[starts[0]].idx] if len(starts) > 1 else _last_sentence(line_before)
    return {
        "place": place,
        "adverb": adverb.lower_,
        "adjective": adjective.lower_,
        "sentence": sentence.rstrip(),
        "before": before.strip(),
        "attachment": joined,
        "negation": negation.verdict(adverb, adjective),
    }


def _last_sentence(text: str) -> str:
    return SENTENCE_BREAK.split(text)[-1] if COMPLETE.search(text) else ""


def _starts(doc: "Doc", place: int) -> list[int]:
    """Where the sentence begins, and the one before; a part without an end belongs to what follows (parser's cut)."""
    starts = list[int]()
    for sentence in reversed([one for one in doc.sents if one.start <= place]):
        if sentence.start == 0 or COMPLETE.search(doc.text[: doc[sentence.start].idx].rstrip()):
            starts.append(sentence.start)
        if len(starts) == 2:
            break
    return starts
