"""The words that people read for the codes of reconciliation, shared by both faces."""

from __future__ import annotations

from typing import Final

from confere.errors import N_, Message
from confere.reconcile.evidence_text import order_status
from confere.sales.findings import FindingState, Severity
from confere.sales.links import LinkKind
from confere.system.messages import render, t

GOODS_RULE: Final = "R16"
"""Its findings are of goods, which they name as `confere stock` takes them; of the others that name is nobody's."""

STATES: Final = {
    FindingState.OPEN: N_("open"),
    FindingState.NOT_CHECKED: N_("not checked"),
    FindingState.EXPLAINED: N_("explained"),
    FindingState.IGNORED: N_("ignored"),
    FindingState.RESOLVED: N_("resolved by itself"),
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
