"""The use cases "this is so": what a person says about links and findings, with undo and redo; one act for each call.

Links change at once, and the group of what was linked is judged anew in the same transaction. Nothing that a person
said is ever changed by a sync, a run or reading the archive again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation import undo_log
from confere.app.reconciliation.review.signoffs import withdraw_outgrown
from confere.app.reconciliation.undo_log import Acted as Acted
from confere.app.reconciliation.undo_log import Pair as Pair
from confere.app.reconciliation.undo_log import Steps as Steps
from confere.app.reconciliation.values import FindingHistoryLine
from confere.archive.accounts import accounts, audit
from confere.archive.accounts.accounts import Account
from confere.archive.clock import utc_now
from confere.archive.orders import order_aliases
from confere.archive.reconciliation import decisions, findings, links
from confere.archive.reconciliation.decisions import Said
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault, message
from confere.sales.findings import FindingState
from confere.sales.links import Decision, Link, PersonsWord

_LONGEST: Final = 4000  # characters of a note
_STATES: Final = {
    "explain": FindingState.EXPLAINED,
    "ignore": FindingState.IGNORED,
    "reopen": FindingState.OPEN,
}


def link(workspace: Workspace, account: str, pairs: Sequence[Pair], note: str | None = None) -> Acted:
    """These belong together, whatever the program thinks. `NotInArchive` where a side of one is not here."""
    return _pairs(workspace, account, "link", dict.fromkeys(pairs, PersonsWord.LINK), note)


def unlink(workspace: Workspace, account: str, pairs: Sequence[Pair], note: str | None = None) -> Acted:
    """These do not belong together; no evidence links them again."""
    return _pairs(workspace, account, "unlink", dict.fromkeys(pairs, PersonsWord.UNLINK), note)


def confirm(workspace: Workspace, account: str, pairs: Sequence[Pair], note: str | None = None) -> Acted:
    """The program was right: these links stay, whatever it finds later. `UsageFault` where one is not linked."""
    return _pairs(workspace, account, "confirm", dict.fromkeys(pairs, PersonsWord.CONFIRM), note)


def merge(
    workspace: Workspace, account: str, orders: Sequence[str], keys: Sequence[str], note: str | None = None
) -> Acted:
    """All of these orders and documents are one business: each order is linked with each document."""
    if not orders or not keys:
        raise UsageFault(message("There must be an order and a document to be put together."))
    wanted = {(order_id, key): PersonsWord.LINK for order_id in orders for key in keys}
    return _pairs(workspace, account, "merge", wanted, note)


def split(
    workspace: Workspace, account: str, orders: Sequence[str], keys: Sequence[str], note: str | None = None
) -> Acted:
    """These orders and documents are a business of their own: every link from them to others is cut."""
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        owner = accounts.named(transaction, account)
        orders = list(_ids(transaction, owner.id, orders).values())
        found = links.of(transaction, owner.id, orders=orders, keys=keys)
        outside = [entry for entry in found if (entry.order_id in orders) != (entry.key in keys)]
        wanted = {(entry.order_id, entry.key): PersonsWord.UNLINK for entry in outside}
        return _decide(transaction, owner, "split", wanted, note)


def explain(workspace: Workspace, found: Sequence[int], reason: str) -> Acted:
    """These disagreements are as they should be, for a reason. `UsageFault` without one."""
    if not reason.strip():
        raise UsageFault(
            message("A finding is explained by a reason, which stays with it."),
            message("Say in a few words why it is as it should be."),
        )
    return _settle(workspace, "explain", found, reason)


def ignore(workspace: Workspace, found: Sequence[int], reason: str) -> Acted:
    """Let these rest, for a reason. `UsageFault` without one."""
    if not reason.strip():
        raise UsageFault(
            message("A finding is ignored for a reason, which stays with it."),
            message("Say in a few words why."),
        )
    return _settle(workspace, "ignore", found, reason)


def reopen(workspace: Workspace, found: Sequence[int], note: str | None = None) -> Acted:
    """These were explained or ignored, and are open again."""
    return _settle(workspace, "reopen", found, note)


def note(workspace: Workspace, found: Sequence[int], text: str, seen: Mapping[int, str | None] | None = None) -> Acted:
    """Write something to these findings, whatever their state; an empty text takes the note away.

    `seen` are the notes that whoever wrote it saw, by the number of the finding: `UsageFault` where one is another now.
    """
    return _settle(workspace, "note", found, text, seen)


def undo(workspace: Workspace, account: str, act: int | None = None) -> Acted:
    """Take the newest act of the account back. `UsageFault` where there is none, or where it is not this `act`."""
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        return undo_log.undo(transaction, accounts.named(transaction, account), act)


def redo(workspace: Workspace, account: str, act: int | None = None) -> Acted:
    """Do again what was taken back last; nothing to redo after a new act.

    `UsageFault` where there is nothing, or where it is not this `act`.
    """
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        return undo_log.redo(transaction, accounts.named(transaction, account), act)


def steps(opened: OpenArchive, account: str) -> Steps:
    """What undo and redo would do now."""
    with opened.reading() as transaction:
        return undo_log.steps(transaction, accounts.named(transaction, account).id)


def recent_explanations(opened: OpenArchive, account: str) -> tuple[str, ...]:
    """What findings of the account were explained with last, the newest first: at most nine, for a key each."""
    with opened.reading() as transaction:
        return decisions.recent_explanations(transaction, accounts.named(transaction, account).id)


def history(
    opened: OpenArchive,
    account: str,
    *,
    finding: int | None = None,
    order_id: str | None = None,
    key: str | None = None,
    limit: int = 100,
) -> tuple[FindingHistoryLine, ...]:
    """Who decided what and when, newest first: about a finding, an order, a document, or everything."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        fingerprint = None
        if finding is not None:
            fingerprint = _found(transaction, [finding])[0][1].fingerprint
        told = decisions.history(
            transaction,
            owner.id,
            fingerprint=fingerprint,
            orders=() if order_id is None else (order_id,),
            keys=() if key is None else (key,),
            limit=limit,
        )
    return tuple(undo_log.line(entry) for entry in told)


