"""What the registry promises to commands."""

import pytest
from django.conf import settings

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
    with pytest.raises(LookupError, match="no importer 'x'. There are: adept"):
        importer("x")
    with pytest.raises(LookupError, match="no builder 'x'. There are: "):
        builder("x")


@pytest.mark.parametrize("module", [*IMPORTERS.values(), *BUILDERS.values()])
def test_each_has_a_readme_beside_it(module):
    assert settings.BASE_DIR.joinpath(*module.split(".")[:-1], "README.md").is_file()
