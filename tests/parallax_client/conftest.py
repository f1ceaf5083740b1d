"""A client that asks the real application, in this process."""

import httpx
import pytest

from api.models import make_token
from parallax_client import Client
from tests.api.asking import ALL, in_this_process
from tests.api.conftest import ada, study

__all__ = ["ada", "study"]


@pytest.fixture
def application():
    with in_this_process() as found:
        yield found


@pytest.fixture
def client_of(ada, application):
    """Clients of ada's, with these scopes."""

    def made(*scopes: str) -> Client:
        token = make_token(ada, name="client", scopes=list(scopes) or ALL)
        return Client("http://testserver", token.secret, transport=httpx.WSGITransport(application))

    return made
