"""The parameters of the construction, with the published values (section 5.1) as defaults."""

from argparse import ArgumentParser
from dataclasses import dataclass, fields
from typing import Any

from corpus.arguments import number, whole

AUTO = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What can be set. `components` 0 stands for a number chosen by the Bayesian information criterion."""

    alpha: float = 0.01
    grouping_cutoff: float = 0.66
    max_doc_freq: float = 0.1
    tfidf_cutoff: float = 5.0
    group_size: int = 8
    min_term_count: int = 2
    freq_cutoff: float = 0.2
    components: int = 41
    most_components: int = 200
    n_init: int = 5
    candidates: int = 50_000
    pieces: bool = True
    center: bool = False
    alike: bool = True
    frequency_band: float = 1.0


def add_parameters(parser: ArgumentParser) -> None:
    _add_selection(parser, Parameters())
    _add_clusters(parser, Parameters())
    _add_exchanges(parser, Parameters())


def _add_selection(parser: ArgumentParser, default: Parameters) -> None:
    parser.add_argument("--alpha", type=float, default=default.alpha, help="equation 1: weight of the count (0.01)")
    parser.add_argument(
        "--grouping-cutoff", type=float, default=default.grouping_cutoff, help="words this close go together (0.66)"
    )
    parser.add_argument(
        "--max-doc-freq",
        type=number(above=0, most=1),
        default=default.max_doc_freq,
        help="words in a larger share of documents are grouped with none (0.1)",
    )
    parser.add_argument(
        "--tfidf-cutoff", type=float, default=default.tfidf_cutoff, help="equation 2: words below are kept (5.0)"
    )
    parser.add_argument("--group-size", type=whole(1), default=default.group_size, help="larger groups are kept (8)")
    parser.add_argument(
        "--min-term-count", type=whole(1), default=default.min_term_count, help="words that occur less are kept (2)"
    )
    parser.add_argument(
        "--freq-cutoff",
        type=number(above=0, most=1),
        default=default.freq_cutoff,
        help="stop choosing when the chosen words are more than this share of a document (0.2)",
    )


def _add_clusters(parser: ArgumentParser, default: Parameters) -> None:
    parser.add_argument(
        "--components",
        type=_components,
        default=default.components,
        help="number of clusters (41), or auto: chosen by the Bayesian information criterion",
    )
    parser.add_argument(
        "--most-components", type=whole(1), default=default.most_components, help="auto tries up to this many (200)"
    )
    parser.add_argument("--n-init", type=whole(1), default=default.n_init, help="starts of the mixture model (5)")
    parser.add_argument(
        "--candidates",
        type=whole(1),
        default=default.candidates,
        help="words of a vector file, from its beginning, that may replace others (50000)",
    )
    parser.add_argument(
        "--whole-words",
        dest="pieces",
        action="store_false",
        help="redact words that are not whole in a model's vocabulary, instead of taking the mean of their pieces",
    )
    parser.add_argument("--center", action="store_true", help="subtract the mean vector of the vocabulary first")


def _add_exchanges(parser: ArgumentParser, default: Parameters) -> None:
    parser.add_argument(
        "--any-word",
        dest="alike",
        action="store_false",
        help="put in words of any part of speech, number, ending and frequency, as the paper does",
    )
    parser.add_argument(
        "--frequency-band",
        type=number(above=0, most=8),
        default=default.frequency_band,
        metavar="ZIPF",
        help="a new word is at most this much more or less frequent, in powers of ten (1.0)",
    )


def parameters(options: dict[str, Any]) -> Parameters:
    """Those given; the published values for the rest."""
    given = {field.name: options[field.name] for field in fields(Parameters) if options.get(field.name) is not None}
    return Parameters(**given)


def _components(text: str) -> int:
    return 0 if text == AUTO else whole(1)(text)
