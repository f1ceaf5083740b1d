"""The options of the intensifier builder, besides those of every corpus."""

from argparse import ArgumentParser
from pathlib import Path

from corpus.arguments import whole
from stimuli.constructions.intensifiers.adverbs import ADVERBS

COMBINATIONS = 40


def _add_lists(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--adverbs",
        nargs="+",
        default=list(ADVERBS),
        metavar="ADVERB|FILE",
        help="these and no others, or files of them: one a line, perhaps with its class in a second column; "
        f"any adverb of one word (the 24: {', '.join(ADVERBS)})",
    )
    parser.add_argument(
        "--adjectives",
        nargs="+",
        default=[],
        metavar="ADJECTIVE|FILE",
        help="these and no others, or files of them, one a line (all)",
    )


def add_own_arguments(parser: ArgumentParser) -> None:
    _add_lists(parser)
    parser.add_argument(
        "--running",
        nargs="+",
        default=[],
        metavar="NAME",
        help="corpus files in which every line goes on where the one before ended (a sentence or a turn each, a blank "
        "line between documents): there the context may come from the line before",
    )
    parser.add_argument("--by-adverb", action="store_true", help="one study for each adverb that the corpus has")
    parser.add_argument(
        "--combinations",
        type=whole(2),
        default=COMBINATIONS,
        metavar="N",
        help=f"adjectives for each adverb ({COMBINATIONS})",
    )
    parser.add_argument(
        "--attachment",
        choices=("adjective", "either"),
        default="either",
        help="what the adverb may hang on in the tree: the adjective alone, or also its copula (either)",
    )
    parser.add_argument("--keep-offensive", action="store_true", help="do not drop sentences with offensive words")
    parser.add_argument(
        "--bigrams",
        type=Path,
        metavar="FILE",
        help="CSV with adverb, adjective, ln_ngram_freq (default: the table that comes with symspellpy)",
    )
