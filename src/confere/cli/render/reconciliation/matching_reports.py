"""What the commands about candidates, assignments and signatures say to people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Final

from confere.app.labels.finding_labels import of_no_company_sentence
from confere.cli import tables
from confere.cli.output import Output
from confere.cli.render import labels
from confere.errors import Message
from confere.system import formatting
from confere.system.messages import ngettext, render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.reconciliation.matching.candidates import PairCandidate
    from confere.app.reconciliation.review.assignments import Assigned
    from confere.app.reconciliation.review.signoffs import MonthSignOff


def of_no_company(out: Output, count: int, unknown: Message | None) -> None:
    """How many of a company's lines nothing tells the company of; `unknown` says that nobody knows the company."""
    if count:
        out.aside(of_no_company_sentence(count))
    if unknown is not None:
        out.aside(render(unknown))


def candidates(out: Output, found: Sequence[PairCandidate]) -> None:
    """The nearest first, with what agrees and what differs."""
    if not found:
        out.aside(t("Nothing near was found."))
        return
    words = {True: "=", False: "≠", None: "?"}
    out.print(
        tables.table(
            [
                t("Order"), t("Document"), t("Buyer"), t("Total"), t("Difference"), t("Items"), t("Days"),
                t("Linked with"),
            ],
            [
                [
                    plain(entry.order.hub_id),
                    plain(entry.paper.access_key or ""),
                    words[entry.likeness.buyer],
                    words[entry.likeness.total],
                    formatting.money(entry.likeness.difference),
                    words[entry.likeness.items],
                    "" if entry.likeness.days is None else f"{entry.likeness.days:+d}",
                    ", ".join(map(plain, entry.linked)),
                ]
                for entry in found
            ],
        )
    )  # fmt: skip


_FAR: Final = 183  # days: a half year, beyond which a due day is rather a slip


def assigned(out: Output, done: Assigned, today: date) -> None:
    """Whose they are now, and until when; said too where that day is over or far away, as a slip in its year is."""
    if done.assignee is None and done.due_on is None:
        out.print(
            ngettext(
                "{count} finding is nobody's and without a day.",
                "{count} findings are nobody's and without a day.",
                done.findings,
            )
        )
        return
    who, until = plain(done.assignee or "-"), formatting.date(done.due_on) or "-"
    out.print(
        ngettext(
            "{count} finding: {who}, until {day}.",
            "{count} findings: {who}, until {day}.",
            done.findings,
            who=who,
            day=until,
        )
    )
    if done.due_on is None:
        return
    away = (done.due_on - today).days
    if away < 0:
        out.aside(t("{day} is over already: they are overdue from now on.", day=until))
    elif away > _FAR:
        out.aside(
            t(
                "{day} is {count} days away: without a year a day is the next one of that name. Give the year if"
                " another one is meant.",
                day=until,
                count=formatting.count(away),
            )
        )


def signed(out: Output, done: MonthSignOff) -> None:
    """That it was signed, and what was open then."""
    from confere.app.labels.reconciliation_labels import closing_sentence
    from confere.app.reconciliation.review import signoffs as use_case

    out.print(plain(render(use_case.sentence(done))))
    if done.open_findings:
        out.aside(t("Findings that nobody settled: {count}.", count=formatting.count(done.open_findings)))
    if done.awaiting_closing:
        out.aside(closing_sentence(done.awaiting_closing))


def signoffs(out: Output, found: Sequence[MonthSignOff]) -> None:
    """Every signature, the newest first."""
    from confere.app.reconciliation.review import signoffs as use_case

    if not found:
        out.aside(t("No month was signed."))
        return
    out.print(
        tables.table(
            [t("Company"), t("Month"), t("Reviewer's signature"), t("Findings"), t("Note")],
            [
                [
                    labels.tax_id_word(entry.signed.company),
                    formatting.month(entry.signed.month),
                    plain(render(use_case.sentence(entry))),
                    formatting.count(entry.signed.findings),
                    plain(entry.signed.note or ""),
                ]
                for entry in found
            ],
        )
    )
