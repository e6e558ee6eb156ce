"""Words of closings and of what changed since, for both faces."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from confere.app.labels import labels, reconciliation_labels
from confere.app.labels.reconciliation_labels import changes_sentence
from confere.app.reconciliation.findings import title_of
from confere.app.reconciliation.report_sheets import tax_name
from confere.errors import Message
from confere.fiscal.periods import in_brasilia
from confere.sales.closings import ClosingAct
from confere.sales.findings import FindingState
from confere.sales.terms import AMOUNTS, TITLES
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.closing.changes import CoverageChange, DocumentChange, EffectPlace, FindingChange
    from confere.app.closing.close_month import CloseResult
    from confere.app.reconciliation.review.closing_judgement import ClosingJudgement

_VERDICTS: Final = {"0": "ok", "1": "unchecked", "2": "failed", "3": "test"}  # as documents are kept


def kind_word(kind: str) -> str:
    """What became of a document or finding."""
    known = {
        "arrived": t("arrived late"),
        "gone": t("gone"),
        "cancelled": t("cancelled"),
        "state": t("another state"),
        "other_bytes": t("other XML"),
        "corrected": t("corrected (CC-e)"),
        "event": t("new event"),
        "reread": t("read anew"),
        "relinked": t("other orders"),
        "rejudged": t("judged anew"),
        "terms": t("terms of an account"),
        "coverage": t("lists of a hub"),
    }
    return known.get(kind, kind)


def effect_name(name: str) -> str:
    """What a sum of an effect on taxes is called."""
    known = {
        "difal": t("DIFAL (destination)"),
        "fcp_destination": t("FCP (destination)"),
        "difal_origin": t("DIFAL (origin)"),
    }
    return known.get(name) or tax_name(name)


def direction_word(direction: str) -> str:
    return {"out": t("issued"), "in": t("received")}.get(direction, direction)


def kinds_text(kinds: Iterable[str]) -> str:
    return ", ".join(map(kind_word, kinds))


def detail_text(change: DocumentChange) -> str:
    """What was before and what is now, where that says more than the kind does."""
    parts = [t("DIFAL not read: its XML is not here")] if change.difal_unread else []
    for name, (before, after) in change.detail.items():
        if name == "state":
            parts.append(f"{labels.state_word(before)} → {labels.state_word(after)}")
        elif name == "orders":
            parts.append(t("orders {before} → {after}", before=before or "-", after=after or "-"))
        elif name == "events":
            parts += [t("events {codes}", codes=after)] if after else []
            parts += [t("events not here any more: {codes}", codes=before)] if before else []
        elif name == "verdict":
            words = (labels.verdict_word(_VERDICTS.get(code)) for code in (before, after))
            parts.append(" → ".join(words))
    return "; ".join(parts)


def finding_text(change: FindingChange) -> str:
    """What is otherwise of a finding: its state, its value, or both."""
    parts = []
    if change.before != change.after:
        parts.append(f"{finding_word(change.before)} → {finding_word(change.after)}")
    if change.before and change.after and change.amount_before != change.finding.amount:
        amounts = (formatting.money(cents) or "-" for cents in (change.amount_before, change.finding.amount))
        parts.append(" → ".join(amounts))
    return "; ".join(parts)


def about_text(change: FindingChange, name: Callable[[str], str] = str) -> str:
    """What a finding is about: its document by its key, as `name` calls it, else its order's id; and how many more."""
    named = [*map(name, change.keys), *(t("order {order}", order=order) for order in change.orders)]
    if not named:
        return change.subject or "-"
    return named[0] if len(named) == 1 else t("{first} +{more}", first=named[0], more=formatting.count(len(named) - 1))


def finding_name(change: FindingChange) -> str:
    """The finding by its number, as lists number it, and the name of its rule."""
    title = render(title_of(change.finding.rule))
    if change.number is None:
        return t("finding: {title}", title=title)
    return t("finding {number}: {title}", number=str(change.number), title=title)