def _pairs(workspace: Workspace, account: str, kind: str, wanted: dict[Pair, PersonsWord], note: str | None) -> Acted:
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        owner = accounts.named(transaction, account)
        ids = _ids(transaction, owner.id, [order_id for order_id, _ in wanted])
        wanted = {(ids[order_id], key): word for (order_id, key), word in wanted.items()}
        return _decide(transaction, owner, kind, wanted, note)


def _ids(transaction: Transaction, account_id: int, names: Sequence[str]) -> dict[str, str]:
    """The hub's ids of orders named by them or by the marketplace's numbers; a name of none stays as it is."""
    known = order_aliases.by_any_name(transaction, account_id, names)
    for name, ids in known.items():
        if len(ids) > 1:
            raise UsageFault(
                message("The marketplace's number {name} is that of several orders.", name=name),
                message("Name the order by the hub's id of it: {known}.", known=", ".join(ids)),
            )
    return {name: known.get(name, (name,))[0] for name in names}


def _decide(
    transaction: Transaction,
    account: Account,
    kind: str,
    wanted: dict[Pair, PersonsWord],
    note: str | None,
) -> Acted:
    note, account_id = _text(note), account.id
    standing = {(entry.order_id, entry.key): entry.word for entry in decisions.standing(transaction, account_id)}
    new = {pair: word for pair, word in wanted.items() if standing.get(pair) is not word}
    before = links.between(transaction, account_id, new)
    for pair, word in new.items():
        _check(transaction, account_id, pair, word, before.get(pair))
    if not new:
        return Acted(None, message("It was so already."))
    one = next(iter(new)) if len(new) == 1 else None
    told = undo_log.detail(note, len(new), tuple(before.values()), one)
    act = decisions.begin(transaction, account_id, kind, told)
    said = tuple(Decision(*pair, word) for pair, word in new.items())
    decisions.decide(transaction, act, account_id, said)
    undo_log.apply(transaction, account_id, said, before)
    judged, waiting = undo_log.judge(transaction, account, said, act, is_new=True)
    what = undo_log.sentence(kind, len(new), one)
    audit.write(transaction, f"link {kind}", account.name, "; ".join(f"{order_id} {key}" for order_id, key in new))
    withdrawn = withdraw_outgrown(transaction)
    return Acted(act, what, links=len(new), waiting=waiting, judged=judged, withdrawn=withdrawn, account=account.name)


