"""A person's acts on the archive: made to hold at once, taken back, done again, and told in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from confere.app.accounts.freshness import moment
from confere.app.reconciliation.matching import group_judgement
from confere.app.reconciliation.matching.group_judgement import NOT_JUDGED, GroupJudgement
from confere.app.reconciliation.review import review_acts
from confere.app.reconciliation.review.signoffs import withdraw_outgrown
from confere.app.reconciliation.values import FindingHistoryLine
from confere.archive.accounts import audit
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.overview import account_names
from confere.archive.clock import utc_now
from confere.archive.documents import documents
from confere.archive.orders import orders
from confere.archive.reconciliation import decisions, findings, links
from confere.archive.reconciliation.decisions import DecisionAct
from confere.archive.transaction import Transaction
from confere.errors import N_, NN_, Message, NotInArchive, UsageFault, message
from confere.sales.findings import FindingState
from confere.sales.links import Decision, Link, LinkKind, PersonsWord

Pair = tuple[str, str]
"""The hub's id of an order, and an access key."""

_MOST_REASONS: Final = 4  # as the matcher keeps of a link
_PAIR: Final = {
    "link": N_("Order {order} was linked with document {key}."),
    "unlink": N_("Order {order} was separated from document {key}."),
    "confirm": N_("The link of order {order} with document {key} was confirmed."),
    "merge": N_("Order {order} was put together with document {key}."),
    "split": N_("Order {order} was taken apart from document {key}."),
}
_COUNTED: Final = {
    "link": NN_("{count} link was made.", "{count} links were made."),
    "unlink": NN_("{count} link was cut.", "{count} links were cut."),
    "confirm": NN_("{count} link was confirmed.", "{count} links were confirmed."),
    "merge": NN_(
        "{count} link was made to put together what belongs together.",
        "{count} links were made to put together what belongs together.",
    ),
    "split": NN_(
        "{count} link was cut to take apart what does not belong together.",
        "{count} links were cut to take apart what does not belong together.",
    ),
    "explain": NN_("{count} finding was explained.", "{count} findings were explained."),
    "ignore": NN_("{count} finding was ignored.", "{count} findings were ignored."),
    "reopen": NN_("{count} finding was opened again.", "{count} findings were opened again."),
    "note": NN_("The note of {count} finding was changed.", "The note of {count} findings was changed."),
}


class FindingPlace(NamedTuple):
    """A finding and its rule: where a list shows it."""

    id: int
    rule: str


@dataclass(frozen=True, slots=True)
class Acted:
    """What an act did. `act` is its number, None where everything was so already.

    `account` is whose act it is. `findings` changed by it, `links` changed at once; `judged` is what that changed in
    the group of these links; `waiting` findings, where the group could not be judged, are computed anew by the next
    run. `withdrawn` says of reviewers' signatures that they no longer stand; `about` are the findings that wait again
    since.
    """

    act: int | None
    what: Message
    findings: int = 0
    links: int = 0
    waiting: int = 0
    judged: GroupJudgement = NOT_JUDGED
    withdrawn: tuple[Message, ...] = ()
    about: tuple[FindingPlace, ...] = ()
    account: str | None = None


@dataclass(frozen=True, slots=True)
class Steps:
    """What undo and redo would take back or do again now; None where there is nothing."""

    undo: Message | None
    redo: Message | None


def sentence(kind: str, count: int, pair: Pair | None = None) -> Message:
    """What an act of this kind did to so many; `pair` is the one, where it is of links."""
    if kind not in _COUNTED:  # a newer program's
        return Message(kind)
    if count == 1 and pair is not None and kind in _PAIR:
        return Message(_PAIR[kind], {"order": pair[0], "key": pair[1]})
    return Message(_COUNTED[kind], {"n": count})


def line(act: DecisionAct) -> FindingHistoryLine:
    """A line of the history."""
    note = act.detail.get("note")
    return FindingHistoryLine(
        at=moment(act.at),
        actor=act.actor,
        what=_told(act),
        note=note if isinstance(note, str) else None,
        undone=act.undone_at is not None,
        act=act.id,
    )


