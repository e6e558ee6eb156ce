"""Every sentence that reconciliation has: findings, links and what else its own tests make, one of each wording.

A small world meets only some of them. Used when an archive is made for a release, never by a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest

from confere.errors import Message
from confere.sales.findings import ExplainedDifference, Finding
from confere.sales.links import Link, Suggestion, Tie

_TESTS: Final = Path(__file__).parent.parent / "reconcile"
_MADE_UP: Final = ("test_*invariants.py", "test_known.py")  # of random books, not of the rule book's


@dataclass
class Sentences:
    """What was made, in the order in which it was: none of them has only sentences that one before it has."""

    findings: list[Finding] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)
    explained: list[ExplainedDifference] = field(default_factory=list)
    _known: set[tuple[str, str]] = field(default_factory=set)
    _taken: set[object] = field(default_factory=set)

    def add(self, found: Any) -> None:
        match found:
            case Finding(evidence=evidence):
                self._add(self.findings, found, evidence, found.fingerprint)
            case Link(evidence=evidence):
                self._add(self.links, found, evidence, (found.order_id, found.key))
            case Tie(reason=reason):
                self._add(self.ties, found, [reason], (found.orders, found.keys))
            case Suggestion(agrees=agrees, differs=differs):
                self._add(self.suggestions, found, [*agrees, *differs], ("suggestion", found.order_id, found.key))
            case ExplainedDifference(evidence=evidence):
                self._add(self.explained, found, evidence, ("explained", found.orders, found.keys))

    def _add(self, into: list[Any], found: Any, evidence: Iterable[Message], name: object) -> None:
        wordings = {(type(found).__name__, id) for entry in evidence for id in _ids(entry)}
        if wordings <= self._known or name in self._taken:
            return
        self._known |= wordings
        self._taken.add(name)
        into.append(found)


def collected() -> Sentences:
    """Runs the tests of reconciliation and keeps what they make."""
    made = Sentences()
    ignored = [f"--ignore-glob={_TESTS / name}" for name in _MADE_UP]
    with ExitStack() as stack:
        for kind in (Finding, Link, Tie, Suggestion, ExplainedDifference):
            stack.enter_context(_seen(kind, made))
        assert pytest.main(["-q", "-n", "0", "--assert=plain", "-p", "no:cacheprovider", *ignored, str(_TESTS)]) == 0
    return made


@contextmanager
def _seen(kind: type, made: Sentences) -> Iterator[None]:
    really = kind.__init__  # type: ignore[misc]

    def init(self: object, *values: Any, **named: Any) -> None:
        really(self, *values, **named)
        made.add(self)

    with patch.object(kind, "__init__", init):
        yield


def _ids(found: Message) -> Iterator[str]:
    yield found.id
    for value in found.params.values():
        if isinstance(value, Message):
            yield from _ids(value)
