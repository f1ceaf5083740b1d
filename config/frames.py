"""Room for the frames of a thread.

CPython 3.11 and later keep them in chunks of 16 KB: one is mapped when a call does not fit into the last, and given
back when it returns. Code that calls a function at the end of a chunk asks the system for memory at each call. An empty
function then takes 145 times as long, and it is the depth of its caller, so chance, that decides. A chunk is made as
large as the frame that asks for it (`push_chunk` in CPython's Python/pystate.c): a large frame leaves room for others.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# In words of 8 bytes: a chunk of 512 KB, half of it for calls. Memory that no call reaches is never touched.
LARGE = 34_000


def with_room(call: Callable[P, T]) -> Callable[P, T]:
    """The same function, in a chunk of its own. It is a middleware, too.

    >>> with_room(max)(2, 3)
    3
    """

    def called(*arguments: P.args, **options: P.kwargs) -> T:
        return call(*arguments, **options)

    called.__code__ = called.__code__.replace(co_stacksize=LARGE)
    return called
