"""When it is time again: to save, to judge, to say a word."""

import time


class Every:
    """So many seconds, counted from when it was last begun."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        self._began = time.monotonic()

    def is_over(self) -> bool:
        return time.monotonic() - self._began >= self.seconds
