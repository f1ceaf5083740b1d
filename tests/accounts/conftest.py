import pytest

from tests.accounts.people import make_rosa


@pytest.fixture
def rosa():
    return make_rosa()
