"""Answers of a hub as they came, kept in bounds while somebody asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from confere.hub.http.exchange import HubAnswer

MOST_BYTES: Final = 64_000_000
"""Of all bodies together; what comes then is left out."""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What a `GET` of `path` (under the account's address) with this query was answered."""

    path: str
    query: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Recording:
    """Keeps answers, the first of each question; `left_out` counts those there was no room for."""

    most_bytes: int = MOST_BYTES
    answers: list[RecordedAnswer] = field(default_factory=list)
    left_out: int = 0
    _size: int = 0
    _asked: set[tuple[str, tuple[tuple[str, str], ...]]] = field(default_factory=set)

    def keep(self, path: str, query: Mapping[str, str | int], answer: HubAnswer) -> None:
        """For `HubSession.observe`."""
        told = {name: str(value) for name, value in query.items()}
        question = (path, tuple(sorted(told.items())))
        if question in self._asked:
            return
        if self._size + len(answer.body) > self.most_bytes:
            self.left_out += 1
            return
        self._asked.add(question)
        self._size += len(answer.body)
        self.answers.append(RecordedAnswer(path, told, answer.status, dict(answer.headers), answer.body))
