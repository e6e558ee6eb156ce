"""What a row of the findings' list says: the kind, what differs, until when it can be cancelled, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from confere.errors import N_, Message
from confere.system import formatting
from confere.system.messages import ngettext, render, t

if TYPE_CHECKING:
    from confere.app.reconciliation.values import FindingRow

_TO_DO: Final = {
    N_("Issue, or link"): ("R1", "R2"),
    N_("Cancel, or take back"): ("R4", "R5", "R7b", "R13", "R26"),
    N_("Explain, or correct"): ("R3", "R10", "R16", "R18", "R27"),
    N_("Ask for what lacks"): ("R8", "R9", "R12", "R14", "R15"),
}
_OTHER: Final = N_("Look at")
_HEADINGS: Final = {rule: heading for heading, rules in _TO_DO.items() for rule in rules}
HEADINGS: Final = (*_TO_DO, _OTHER)
"""What is to do about findings, in the order of a day's work."""


def heading_of(rule: str) -> str:
    """What is to do about the findings of a rule: one of `HEADINGS`."""
    return _HEADINGS.get(rule, _OTHER)


def difference_sentence(row: FindingRow) -> str:
    """`order 408,53 ≠ note 423,01 · +14,48`; of what has not both sides, what the finding says first."""
    order, note = row.order_total, row.note_total
    if order is None or note is None or order == note:
        return render(row.finding.evidence[0]) if row.finding.evidence else render(row.title)
    apart = note - order
    return t(
        "order {order} ≠ note {note} · {difference}",
        order=_bare(order),
        note=_bare(note),
        difference=f"{'+' if apart > 0 else '-'}{_bare(abs(apart))}",
    )


def finding_sentence(row: FindingRow) -> str:
    """The kind, then the difference."""
    return f"{render(row.title)}: {difference_sentence(row)}"


def term_sentence(row: FindingRow) -> str:
    """Until when the note can be cancelled; empty where that is no way out."""
    if row.term is None:
        return ""
    if row.term.is_over:
        return t("term is over")
    return t("cancel until {moment}", moment=f"{row.term.until:%d/%m %H:%M}")


def progress_sentence(decided: int, total: int) -> str:
    """`35 of 137 decided`."""
    return t("{decided} of {total} decided", decided=formatting.count(decided), total=formatting.count(total))


def of_no_company_sentence(count: int) -> str:
    """That nothing tells the company of so many lines of a company's list; empty where there is none."""
    if not count:
        return ""
    return ngettext(
        "{count} of them is of no company that can be told, and stands in the list of each company of the account.",
        "{count} of them are of no company that can be told, and stand in the list of each company of the account.",
        count,
    )


def heading_word(heading: str) -> str:
    """A heading of `HEADINGS` in the user's language."""
    return render(Message(heading))


def _bare(cents: int) -> str:
    return formatting.money(cents).removeprefix("R$ ")
