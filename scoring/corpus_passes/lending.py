"""The rows of a shared pass whose asker has no Django (corpus/shared/lent.py): what it says, done by its starter."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db.models.functions import Now

from corpus.shared.lent import GONE, Said
from scoring.corpus_passes.part import CorpusPart
from scoring.corpus_passes.working import store


@dataclass(slots=True)
class Lender:
    """By `name` it holds the part that its process does. It is deaf unless `lends`: a file that was sent may have
    taken the process over, and is not to have files read elsewhere.
    """

    name: str
    lends: bool
    # What its process has asked for and not read yet.
    asked: set[str] = field(default_factory=set)

    @classmethod
    @contextmanager
    def called(cls, name: str, *, lends: bool) -> "Iterator[Lender]":
        """What a killed one held goes to others. With the block, what it asked for is forgotten: of a job that was
        stopped, workers would do hours that nobody reads.
        """
        lender = cls(f"{name}@{socket.gethostname()}", lends)
        if not lends:
            yield lender
            return
        CorpusPart.objects.give_back(worker=lender.name)
        try:
            yield lender
        finally:
            CorpusPart.objects.give_back(worker=lender.name)
            CorpusPart.objects.named(lender.asked).forget()

    def hear(self, message: Mapping[str, Any]) -> str | None:
        """The answer, where one is waited for. BuildError where a part has failed."""
        if not self.lends:
            return None
        match message:
            case {Said.ASKS: [name, order]}:
                self.asked.add(name)
                CorpusPart.objects.ask(name, order)
            case {Said.HAS: name}:
                CorpusPart.objects.named([name]).filter(worker=self.name).delete()
            case {Said.FORGETS: names}:
                CorpusPart.objects.named(self.asked.intersection(names)).forget()
            case {Said.WAITS: names}:
                self.asked.intersection_update(names)
                return self._next(names[0])
        return None

    def hold(self) -> None:
        """Its process lives."""
        if self.asked:
            held = CorpusPart.objects.filter(worker=self.name, state=CorpusPart.HELD)
            held.update(lease_expires_at=Now() + CorpusPart.LEASE)

    def _next(self, first: str) -> str:
        """Of what it has asked for: the rest is others'."""
        is_there = first in self.asked and CorpusPart.objects.require_not_failed(first)
        rows = CorpusPart.objects.named(self.asked)
        rows.give_back()
        waiting = rows.waiting().first()
        if waiting and CorpusPart.objects.claim(waiting.pk, worker=self.name):
            return waiting.name
        return "" if is_there or store().has(first) else GONE
