"""What one figure is called, what it is and when to trust it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """`what` and `trust` are a sentence each; `anchor` is where the page of docs/ has more."""

    key: str
    name: str
    what: str
    trust: str
    anchor: str
    page: str = "statistics"

    @property
    def words(self) -> str:
        return f"{self.what} {self.trust}"
