"""Lines about what the hubs of a company listed: the lists read to the month's end, and each record accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.app.accounts.freshness import moment
from confere.app.closing.account_month import AccountMonth, ListedSpans
from confere.app.closing.checklist_line import (
    ChecklistLine,
    LineCode,
    LineProof,
    LineState,
    RemedyKind,
    named,
)
from confere.app.labels.labels import month_word
from confere.app.orders import unowned_orders
from confere.archive.hub import coverage, shortfalls
from confere.archive.hub.completeness import Lack
from confere.errors import N_, Message, message, nmessage
from confere.system import formatting
from confere.system.processes.command_text import command_text

_SYNC: Final = message("Run `confere sync`.")
_ASK: Final = message("Ask whoever emitted them for the XML, and import it.")


def without_account(company: str) -> ChecklistLine:
    """No account lists the company's documents: nobody can say what is missing."""
    return ChecklistLine(
        code=LineCode.DOCUMENTS_LISTED,
        state=LineState.NOT_CHECKED,
        what=message(
            "No account lists the documents of {company}: what is here was imported, and nobody can say what is not.",
            company=company,
        ),
        remedy=message("Connect the account of its hub, or add the company to the account that has it."),
    )


def of_no_company(found: AccountMonth) -> Iterator[ChecklistLine]:
    """Orders of the month that nothing tells the company of: its bridge does not have them, and they may be its own."""
    orders = found.of_no_company
    if not orders.count:
        return
    texts = {"account": found.name, "amount": formatting.money(orders.worth)}
    what = message(
        "One order of account {account} ({amount}) is of no company that can be told: the bridge of the whole account"
        " alone has it.",
        **texts,
    )
    if orders.count > 1:
        what = message(
            "{count} orders of account {account} ({amount}) are of no company that can be told: the bridge of the"
            " whole account alone has them.",
            count=formatting.count(orders.count),
            **texts,
        )
    yield ChecklistLine(
        code=LineCode.ORDERS_OF_NO_COMPANY,
        state=LineState.WARNING,
        what=what,
        account=found.name,
        proof=LineProof(
            counts={"orders": orders.count},
            names=orders.names,
            named=orders.count,
            command=unowned_orders.command(found.name, found.month.text),
        ),
        remedy=message("Link those that have an invoice to it: its issuer tells the company."),
        remedy_kind=RemedyKind.ORDERS,
    )


def of_lists(found: AccountMonth) -> Iterator[ChecklistLine]:
    """Whether each list of the account was read through the month's last day."""
    again = _sync(found.name)
    yield _listed(
        found,
        LineCode.DOCUMENTS_LISTED,
        found.documents,
        message("fiscal documents"),
        _sync(found.name, "--from", found.month.first_day, "--to", found.month.last_day),
    )
    if found.orders is not None:
        yield _listed(found, LineCode.ORDERS_LISTED, found.orders, message("orders"), again)
    elif found.has_orders is None:
        yield _never_asked(found, LineCode.ORDERS_LISTED, message("orders"))
    if found.returns is not None:
        yield _listed(found, LineCode.RETURNS_LISTED, found.returns, message("returns"), again)
    elif found.has_orders and found.has_returns is None:
        yield _never_asked(found, LineCode.RETURNS_LISTED, message("returns"))
    for short in found.shortfalls:
        yield ChecklistLine(
            code=LineCode.LIST_SHORT,
            state=LineState.PROBLEM,
            what=short.what,
            account=found.name,
            proof=LineProof(
                counts={"missing": short.missing, "shown": short.shown},
                from_at=None if short.from_at == coverage.FOREVER else moment(short.from_at),
                to_at=moment(short.to_at),
                since=moment(short.since),
            ),
            remedy=shortfalls.REMEDY,
            remedy_kind=RemedyKind.SYNC,
        )


def _never_asked(found: AccountMonth, code: LineCode, name: Message) -> ChecklistLine:
    """Nobody asked yet whether the hub has such a list."""
    return ChecklistLine(
        code=code,
        state=LineState.NOT_CHECKED,
        what=message("The {list} of account {account} were never listed.", list=name, account=found.name),
        account=found.name,
        remedy=_SYNC,
        remedy_kind=RemedyKind.SYNC,
    )


def _listed(found: AccountMonth, code: LineCode, spans: ListedSpans, name: Message, command: str) -> ChecklistLine:
    month, account = found.month, found.name
    covering = spans.covering(month)
    shown = covering if covering is not None else (spans.spans[-1] if spans.spans else None)
    days = found.standing.days
    state, remedy = LineState.PROBLEM, _SYNC
    params = {"list": name, "account": account, "month": month_word(month.text)}
    if covering is not None and days is not None and found.standing.is_stale and code is LineCode.DOCUMENTS_LISTED:
        state = LineState.WARNING
        what = message(
            "The {list} of account {account} are listed through the last day of {month}; the list was last read"
            " {days} days ago.",
            **params,
            days=formatting.count(days),
        )
    elif covering is not None:
        state = LineState.OK
        what = message("The {list} of account {account} are listed through the last day of {month}.", **params)
    elif spans.declared is not None:
        state = LineState.OK
        what = message(
            "The {list} of account {account} in {month} were declared complete by {actor} on {day}.",
            **params,
            actor=spans.declared.actor,
            day=formatting.date(moment(spans.declared.at).date()),
        )
    elif spans.until is None:
        what = message("The {list} of account {account} were never listed.", **params)
    elif spans.until < moment(month.to_at):
        what = message(
            "The {list} of account {account} were listed up to {until}, which is before the end of {month}.",
            **params,
            until=formatting.moment(spans.until),
        )
    else:
        what = message("The {list} of account {account} were not listed for the whole of {month}.", **params)
    is_lacking = state is LineState.PROBLEM
    return ChecklistLine(
        code=code,
        state=state,
        what=what,
        account=account,
        proof=LineProof(
            counts={"days_not_listed": len(spans.holes)},
            names=spans.holes if is_lacking else (),
            named=len(spans.holes) if is_lacking else 0,
            command=command if is_lacking else "",
            from_at=None if shown is None or shown.from_at == coverage.FOREVER else moment(shown.from_at),
            to_at=None if shown is None else moment(shown.to_at),
            since=spans.listed_at,
        ),
        remedy=None if state is LineState.OK else remedy,
        remedy_kind=None if state is LineState.OK else RemedyKind.SYNC,
    )


