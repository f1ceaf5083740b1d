"""A question of each kind that any sound scorer can answer: what tells a broken scorer from a broken item."""

from dataclasses import replace

from annotation.tasktypes.contract import Cloze, Labelled, Region, ScoreRequest, Sentence

TEXT, LONGER = "The dog sleeps well.", "The small dog sleeps well."
VERB, REST = Region("verb", 8, 14), Region("continuation", 8, 20)


def plain(request: ScoreRequest) -> ScoreRequest:
    """A request of the same kind about a plain sentence."""
    match request:
        case Cloze():
            return Cloze("The dog ____ well.", ("is", "was"))
        case Sentence():
            return Sentence(TEXT, (VERB, REST))
        case Labelled():
            return Labelled(TEXT, request.labels, paired=LONGER, focus="small", head="dog")
        case _:
            return replace(request, text=TEXT)
