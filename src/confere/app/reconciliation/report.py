"""The use case "the reconciliation as a spreadsheet": what the archive holds of it, for whoever signs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.labels import labels, reconciliation_labels
from confere.app.reconciliation import desk, stock_and_taxes
from confere.app.reconciliation.desk import FindingQuery, FindingState, LinkLine, RunLine
from confere.archive.accounts import accounts, preferences
from confere.archive.documents import documents, total_parts
from confere.archive.documents.documents import DocumentRow
from confere.archive.orders import orders
from confere.archive.orders.orders import OrderRow
from confere.errors import UsageFault, message
from confere.export.spreadsheet.reconciliation_report import (
    ExplainedRow,
    FindingLine,
    GoodsRow,
    LinkRow,
    ReportData,
    RuleSum,
    SuggestionRow,
    TaxRow,
    TieRow,
    write_report,
)
from confere.export.spreadsheet.spreadsheet import Cell
from confere.system.messages import render, t
from confere.system.processes.cancellation import Stop
from confere.system.settings import HIDE_PEOPLE

Asked = tuple[str, str | None]
"""An account, and a month or None for all."""

_PAGE: Final = 500
_SHOWN: Final = tuple(FindingState)


def report(workspace: Workspace, asked: Sequence[Asked], path: Path, *, stop: Stop | None = None) -> Path:
    """Write the findings of these accounts and months with their links, goods and taxes; where it was written.

    Links and taxes are of the same months. Raises as `confere.export.spreadsheet.spreadsheet.write` does.
    """
    refuse_others(path)
    with closing(OpenArchive(workspace)) as opened:
        write_report(path, _data(opened, asked, workspace.settings.get(HIDE_PEOPLE)), stop)
    return path


def refuse_others(path: Path) -> None:
    """`UsageFault` unless the name is a spreadsheet's."""
    if path.suffix.lower() != ".xlsx":
        raise UsageFault(
            message("{path} does not end in .xlsx.", path=str(path)), message("The report is an XLSX spreadsheet.")
        )


def tax_name(name: str) -> str:
    """What one of `desk_goods.TAX_AMOUNTS` is called."""
    known = {
        "products": t("Goods"),
        "discount": t("Discount"),
        "freight": t("Freight"),
        "other": t("Other costs"),
        "icms_base": t("Base of ICMS"),
        "icms": t("ICMS"),
        "icms_st_base": t("Base of ICMS-ST"),
        "icms_st": t("ICMS-ST"),
        "fcp": t("FCP"),
        "ipi": t("IPI"),
        "pis": t("PIS"),
        "cofins": t("COFINS"),
        "ibs": t("IBS"),
        "cbs": t("CBS"),
    }
    return known.get(name, name)


def _data(opened: OpenArchive, asked: Sequence[Asked], hide_people: bool) -> ReportData:
    return ReportData(
        title=t("Reconciliation"),
        parameters=[line for entry in asked for line in _parameters(opened, *entry)],
        rules=(row for entry in asked for row in _rules(opened, *entry)),
        findings=(row for entry in asked for row in _findings(opened, *entry, hide_people)),
        links=(row for entry in asked for row in _links(opened, *entry)),
        ties=(row for entry in asked for row in _ties(opened, *entry)),
        suggestions=(row for entry in asked for row in _suggestions(opened, *entry)),
        explained=(row for entry in asked for row in _explained(opened, *entry)),
        goods=(row for account in dict.fromkeys(name for name, _ in asked) for row in _goods(opened, account)),
        taxes=(row for entry in asked for row in _taxes(opened, *entry)),
        tax_names=[tax_name(name) for name in stock_and_taxes.TAX_AMOUNTS],
    )


def _parameters(opened: OpenArchive, account: str, period: str | None) -> Iterator[tuple[str, Cell]]:
    yield t("Account"), account
    yield t("Month"), t("all months") if period is None else labels.month_word(period)
    found = next((entry for entry in desk.runs(opened, account) if _covers(entry, period)), None)
    if found is not None:
        yield t("Run"), found.id
        yield t("Reconciled at"), found.started_at
        yield t("As of"), found.as_of
        for label, number in found.counts:
            yield render(label), number
    with opened.reading() as transaction:
        terms = preferences.get(transaction, accounts.named(transaction, account).id).terms
    yield t("Tolerance, centavos"), terms.tolerance
    yield t("High severity from, centavos"), terms.high_from
    yield t("Hours until an order must have its invoice"), terms.invoice_after_hours
    yield t("Days until a shipped sale must have its CT-e"), terms.freight_after_days
    yield t("Days that goods may stand at a marketplace"), terms.standing_days


def _covers(entry: RunLine, period: str | None) -> bool:
    return entry.outcome == "done" and entry.period in (period, None)


