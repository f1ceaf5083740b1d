"""Which attribute the Breakdown opens on."""

from collections import Counter

import pytest

from comparison.frame.outline import Attribute, Offer

PHENOMENON = ("phenomenon", {"agreement": 10, "island": 10, "binding": 10})


@pytest.mark.parametrize(
    ("found", "first"),
    [
        ([PHENOMENON, ("source", {"own": 20, "Bock": 10})], "phenomenon"),
        ([PHENOMENON, ("Quelle (Jahr)", {"a": 20, "b": 10})], "phenomenon"),
        ([PHENOMENON, ("length", {"short": 20, "long": 10})], "length"),
        ([PHENOMENON, ("verb", {f"verb {number}": 1 for number in range(30)})], "phenomenon"),
        ([PHENOMENON, ("pool", {"all": 30})], "phenomenon"),
        ([("source", {"own": 20, "Bock": 10})], "source"),
        ([("pool", {"all": 30})], ""),
        ([], ""),
    ],
)
def test_the_breakdown_opens_on_the_attribute_that_says_most(found, first):
    attributes = tuple(Attribute.of(name, Counter(values)) for name, values in found)
    offer = Offer(values=(), attributes=attributes, numeric=(), run_names={}, numbers={})
    assert offer.telling == first
