"""The parameters of the construction, with the published values (section 5.1) as defaults."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from corpus.arguments import Help, number, whole

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


# How each number is read, what it is, and what its field is called if not by its name.
NUMBERS: Mapping[str, tuple[Callable[[str], Any], str, str]] = {
    "alpha": (float, "equation 1: weight of the count (%(default)s)", ""),
    "grouping_cutoff": (float, "similarity from which words are grouped (%(default)s)", ""),
    "max_doc_freq": (
        number(above=0, most=1),
        "words in a larger share of documents are not grouped (%(default)s)",
        "Maximum share of documents",
    ),
    "tfidf_cutoff": (float, "equation 2: words below are kept (%(default)s)", "Minimum tf-idf"),
    "group_size": (whole(1), "larger groups are kept (%(default)s)", ""),
    "min_term_count": (whole(1), "rarer words are kept (%(default)s)", "Minimum count of a word"),
    "freq_cutoff": (
        number(above=0, most=1),
        "stop choosing when the chosen words are more than this share of a document (%(default)s)",
        "Share of words to choose",
    ),
    "components": (
        lambda text: 0 if text == AUTO else whole(1)(text),
        "number of clusters (%(default)s), or auto: chosen by the Bayesian information criterion",
        "Clusters",
    ),
    "most_components": (whole(1), "auto tries up to this many (%(default)s)", "Maximum number of clusters"),
    "n_init": (whole(1), "starts of the mixture model (%(default)s)", "Starts"),
    "candidates": (
        whole(1),
        "number of words from the start of a vector file that may replace others (%(default)s)",
        "",
    ),
}


def add_parameters(parser: ArgumentParser) -> None:
    for name, (read, command, label) in NUMBERS.items():
        default = getattr(Parameters(), name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=read, default=default, help=Help(command, label))
    whole_words = "redact words that a model's vocabulary splits, instead of averaging their pieces"
    any_word = "allow replacements of any part of speech, number, ending and frequency, as in the paper"
    center = Help("subtract the mean vector of the vocabulary first", "Center vectors")
    parser.add_argument(
        "--whole-words", dest="pieces", action="store_false", help=Help(whole_words, "Whole words only")
    )
    parser.add_argument("--center", action="store_true", help=center)
    parser.add_argument("--any-word", dest="alike", action="store_false", help=Help(any_word, "Words of any kind"))
    parser.add_argument(
        "--frequency-band",
        type=number(above=0, most=8),
        default=Parameters().frequency_band,
        metavar="ZIPF",
        help="maximum difference in frequency, in powers of ten (%(default)s)",
    )


def parameters(options: dict[str, Any]) -> Parameters:
    """Those given; the published values for the rest."""
    values = {field.name: options[field.name] for field in fields(Parameters) if options.get(field.name) is not None}
    return Parameters(**values)