def _rules(opened: OpenArchive, account: str, period: str | None) -> Iterator[RuleSum]:
    for entry in desk.groups(opened, FindingQuery(account, period)):
        yield RuleSum(
            account,
            entry.rule,
            entry.title,
            reconciliation_labels.severity_word(entry.severity),
            entry.open,
            entry.not_checked,
            entry.explained,
            entry.ignored,
            entry.resolved,
            entry.amount,
        )


def _findings(opened: OpenArchive, account: str, period: str | None, hide_people: bool) -> Iterator[FindingLine]:
    query = FindingQuery(account, period, states=tuple(s for s in _SHOWN if s is not FindingState.RESOLVED))
    offset = 0
    while True:
        found = desk.findings(opened, query, offset, _PAGE)
        with opened.reading() as transaction:
            owner = accounts.named(transaction, account)
            known = orders.named(transaction, owner.id, {name for entry in found for name in entry.orders})
        for entry in found:
            sold = [known[name] for name in entry.orders if name in known]
            buyers = [labels.person_name(order.buyer_name, order.buyer_tax_id, hide_people) for order in sold]
            yield FindingLine(
                entry.id,
                account,
                entry.rule,
                entry.title,
                entry.period,
                reconciliation_labels.severity_word(entry.severity),
                reconciliation_labels.state_word(entry.state),
                entry.amount,
                entry.orders,
                [order.marketplace_id for order in sold if order.marketplace_id],
                list(dict.fromkeys(filter(None, buyers))),
                entry.keys,
                entry.evidence,
                entry.note,
                entry.author,
                entry.changed_at,
            )
        if len(found) < _PAGE:
            return
        offset += _PAGE


def _links(opened: OpenArchive, account: str, period: str | None) -> Iterator[LinkRow]:
    """The links of which the order or the document is of the month."""
    every = desk.links(opened, account)
    for start in range(0, len(every), _PAGE):
        part = every[start : start + _PAGE]
        with opened.reading() as transaction:
            owner = accounts.named(transaction, account)
            known = orders.named(transaction, owner.id, {entry.order_id for entry in part})
            numbers = total_parts.current_of(transaction, {entry.key for entry in part})
            rows = {row.access_key: row for row in documents.by_ids(transaction, list(numbers.values()))}
        for entry in part:
            made = _link(account, entry, known.get(entry.order_id), rows.get(entry.key))
            if period is None or period in (made.order_on[:7], made.paper_on[:7]):
                yield made


def _link(account: str, entry: LinkLine, order: OrderRow | None, row: DocumentRow | None) -> LinkRow:
    by = t("the program")
    if entry.manual:
        by = t("a person")
    elif entry.confirmed:
        by = t("confirmed by a person")
    return LinkRow(
        account=account,
        order_id=entry.order_id,
        order_on="" if order is None else order.created_on,
        order_total=None if order is None else order.total,
        key=entry.key,
        number="" if row is None else f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}",
        paper_on="" if row is None else row.issued_on,
        paper_total=None if row is None else row.total,
        kind=reconciliation_labels.kind_word(entry.kind),
        confidence=entry.confidence,
        evidence=entry.evidence,
        by=by,
    )


def _ties(opened: OpenArchive, account: str, period: str | None) -> Iterator[TieRow]:
    for entry in desk.ties(opened, account, period):
        yield TieRow(account, entry.orders, entry.keys, reconciliation_labels.kind_word(entry.kind), entry.reason)


def _suggestions(opened: OpenArchive, account: str, period: str | None) -> Iterator[SuggestionRow]:
    for entry in desk.suggestions(opened, account, period):
        yield SuggestionRow(
            account, entry.order_id, entry.order_total, entry.key, entry.paper_total, entry.agrees, entry.differs
        )


def _explained(opened: OpenArchive, account: str, period: str | None) -> Iterator[ExplainedRow]:
    for entry in desk.explained(opened, account, period):
        yield ExplainedRow(account, entry.period, entry.amount, entry.orders, entry.keys, entry.evidence)


def _goods(opened: OpenArchive, account: str) -> Iterator[GoodsRow]:
    for entry in desk.stock(opened, account):
        yield GoodsRow(
            account,
            labels.tax_id_word(entry.emitter),
            entry.marketplace,
            entry.code,
            entry.description,
            entry.sent,
            entry.symbolic,
            entry.returned,
            entry.sold + entry.removed + entry.lost,
            entry.balance,
            entry.negative_on,
            entry.oldest_on,
        )


def _taxes(opened: OpenArchive, account: str, period: str | None) -> Iterator[TaxRow]:
    for entry in desk.taxes(opened, account, period):
        yield TaxRow(
            account,
            entry.period,
            entry.cfop,
            entry.cst,
            entry.state,
            labels.direction_word(entry.direction),
            t("in effect") if entry.in_effect else t("without effect"),
            entry.documents,
            [entry.amounts.get(name) for name in stock_and_taxes.TAX_AMOUNTS],
        )
