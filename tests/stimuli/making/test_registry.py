"""What the registry promises to commands."""

import pytest

from stimuli.making.options import CONSTRUCTION, DATA_SET, about
from stimuli.making.registry import BUILDERS, IMPORTERS, builder, importer


@pytest.mark.parametrize("key", IMPORTERS)
def test_an_importer_offers_what_the_command_asks_for(key):
    found = importer(key)
    assert found.help
    assert callable(found.add_arguments)
    assert callable(found.load)


@pytest.mark.parametrize("key", BUILDERS)
def test_a_builder_offers_what_the_command_asks_for(key):
    found = builder(key)
    assert found.help
    assert callable(found.add_arguments)
    assert callable(found.build)


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(LookupError, match="no importer 'x'. Available: adept"):
        importer("x")
    with pytest.raises(LookupError, match="no builder 'x'. Available: "):
        builder("x")


KEYS = [*((DATA_SET, key) for key in IMPORTERS), *((CONSTRUCTION, key) for key in BUILDERS)]


@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_each_has_a_page_beside_it(kind, key):
    assert about(kind, key).makes.startswith("Makes ")
