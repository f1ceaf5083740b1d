"""Baselines from counted text behind the contract of every scorer: a sentence is parsed, and its event looked up.

The rules are numbered in docs/metrics.md, and the tests quote them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from annotation.tasktypes.contract import Result, ScoreRequest, Sentence, SentenceNumbers, Unscored
from scoring.baselines.associations import ppmi
from scoring.baselines.associations.events import Event, proposition
from scoring.baselines.associations.kneser_ney import KneserNey, TooLittleText
from scoring.baselines.associations.places import CONTENT, END
from scoring.baselines.associations.ppmi import Parts
from scoring.baselines.associations.prototypes import sdm, thematic_fit
from scoring.baselines.associations.reading import StoreError, open_outside, open_store
from scoring.baselines.associations.tally import OtherCounting, counted_with, require_same, tokens
from scoring.scorers.contract import ModelError, ModelSpec

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from corpus.parsing import Parser


class CountedScorer:
    """What they share: the store, the parser, and reasons for leaving a sentence unscored."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        try:
            self.store = open_store(Path(spec.source), spec.files.get(CONTENT, ""))
            # Words are looked up as they were counted: by the same rules, with the same parser.
            counted = self.store.manifest
            require_same(counted.counted_with, counted_with(window=counted.window))
            self.prepare()
        except (StoreError, OtherCounting, TooLittleText) as error:
            raise ModelError(str(error)) from error

    def prepare(self) -> None:
        """What is needed beside the counts. StoreError or TooLittleText if the store does not have it."""

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        texts = {request.text for request in requests if isinstance(request, Sentence) and request.text.strip()}
        docs = _parsed(sorted(texts))
        return [self._result(request, docs) for request in requests]

    def of(self, doc: "Doc") -> Parts | str:
        """The parts whose sum is the score, or the reason why there is none."""
        event = proposition(doc)
        return event if isinstance(event, str) else self.of_event(event)

    def of_event(self, event: Event) -> Parts | str:
        raise TypeError(f"{type(self).__name__} does not define how it scores an event")

    def provenance(self) -> dict[str, Any]:
        manifest = self.store.manifest
        return {
            "store": Path(self.spec.source).name,
            "store_sha256": manifest.content,
            "store_files": manifest.files,
            "counted_with": manifest.counted_with,
            "counted_from": [{"name": one["name"], "sha256": one["sha256"]} for one in manifest.sources],
            "settings": dict(self.spec.settings),
        }

    def _result(self, request: ScoreRequest, docs: Mapping[str, "Doc"]) -> Result:
        if not isinstance(request, Sentence):
            return Unscored("a count-based baseline scores whole sentences only")
        if not request.text.strip():
            return Unscored("the text is empty")
        parts = self.of(docs[request.text])
        if isinstance(parts, str):
            return Unscored(parts)
        return SentenceNumbers(sum(value for _, value in parts), parts)

    def _unknown(self, event: Event) -> str:
        """The words of an event that the store lacks altogether, as a reason; empty if it has them all."""
        lacking = [] if self.store.lemma(event.verb, "V") else [f"{event.verb} (verb)"]
        lacking += [f"{one.lemma} (noun)" for one in event.arguments if not self.store.lemma(one.lemma, "N")]
        return f"{', '.join(lacking)} does not occur in the counted text" if lacking else ""


class SyntacticScorer(CountedScorer):
    """`ppmi_syntax`: the sum of the PPMI of verb and noun in their relation."""

    measured: ClassVar[Any] = staticmethod(ppmi.syntactic)

    def of_event(self, event: Event) -> Parts | str:
        parts: Parts | str = self._unknown(event) or self.measured(self.store, event)
        return parts


class SmoothedScorer(SyntacticScorer):
    """`ppmi_syntax_smoothed`: the same by the arithmetic of the published files."""

    measured: ClassVar[Any] = staticmethod(ppmi.syntactic_smoothed)


class UnstructuredScorer(CountedScorer):
    """`ppmi_unstructured`: the sum of the PPMI of verb and noun as words near each other."""

    def of_event(self, event: Event) -> Parts | str:
        least = {name: self.spec.settings[name] for name in ("least_lemma", "least_pair")}
        return self._unknown(event) or ppmi.unstructured(self.store, event, **least)


class ThematicFitScorer(CountedScorer):
    """`thematic_fit`: the cosine of the last argument and the prototype of what is expected there."""

    def prepare(self) -> None:
        # Read now, so that a store without any is refused before the first sentence.
        settings = self.spec.settings
        self.vectors = (
            open_outside(Path(self.spec.source), settings["vectors_sha256"])
            if "vectors" in settings
            else self.store.vectors
        )
        self.numbers = {name: settings[name] for name in ("fillers", "prototype")}

    def of_event(self, event: Event) -> Parts | str:
        fit = thematic_fit(self.store, event, vectors=self.vectors, **self.numbers)
        return fit if isinstance(fit, str) else ((event.arguments[-1].lemma, fit),)


class SdmScorer(ThematicFitScorer):
    """`sdm`: the last argument's cosine with the linguistic conditions plus that with the active context."""

    def of_event(self, event: Event) -> Parts | str:
        parts = sdm(self.store, event, vectors=self.vectors, **self.numbers)
        if isinstance(parts, str):
            return parts
        return (("linguistic conditions", parts[0]), ("active context", parts[1]))


class NgramScorer(CountedScorer):
    """`ngram`: the log-probability of the words and the end, by interpolated Kneser–Ney."""

    def prepare(self) -> None:
        self.model = KneserNey.estimated(self.store)

    def of(self, doc: "Doc") -> Parts | str:
        # Each sentence of a text by itself, as texts were counted.
        sentences = [words for sentence in doc.sents if (words := list(tokens(sentence)))]
        return tuple(
            part for words in sentences for part in zip([*words, END], self.model.sentence(words), strict=True)
        )


def _parsed(texts: Sequence[str]) -> dict[str, "Doc"]:
    from corpus.texts import Text

    parser = _parser()
    docs = parser.parsed_many(parser.tagged_many(Text("", " ".join(text.split())) for text in texts))
    return dict(zip(texts, docs, strict=True))


@lru_cache(maxsize=1)
def _parser() -> "Parser":
    """The parser that corpora are counted with, once a process."""
    from corpus.parsing import Parser

    return Parser()