def term_name(name: str) -> str:
    """What a term of an account is called in the settings; another preference by its own name."""
    return render(Message(TITLES[name])) if name in TITLES else name


def term_value(name: str, text: str) -> str:
    """A term's value, given as its preferences write it."""
    try:
        value = json.loads(text)
    except ValueError:
        return text or "-"
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if name in AMOUNTS and isinstance(value, int):
        return formatting.money(value)
    return ", ".join(map(str, value)) or "-" if isinstance(value, list) else text


def coverage_text(change: CoverageChange) -> str:
    """A stretch of a list, and what became of it."""
    values = {"from_at": formatting.moment(change.from_at), "to_at": formatting.moment(change.to_at)}
    if change.is_listed:
        return t("listed since: {from_at} to {to_at}", **values)
    return t("not known as listed any more: {from_at} to {to_at}", **values)


def axis_word(axis: str) -> str:
    """What an account's list is of."""
    known = {
        "created": t("documents by creation"),
        "updated": t("documents by last change"),
        "orders": t("orders"),
        "returns": t("returns"),
    }
    return known.get(axis, axis)


def finding_word(state: str | None) -> str:
    """How a finding stands; a dash where it is not there."""
    return "-" if state is None else reconciliation_labels.state_word(FindingState(state))


def moment_text(at: str) -> str:
    """A time of the archive as people of Brazil read it."""
    return formatting.moment(in_brasilia(at) or at)


def reopened_text(act: ClosingAct) -> str:
    """That a month is open again, since when, by whom and why."""
    return t(
        "It was opened again on {moment} by {actor}, because: {reason}",
        moment=moment_text(act.at),
        actor=plain(act.actor),
        reason=plain(act.reason or "-"),
    )


def signed_money(cents: int) -> str:
    """An amount with its sign, also where it grows."""
    return f"+{formatting.money(cents)}" if cents > 0 else formatting.money(cents)


def amounts_text(taxes: Mapping[EffectPlace, Mapping[str, int]]) -> str:
    """The taxes of a document in one line, places added up."""
    sums: dict[str, int] = {}
    for amounts in taxes.values():
        for name, amount in amounts.items():
            if name not in ("products", "discount", "freight", "other", "icms_base", "icms_st_base"):
                sums[name] = sums.get(name, 0) + amount
    return " · ".join(f"{effect_name(name)} {signed_money(amount)}" for name, amount in sums.items() if amount)


def judged_sentences(found: ClosingJudgement) -> list[str]:
    """What closing a month or opening it again changed of its findings at once; empty where nothing."""
    sentences = []
    if found.changes:
        sentences.append(t("Findings of the month: {changes}", changes=changes_sentence(found.changes)))
    if found.reworded == 1:
        sentences.append(t("One finding of the month says now which companies are still to be closed."))
    elif found.reworded:
        count = formatting.count(found.reworded)
        sentences.append(
            t("{count} findings of the month say now which companies are still to be closed.", count=count)
        )
    sentences += map(render, found.withdrawn)
    sentences += (
        t("The next reconciliation of account {account} judges the month by its closing.", account=account)
        for account in found.not_judged
    )
    return sentences


def outcome_text(result: CloseResult) -> str:
    """What became of a company's month, in a sentence."""
    company, month = labels.tax_id_word(result.company), labels.month_word(result.month)
    match result.outcome.value:
        case "closed":
            return t("{company}: {month} is closed.", company=company, month=month)
        case "unchanged":
            return t("{company}: {month} was closed already, and nothing changed since.", company=company, month=month)
        case "changed":
            return t(
                "{company}: {month} was closed already, and things changed since: {count}. See `confere changes`; to"
                " file anew, open it with --reopen first.",
                company=company,
                month=month,
                count=formatting.count(result.changes),
            )
    return t(
        "{company}: {month} is not complete, so it was not closed. --incomplete closes it all the same.",
        company=company,
        month=month,
    )
