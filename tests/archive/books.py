"""Links, ties and findings made by hand, and what the archive holds of them."""

from __future__ import annotations

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account, Establishment
from confere.archive.store import Archive
from confere.errors import Message, message
from confere.sales.findings import Finding, Severity
from confere.sales.links import Link, LinkKind, Tie
from tests.archive.papers import EMITTER, key

NOW = "2026-11-01T03:00:00+00:00"
TABLES = ("link", "tie", "finding", "finding_order", "finding_key", "act", "decision", "finding_act")


def account(archive: Archive, name: str = "shop") -> Account:
    with archive.writing() as transaction:
        return accounts.add(
            transaction,
            name=name,
            environment="production",
            address="https://hub.example.com",
            platform="confere",
            establishments=[Establishment(EMITTER)],
        )


def a_link(
    order: str, number: int, kind: LinkKind = LinkKind.ORDER_KEY, confidence: int = 100, *evidence: Message
) -> Link:
    said = evidence or (message("order {order} names the key", order=order),)
    return Link(order, key(number), kind, confidence, said)


def a_tie(*numbers: int, orders: tuple[str, ...] = ("o8", "o9")) -> Tie:
    return Tie(orders, tuple(key(number) for number in numbers), LinkKind.SCORED, message("they are alike"))


def a_finding(
    rule: str = "R1",
    order: str = "o1",
    *,
    amount: int | None = 1000,
    period: str = "2026-10",
    evidence: tuple[Message, ...] = (),
    checked: bool = True,
    version: int = 1,
    subject: str = "",
    keys: tuple[str, ...] = (),
) -> Finding:
    said = evidence or (message("order {order} has no invoice", order=order),)
    return Finding(
        rule=rule,
        version=version,
        period=period,
        severity=Severity.HIGH,
        amount=amount,
        orders=(order,),
        keys=keys,
        evidence=said,
        subject=subject,
        checked=checked,
    )


def rows(archive: Archive, *tables: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything that stands in these tables."""
    with archive.reading() as transaction:
        return {name: sorted(transaction.fetch(f"SELECT * FROM {name}"), key=repr) for name in tables or TABLES}