def of_records(found: AccountMonth, company: str) -> Iterator[ChecklistLine]:
    """Whether each record of the month is archived, waiting or refused with a reason, and what of them lacks."""
    yield _conservation(found)
    for lack in Lack:
        # A document may lack several files, which its key names.
        lacking = dict.fromkeys(entry.name for entry in found.lacking.get(lack, ()))
        mine = tuple(name for name in lacking if found.is_whose(name, company))
        if mine:
            yield _LACKS[lack](found.name, mine)
    names = tuple(
        record.name for record in found.without_file if record.access_key and found.is_whose(record.name, company)
    )
    if names:
        yield ChecklistLine(
            code=LineCode.EVENT_WITHOUT_FILE,
            state=LineState.PROBLEM,
            what=message(
                "Documents with events for which the hub of account {account} offers no file: {count}.",
                account=found.name,
                count=formatting.count(len(names)),
            ),
            account=found.name,
            proof=named(names, documents=len(names)),
            remedy=message("Ask the hub or whoever made the event for its XML, and import it."),
        )


def _sync(account: str, *options: str) -> str:
    """The command that syncs the account."""
    return command_text(("confere", "sync", "--account", account, *options))


def _conservation(found: AccountMonth) -> ChecklistLine:
    total = found.balance
    figures = {name: getattr(total, name) for name in ("listed", "archived", "waiting", "refused", "lost")}
    texts = {name: formatting.count(number) for name, number in figures.items()}
    if not total.balances:
        return ChecklistLine(
            code=LineCode.CONSERVATION,
            state=LineState.PROBLEM,
            what=message(
                "Records that account {account} listed: {listed}; neither archived, waiting nor refused: {lost}.",
                account=found.name,
                **texts,
            ),
            account=found.name,
            proof=LineProof(counts=figures, names=total.lost_names, named=total.lost, command="confere doctor"),
            remedy=_SYNC,
            remedy_kind=RemedyKind.SYNC,
        )
    if not found.documents.spans:
        state = LineState.NOT_CHECKED
        what = message("Account {account} listed nothing yet: there is nothing to count.", account=found.name)
    elif total.waiting or total.refused:
        state = LineState.WARNING
        what = message(
            "Records that account {account} listed: {listed}; archived: {archived}, waiting: {waiting}, refused with a"
            " reason: {refused}.",
            account=found.name,
            **texts,
        )
    else:
        state = LineState.OK
        what = nmessage(
            "{count} record that account {account} listed is archived.",
            "All {count} records that account {account} listed are archived.",
            total.listed,
            account=found.name,
        )
    return ChecklistLine(
        code=LineCode.CONSERVATION, state=state, what=what, account=found.name, proof=LineProof(counts=figures)
    )


def _not_downloaded(account: str, names: tuple[str, ...]) -> ChecklistLine:
    return ChecklistLine(
        code=LineCode.NOT_DOWNLOADED,
        state=LineState.PROBLEM,
        what=message(
            "Listed by the hub of account {account} and not downloaded yet: {count}.",
            account=account,
            count=formatting.count(len(names)),
        ),
        account=account,
        proof=named(names, _sync(account, "--retry"), documents=len(names)),
        remedy=_SYNC,
        remedy_kind=RemedyKind.SYNC,
    )


def _not_offered(account: str, names: tuple[str, ...]) -> ChecklistLine:
    what = N_("Listed by the hub of account {account}, which has no file for them: {count}.")
    return _asked_of_hub(
        LineCode.NOT_OFFERED, RemedyKind.NOT_OFFERED, what, account, named(names, documents=len(names))
    )


def _unreadable(account: str, names: tuple[str, ...]) -> ChecklistLine:
    what = N_("Received from the hub of account {account} and not readable: {count}.")
    proof = named(names, "confere list --unreadable", documents=len(names))
    return _asked_of_hub(LineCode.UNREADABLE, RemedyKind.UNREADABLE, what, account, proof)


def _asked_of_hub(code: LineCode, kind: RemedyKind, what: str, account: str, proof: LineProof) -> ChecklistLine:
    """What only the hub can mend; `what` names account and count."""
    return ChecklistLine(
        code=code,
        state=LineState.PROBLEM,
        what=Message(what, {"account": account, "count": formatting.count(proof.counts["documents"])}),
        account=account,
        proof=proof,
        remedy=_ASK,
        remedy_kind=kind,
    )


_LACKS: Final = {Lack.NOT_DOWNLOADED: _not_downloaded, Lack.NOT_OFFERED: _not_offered, Lack.UNREADABLE: _unreadable}