def require(transaction: Transaction, account_id: int, order_id: str, key: str) -> None:
    """`NotInArchive` unless both are here: a link to what is not would come to nothing in every run."""
    if order_id not in orders.named(transaction, account_id, [order_id]):
        raise NotInArchive(
            message("There is no order {order} in the archive.", order=order_id),
            message("Name it by the hub's id of it; `confere orders list` shows them."),
        )
    if documents.current(transaction, key) is None:
        raise NotInArchive(
            message("There is no document {key} in the archive.", key=key),
            message("Name it by its access key, 44 characters; `confere list` shows them."),
        )


def apply(transaction: Transaction, account_id: int, said: Sequence[Decision], before: Mapping[Pair, Link]) -> None:
    """Let these words hold at once, as the next run will have it."""
    made = [
        _link(entry, before.get((entry.order_id, entry.key))) for entry in said if entry.word is not PersonsWord.UNLINK
    ]
    cut = [(entry.order_id, entry.key) for entry in said if entry.word is PersonsWord.UNLINK]
    links.put(transaction, account_id, made)
    links.drop(transaction, account_id, cut)


def judge(
    transaction: Transaction, account: Account, said: Sequence[Decision], act: int, *, is_new: bool
) -> tuple[GroupJudgement, int]:
    """Judge the group of these words, once they hold; how many findings wait for the next run where it cannot be."""
    pairs = [(entry.order_id, entry.key) for entry in said]
    judged = group_judgement.judge(transaction, account, pairs, act, keeps_history=is_new)
    return judged, 0 if judged.is_done else _stale(transaction, account.id, said)


def undo(transaction: Transaction, account: Account, wanted: int | None = None) -> Acted:
    """Take the newest act back; `UsageFault` where it is not the `wanted` one."""
    act = decisions.to_undo(transaction, account.id)
    if act is None:
        raise UsageFault(message("There is nothing to undo."))
    _check_is_wanted(act, wanted)
    decisions.take_back(transaction, act.id)
    words = decisions.words_of(transaction, act.id)
    links.drop(transaction, account.id, [(entry.order_id, entry.key) for entry in words])
    links.put(transaction, account.id, _before(act).values())
    judged, waiting = _judged_again(transaction, account, words, act)
    changed = _stand(transaction, act, back=True)
    audit.write(transaction, "undo", account.name, str(act.id))
    return _told_again(
        transaction, account, act, message("Undone: {what}", what=_told(act)), changed, len(words), waiting, judged
    )


def redo(transaction: Transaction, account: Account, wanted: int | None = None) -> Acted:
    """Do again what was taken back last; `UsageFault` where that is not the `wanted` act."""
    act = decisions.to_redo(transaction, account.id)
    if act is None:
        raise UsageFault(message("There is nothing to do again."))
    _check_is_wanted(act, wanted)
    decisions.do_again(transaction, act.id)
    words = decisions.words_of(transaction, act.id)
    apply(transaction, account.id, words, _before(act))
    judged, waiting = _judged_again(transaction, account, words, act)
    changed = _stand(transaction, act, back=False)
    audit.write(transaction, "redo", account.name, str(act.id))
    return _told_again(
        transaction, account, act, message("Done again: {what}", what=_told(act)), changed, len(words), waiting, judged
    )


def steps(transaction: Transaction, account_id: int) -> Steps:
    """What the two would do now."""
    back, again = decisions.to_undo(transaction, account_id), decisions.to_redo(transaction, account_id)
    return Steps(None if back is None else _told(back), None if again is None else _told(again))


def account_name(transaction: Transaction, account_id: int) -> str:
    """What the account is called, or was."""
    return account_names(transaction).get(account_id, str(account_id))


def detail(
    note: str | None,
    count: int,
    before: Sequence[Link] = (),
    pair: Pair | None = None,
    marked: Sequence[str] = (),
    amounts: Mapping[str, int | None] | None = None,
) -> dict[str, object]:
    """What is kept of an act: its note, how much it was about, the links that stood before it.

    `marked` are the fingerprints of findings that were marked as changed until then; `amounts` is what each finding
    came to, in centavos, when it was settled.
    """
    return {
        "marked": list(marked),
        "amounts": dict(amounts or {}),
        "note": note,
        "count": count,
        "pair": None if pair is None else list(pair),
        "before": [links.kept(entry) for entry in before],
    }


