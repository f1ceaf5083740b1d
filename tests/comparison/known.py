"""What may be None, where a test knows that it is not: the test fails if it is, and the types know it too."""

from typing import TypeVar

T = TypeVar("T")


def known(found: T | None) -> T:
    assert found is not None
    return found
