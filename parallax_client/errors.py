"""What goes wrong, as exceptions that say why."""

from dataclasses import dataclass
from typing import Any

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with what was sent: `line` counts items, labels or scores from 1."""

    field: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line is not None else []
        return f"{', '.join([*where, self.field] if self.field else where)}: {self.message}"


class ParallaxError(Exception):
    """Refused, and nothing has changed: `status` is HTTP's, `title` a sentence, `faults` are by line and field."""

    def __init__(self, status: int, title: str, faults: tuple[Fault, ...] = ()) -> None:
        self.status, self.title, self.faults = status, title, faults
        lines = [f"{title} ({status})", *(f"  {fault}" for fault in faults[:SHOWN])]
        if len(faults) > SHOWN:
            lines.append(f"  … and {len(faults) - SHOWN} more")
        super().__init__("\n".join(lines))

    @classmethod
    def of(cls, status: int, said: Any, *, otherwise: str) -> "ParallaxError":
        """Of a refusal in the API's shape; `otherwise` is said of an answer in any other."""
        if not isinstance(said, dict) or "title" not in said:
            return cls(status, otherwise)
        faults = tuple(Fault(one["field"], one["message"], one.get("line")) for one in said.get("faults", ()))
        return cls(status, said["title"], faults)


class TimedOut(Exception):
    """What was waited for has not come in time; it goes on by itself."""
