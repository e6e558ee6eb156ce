"""What a check-up says: each thing looked at, whether it is well, and what to do where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from confere.errors import Message

_NAMED: Final = 5  # keys that a sentence names; the facts have all


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing looked at. `well` False means that something should be done: `what` says it.

    `attention`: to be looked at, even where nothing here could mend it.
    """

    topic: str
    well: bool
    what: Message
    attention: bool = False


@dataclass(slots=True)
class Examination:
    """All findings, with the facts behind them for scripts."""

    findings: list[CheckResult] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def well(self) -> bool:
        return all(entry.well for entry in self.findings)

    def add(self, topic: str, well: bool, what: Message, *, attention: bool = False) -> None:
        finding = CheckResult(topic, well, what, attention or not well)
        if finding not in self.findings:  # two checks may come to the same
            self.findings.append(finding)


def some(names: Sequence[str]) -> str:
    """The first of these names, as a sentence has them."""
    return ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
