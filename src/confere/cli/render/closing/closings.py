"""Closings, time stamps and what changed since, for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from confere.app.labels import closing_labels
from confere.app.labels.labels import month_word
from confere.cli import tables
from confere.cli.output import Output
from confere.cli.render import labels
from confere.fiscal.periods import BRASILIA
from confere.sales.closings import ClosingAct
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.closing.changes import ChangesOfMonth
    from confere.app.closing.close_month import CloseResult
    from confere.app.closing.stamp import ReadStamp, StampRequest
    from confere.app.reconciliation.review.closing_judgement import ClosingJudgement
    from confere.cli.fitted_table import FittedTable


def closed(out: Output, results: Iterable[CloseResult]) -> None:
    """A sentence a company, what lacks, and the head of the chain of closings."""
    for result in results:
        out.print(closing_labels.outcome_text(result))
        for lack in result.lacks:
            out.print(f"  {plain(render(lack))}")
        if result.act is not None:
            out.print(tables.facts(_facts(result.act)))


def reopened(out: Output, acts: Iterable[ClosingAct]) -> None:
    for act in acts:
        company, month = labels.tax_id_word(act.company), month_word(act.month)
        out.print(t("{company}: {month} is open again.", company=company, month=month))


def judged(out: Output, found: ClosingJudgement) -> None:
    """What the closing, or opening it again, changed of the findings that hold the month against it."""
    for sentence in closing_labels.judged_sentences(found):
        out.print(plain(sentence))


def stamp_requests(out: Output, planned: Sequence[tuple[ClosingAct, StampRequest]]) -> None:
    """What would leave the house, byte by byte."""
    for act, wanted in planned:
        out.print(
            t(
                "To {address}: a time stamp query over SHA-256 {imprint}, the hash of the head of closing {number}.",
                address=plain(wanted.address),
                imprint=wanted.imprint,
                number=act.number,
            )
        )
        out.print(f"  {wanted.body.hex()}")


def stamps(out: Output, answers: Iterable[ReadStamp]) -> None:
    for answer in answers:
        if answer.facts is not None:
            moment = formatting.moment(answer.facts.stamped_at.astimezone(BRASILIA))
            out.print(t("Stamped on {moment}.", moment=moment))


def changes(out: Output, months: Iterable[ChangesOfMonth]) -> None:
    """Each change, then what all of them do to the month's taxes."""
    for month in months:
        company, period = labels.tax_id_word(month.act.company), month_word(month.act.month)
        out.print(
            t(
                "{company}: {month}, closed on {moment} by {actor}, hash of the chain {head}.",
                company=company,
                month=period,
                moment=closing_labels.moment_text(month.act.at),
                actor=plain(month.act.actor),
                head=month.head,
            )
        )
        if month.reopened is not None:
            out.print(closing_labels.reopened_text(month.reopened))
        _basis(out, month)
        if not month.changes.count:
            out.print(t("Nothing changed since."))
            continue
        if month.changes.documents:
            out.print(_documents(month))
        if month.changes.findings:
            out.print(
                tables.table(
                    [t("Finding"), t("Rule"), t("About"), t("What changed"), t("Value")],
                    [
                        (
                            "-" if change.number is None else str(change.number),
                            change.finding.rule,
                            closing_labels.about_text(change),
                            closing_labels.finding_text(change),
                            formatting.money(change.finding.amount),
                        )
                        for change in month.changes.findings
                    ],
                    right=(0, 4),
                )
            )
        _taxes(out, month)


def _basis(out: Output, month: ChangesOfMonth) -> None:
    """What the closing stood on and is otherwise now."""
    for term in month.terms:
        out.print(
            t(
                "Account {account}: “{name}” was {before}, and is {after}.",
                account=plain(term.account),
                name=plain(closing_labels.term_name(term.name)),
                before=plain(closing_labels.term_value(term.name, term.before)),
                after=plain(closing_labels.term_value(term.name, term.after)),
            )
        )
    for stretch in month.coverage:
        axis = closing_labels.axis_word(stretch.axis)
        out.print(f"{plain(stretch.account)}, {axis}: {closing_labels.coverage_text(stretch)}")


def _documents(month: ChangesOfMonth) -> FittedTable:
    return tables.table(
        [t("Access key"), t("What changed"), t("Value"), t("Effect"), t("Taxes"), t("Detail")],
        [
            (
                change.document.key or change.document.paper,
                closing_labels.kinds_text(change.kinds),
                formatting.money(change.document.total),
                closing_labels.signed_money(change.total),
                closing_labels.amounts_text(change.taxes),
                closing_labels.detail_text(change),
            )
            for change in month.changes.documents
        ],
        right=(2, 3),
    )


def _taxes(out: Output, month: ChangesOfMonth) -> None:
    from confere.app.closing.changes import EFFECTS

    taxes = month.changes.taxes
    names = [name for name in EFFECTS if any(name in amounts for amounts in taxes.values())]
    if taxes:
        out.print(
            tables.table(
                ["", t("CFOP"), t("CST"), t("UF"), *map(closing_labels.effect_name, names)],
                [
                    (
                        closing_labels.direction_word(place.direction),
                        place.cfop or "",
                        place.cst or "",
                        place.uf or "",
                        *(closing_labels.signed_money(amounts.get(name, 0)) for name in names),
                    )
                    for place, amounts in taxes.items()
                ],
                right=tuple(range(4, 4 + len(names))),
            )
        )
    out.print(t("Effect on the sum of documents: {total}", total=closing_labels.signed_money(month.changes.total)))


def _facts(act: ClosingAct) -> list[tuple[str, object]]:
    totals = act.totals
    return [
        (t("Closing"), formatting.count(act.number)),
        (t("Hash of the chain"), act.head),
        (t("Closed on"), closing_labels.moment_text(act.at)),
        (t("Closed by"), act.actor),
        (t("Prepared by"), act.names.preparer),
        (t("Reviewed by"), act.names.reviewer),
        (t("Documents"), formatting.count(totals.get("documents", 0))),
        (t("Outgoing, in effect"), formatting.money(totals.get("out_total", 0))),
        (t("Incoming, in effect"), formatting.money(totals.get("in_total", 0))),
        (t("Incomplete"), t("yes") if act.is_incomplete else None),
    ]
