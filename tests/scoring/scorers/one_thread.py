"""Trainings of tiny networks: a second thread only waits there, for whatever else the machine is doing."""

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(scope="package", autouse=True)
def one_thread() -> Iterator[None]:
    """For the tests of a folder whose conftest takes it; the fixtures that they share too."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
