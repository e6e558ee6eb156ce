"""Words and pills of reconciliation: states, severities, statuses of orders, kinds of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from confere.app.labels.labels import key_groups, number_word
from confere.app.labels.reconciliation_labels import severity_word, state_word
from confere.app.labels.reconciliation_labels import status_word as status_word
from confere.app.reconciliation.queries import FindingRow, FindingState, Severity
from confere.fiscal import access_keys
from confere.system import formatting
from confere.system.messages import ngettext

_SEVERITY_PILLS: Final = {Severity.HIGH: "bad", Severity.MEDIUM: "warn", Severity.LOW: "info"}
_STATE_PILLS: Final = {
    FindingState.NOT_CHECKED: "neutral",
    FindingState.EXPLAINED: "good",
    FindingState.IGNORED: "neutral",
    FindingState.RESOLVED: "good",
}
_NAMED: Final = 2  # orders or documents that a cell names before it counts the rest


def state_code_word(code: str) -> str:
    """The state of a finding, by its code."""
    return state_word(FindingState(code))


def severity_code_word(code: str) -> str:
    return severity_word(Severity(code))


def severity_pill(severity: Severity) -> str:
    return _SEVERITY_PILLS[severity]


def state_pill(row: FindingRow) -> str:
    """Of what is open, as grave as it is; of all else, that it is at rest."""
    return _STATE_PILLS.get(row.stored.state) or _SEVERITY_PILLS[row.finding.severity]


def is_waiting(row: FindingRow) -> bool:
    """Whether nobody settled it yet."""
    return row.stored.state in (FindingState.OPEN, FindingState.NOT_CHECKED)


def paper_name(key: str) -> str:
    """A document as people call it: its series and number, which its key tells."""
    parts = access_keys.parse(key)
    return key_groups(key) if parts is None else number_word(parts.series, parts.number)


def several(names: Sequence[str]) -> str:
    """The first names, and how many more."""
    told = ", ".join(names[:_NAMED])
    return told if len(names) <= _NAMED else f"{told} +{formatting.count(len(names) - _NAMED)}"


def first_of(names: Sequence[str]) -> str:
    """The first name, and how many more, for a column that has room for one."""
    return f"{names[0]} +{formatting.count(len(names) - 1)}" if len(names) > 1 else "".join(names)


def signed_money(cents: int | None) -> str:
    """A difference with its sign: `+R$ 14,48`."""
    return f"+{formatting.money(cents)}" if cents is not None and cents > 0 else formatting.money(cents)


def findings_count(number: int) -> str:
    return ngettext("{count} finding", "{count} findings", number)
