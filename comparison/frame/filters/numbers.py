"""From a study to a number of each item that an address asks for."""

from annotation.models import Study
from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel
from comparison.frame.probabilities import read_probabilities, read_surprisals
from comparison.statistics.counts import Floats
from comparison.statistics.distributions.divergence import divergences, entropy
from comparison.statistics.distributions.shares import shares


def read_number(name: str, study: Study, panel: Panel, asked: Selection) -> Floats:
    """In the order of the panel's items, in bits; NaN where an item has none. `asked` must fit the study."""
    if name == ENTROPY:
        return entropy(panel.counts)
    if name == JENSEN_SHANNON:
        found = read_probabilities(study, panel, coarse=asked.coarse, only=asked.run)
        return divergences(shares(panel.counts), found[asked.run].given)
    return read_surprisals(panel, run=asked.run, option=asked.surprisal_of)