def _told(act: DecisionAct) -> Message:
    if act.kind in review_acts.KINDS:
        return review_acts.sentence(act.kind, act.detail)
    count, pair = act.detail.get("count"), act.detail.get("pair")
    return sentence(
        act.kind,
        count if isinstance(count, int) else 1,
        (str(pair[0]), str(pair[1])) if isinstance(pair, list) and len(pair) == 2 else None,
    )


def _before(act: DecisionAct) -> dict[Pair, Link]:
    """The links that stood before an act, by order and key."""
    found = [links.read(entry) for entry in act.detail.get("before", ())]
    return {(entry.order_id, entry.key): entry for entry in found}


def _link(said: Decision, before: Link | None) -> Link:
    """The link that a person's word makes, as the matcher makes it of the same word."""
    words = message("a person linked them") if said.word is PersonsWord.LINK else message("a person confirmed it")
    reasons = () if before is None else before.evidence
    evidence = (words, *(entry for entry in reasons if entry != words))[:_MOST_REASONS]
    return Link(said.order_id, said.key, LinkKind.PERSON, 100, evidence)


def _check_is_wanted(act: DecisionAct, wanted: int | None) -> None:
    """`UsageFault` where another act is next: what a person saw is not what would be changed."""
    if wanted not in (None, act.id):
        raise UsageFault(
            message("Something else was decided since; this cannot be undone or done again any more."),
            message("Decide anew where it is still wrong; the history tells what was decided."),
        )


def _told_again(
    transaction: Transaction,
    account: Account,
    act: DecisionAct,
    what: Message,
    changed: int,
    made: int,
    waiting: int,
    judged: GroupJudgement,
) -> Acted:
    places = _places(transaction, act, judged)
    withdrawn = withdraw_outgrown(transaction)
    return Acted(act.id, what, changed, made, waiting, judged, withdrawn, places, account.name)


def _places(transaction: Transaction, act: DecisionAct, judged: GroupJudgement) -> tuple[FindingPlace, ...]:
    """The findings that an act is about and that are there, or that judging it brought."""
    if act.kind in _PAIR:
        return tuple(FindingPlace(change.id, change.rule) for change in judged.changes if change.what != "gone")
    names = [entry.fingerprint for entry in decisions.said_in(transaction, act.id)]
    known = findings.with_fingerprints(transaction, act.account_id, names)
    return tuple(FindingPlace(known[name].id, known[name].found.rule) for name in names if name in known)


def _judged_again(
    transaction: Transaction, account: Account, words: Sequence[Decision], act: DecisionAct
) -> tuple[GroupJudgement, int]:
    if not words:
        return NOT_JUDGED, 0
    return judge(transaction, account, words, act.id, is_new=False)


def _stale(transaction: Transaction, account_id: int, said: Sequence[Decision]) -> int:
    orders_of, keys_of = {entry.order_id for entry in said}, {entry.key for entry in said}
    return findings.make_stale(transaction, account_id, sorted(orders_of), sorted(keys_of))


def _stand(transaction: Transaction, act: DecisionAct, *, back: bool) -> int:
    """Let the findings of an act stand as before it, or as it said; what vanished meanwhile stays resolved.

    How an act on links moved findings is not said by a person: judging its group again moves them.
    """
    if act.kind in _PAIR:
        return 0
    if act.kind in review_acts.KINDS:
        return review_acts.restore(transaction, act, back=back)
    said = decisions.said_in(transaction, act.id)
    known = findings.with_fingerprints(transaction, act.account_id, [entry.fingerprint for entry in said])
    words = decisions.states(transaction, act.account_id)
    spoken = decisions.states(transaction, act.account_id, with_runs=False)
    now, actor = utc_now(), audit.actor()
    marked = set(act.detail.get("marked", ()))
    for entry in said:
        stands = known.get(entry.fingerprint)
        if stands is None:
            continue
        state = stands.state
        if state is not FindingState.RESOLVED:
            state = findings.effective(words.get(entry.fingerprint), stands.found.checked)
        note = entry.from_note if back else entry.note
        author = actor if note is not None or entry.fingerprint in spoken else None
        mark = back if entry.fingerprint in marked else None
        findings.settle(transaction, stands.id, state=state, note=note, author=author, at=now, is_changed=mark)
    return len(known)