def _check(transaction: Transaction, account_id: int, pair: Pair, word: PersonsWord, linked: Link | None) -> None:
    order_id, key = pair
    if word is PersonsWord.CONFIRM and linked is None:
        raise UsageFault(
            message(
                "Order {order} and document {key} are not linked, so there is nothing to confirm.",
                order=order_id,
                key=key,
            ),
            message("Link them, if they belong together."),
        )
    if word is PersonsWord.LINK:
        undo_log.require(transaction, account_id, order_id, key)


def _settle(
    workspace: Workspace,
    kind: str,
    ids: Sequence[int],
    note: str | None,
    seen: Mapping[int, str | None] | None = None,
) -> Acted:
    text = _text(note)
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        found = _found(transaction, ids)
        owners = {account_id for account_id, _ in found}
        if len(owners) > 1:
            raise UsageFault(
                message("These findings belong to several accounts; an act is of one, to be undone as one."),
                message("Choose the findings of one account."),
            )
        if seen is not None:
            _check_seen([entry for _, entry in found], text, seen)
        changed: list[tuple[int, Said]] = []
        marked: list[str] = []
        amounts: dict[str, int | None] = {}
        for _, entry in found:
            said = _said(kind, entry, text)
            if said is not None:
                changed.append((entry.id, said))
                amounts[said.fingerprint] = entry.found.amount
                marked += [said.fingerprint] if entry.is_changed and kind != "note" else []
        if not changed:
            return Acted(None, message("It was so already."))
        account_id = owners.pop()
        told = undo_log.detail(text, len(changed), marked=marked, amounts=amounts)
        act = decisions.begin(transaction, account_id, kind, told)
        decisions.say(transaction, act, account_id, [said for _, said in changed])
        now, actor = utc_now(), audit.actor()
        mark = None if kind == "note" else False
        for number, said in changed:
            findings.settle(
                transaction, number, state=said.to_state, note=said.note, author=actor, at=now, is_changed=mark
            )
        name = undo_log.account_name(transaction, account_id)
        names = ", ".join(said.fingerprint for _, said in changed)
        audit.write(transaction, f"finding {kind}", name, f"{names}: {text}" if text else names)
        what = undo_log.sentence(kind, len(changed))
        return Acted(act, what, findings=len(changed), withdrawn=withdraw_outgrown(transaction), account=name)


def _check_seen(found: Iterable[findings.StoredFinding], text: str | None, seen: Mapping[int, str | None]) -> None:
    for entry in found:
        if entry.id in seen and entry.note not in (seen[entry.id] or None, text):
            raise UsageFault(
                message("The note was changed elsewhere meanwhile; it says now: {note}", note=entry.note or "-"),
                message("Nothing was written. Open the note again, and write what it is to say."),
            )


def _said(kind: str, entry: findings.StoredFinding, text: str | None) -> Said | None:
    """What an act of this kind says of a finding; None where it says nothing new."""
    if kind == "note":
        wanted, words = entry.state, text or None
    elif entry.state is FindingState.RESOLVED:
        return None
    else:
        wanted, words = findings.effective(_STATES[kind], entry.found.checked), text or entry.note
    if wanted is entry.state and words == entry.note and not (entry.is_changed and kind != "note"):
        return None
    return Said(entry.fingerprint, entry.state, wanted, entry.note, words)


def _found(transaction: Transaction, ids: Sequence[int]) -> list[tuple[int, findings.StoredFinding]]:
    known = findings.numbered(transaction, list(dict.fromkeys(ids)))
    for number in ids:
        if number not in known:
            raise NotInArchive(
                message("There is no finding {number} in the archive.", number=number),
                message("Look at the list of findings again; another archive may stand in this place now."),
            )
    return [known[number] for number in dict.fromkeys(ids)]


def _text(note: str | None) -> str | None:
    """A note as it is kept: trimmed, None for none."""
    if note is None or not note.strip():
        return None
    if len(note) > _LONGEST:
        raise UsageFault(
            message("A note of {count} characters is too long.", count=len(note)),
            message("Say it in at most {most} characters.", most=_LONGEST),
        )
    return note.strip()


__all__ = [
    *("Acted", "Pair", "Steps", "confirm", "explain", "history", "ignore", "link", "merge", "note"),
    *("recent_explanations", "redo", "reopen", "split", "steps", "undo", "unlink"),
]
