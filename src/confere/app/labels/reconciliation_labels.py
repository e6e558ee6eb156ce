"""The words that people read for the codes of reconciliation, shared by both faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from confere.errors import N_, NC_, Message
from confere.reconcile.evidence_text import order_status
from confere.sales.findings import FindingState, Severity
from confere.sales.links import LinkKind
from confere.system import formatting
from confere.system.messages import in_every_language, render, t

if TYPE_CHECKING:
    from confere.app.reconciliation.matching.group_judgement import GroupJudgement, MovedFinding

GOODS_RULE: Final = "R16"
"""Its findings are of goods, which they name as `confere stock` takes them; of the others that name is nobody's."""

_FEW_CHANGES: Final = 2  # findings that a line names one by one
STATES: Final = {
    FindingState.OPEN: NC_("finding", "open"),
    FindingState.NOT_CHECKED: NC_("finding", "not checked"),
    FindingState.EXPLAINED: N_("explained"),
    FindingState.IGNORED: NC_("finding", "ignored"),
    FindingState.RESOLVED: N_("resolved"),
}
SEVERITIES: Final = {
    Severity.HIGH: N_("high"),
    Severity.MEDIUM: N_("medium"),
    Severity.LOW: N_("low"),
}
KINDS: Final = {
    LinkKind.PERSON: N_("linked by a person"),
    LinkKind.ORDER_KEY: N_("the order names the access key"),
    LinkKind.DOCUMENT_ORDER: N_("the hub names the order on the document"),
    LinkKind.INVOICE_NUMBER: N_("series, number and date of the order's invoice"),
    LinkKind.QUOTED: N_("the document quotes the order's number"),
    LinkKind.REFERENCE: N_("by another document that is linked"),
    LinkKind.SCORED: N_("buyer, total, date and items agree"),
}


def state_word(state: FindingState) -> str:
    """How a finding stands."""
    return render(Message(STATES[state]))


def closing_sentence(count: int) -> str:
    """That so many findings are not counted, since the month is not closed; empty for none."""
    if not count:
        return ""
    return t(
        "Not counted: {count}, which only the closing of the month lets be checked (R20, R23).",
        count=formatting.count(count),
    )


def evidence_line(parts: Iterable[Message]) -> str:
    """The parts of the evidence of a finding or a link in one line; those that are no whole sentences stand apart."""
    told = [render(part) for part in parts]
    return "".join(f"{text}{' ' if text.endswith('.') else ' · '}" for text in told[:-1]) + "".join(told[-1:])


def severity_word(severity: Severity) -> str:
    return render(Message(SEVERITIES[severity]))


def kind_word(kind: LinkKind) -> str:
    """What kind of evidence holds a link together."""
    return render(Message(KINDS[kind]))


def shipper_word(fulfillment: str | None) -> str | None:
    """Who ships an order: some hubs only say whether its marketplace does, others name somebody."""
    return {"true": t("the marketplace"), "false": t("the seller")}.get(fulfillment or "", fulfillment)


def status_word(code: str | None) -> str:
    """How an order stands; a status that the specification does not name stays as it is."""
    return render(order_status(code)) if code else ""


def status_words(code: str) -> tuple[str, ...]:
    """The same in every language, the one in use first."""
    return in_every_language(order_status(code).id)


def change_sentence(change: MovedFinding) -> str:
    """What a decision did to one finding: `Gone: order without invoice, R$ 423,01`."""
    title = render(change.title)
    before, now = formatting.money(change.amount_before), formatting.money(change.amount)
    if change.what == "gone":
        return t("Gone: {title}, {amount}", title=title, amount=before) if before else t("Gone: {title}", title=title)
    if change.what == "new":
        return t("New: {title}, {amount}", title=title, amount=now) if now else t("New: {title}", title=title)
    return t("Changed: {title}, {before} → {amount}", title=title, before=before or "-", amount=now or "-")


def judgement_sentence(judged: GroupJudgement) -> str:
    """What a decision changed, in a line; empty where its group was not judged."""
    if not judged.is_done:
        return ""
    if not judged.changes:
        return t("No finding changed.")
    return changes_sentence(judged.changes)


def changes_sentence(changes: Sequence[MovedFinding]) -> str:
    """A few of them one by one, many by what became of them."""
    if len(changes) <= _FEW_CHANGES:
        return f"{'; '.join(map(change_sentence, changes))}."
    gone, new = (list(_of(changes, what)) for what in ("gone", "new"))
    return t(
        "Findings gone: {gone} ({gone_amount}); new: {new} ({new_amount}); changed: {changed}.",
        gone=formatting.count(len(gone)),
        gone_amount=formatting.money(sum(change.amount_before or 0 for change in gone)),
        new=formatting.count(len(new)),
        new_amount=formatting.money(sum(change.amount or 0 for change in new)),
        changed=formatting.count(len(changes) - len(gone) - len(new)),
    )


def _of(changes: Iterable[MovedFinding], what: str) -> Iterable[MovedFinding]:
    return (change for change in changes if change.what == what)
