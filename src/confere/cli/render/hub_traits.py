"""What was learnt of a hub, and one record as understood beside its JSON, for people."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.text import Text

from confere.app.labels import hub_trait_labels
from confere.cli import tables
from confere.cli.output import Output
from confere.errors import Message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.accounts.hub_traits import ContractView, HubTrait, SampleRecord

_MOST_LINES = 80
_OF_READER = "files_reader"  # which reader looked last is no trait of the hub


def shape(out: Output, found: Iterable[HubTrait]) -> None:
    """A table of traits, each with the day on which it was learnt."""
    rows = [
        (_list(entry.list), _trait(entry.trait), _word(entry.trait, entry.value), _moment(entry.learned_at))
        for entry in found
        if entry.trait != _OF_READER
    ]
    if rows:
        out.print(tables.table((t("List"), t("Trait"), t("As learnt"), t("Learnt")), rows))


def contract(out: Output, found: ContractView) -> None:
    """What the contract says of each list, beside what was seen and what is used."""
    if found.asked_at is None:
        return
    if not found.operations:
        out.aside(t("The hub publishes no contract; what it does is learnt from its answers."))
        return
    rows = [
        (
            _list(row.list),
            _trait(row.trait),
            _word(row.trait, row.declared),
            _word(row.trait, row.seen) or "-",
            _word(row.trait, row.used) + (" (!)" if row.differs else ""),
        )
        for row in found.drift
    ]
    if rows:
        out.print(tables.table((t("List"), t("Trait"), t("By its contract"), t("As seen"), t("Used")), rows))
    if found.missing_lists:
        names = ", ".join(map(_list, found.missing_lists))
        out.aside(t("The contract has no list of: {lists}.", lists=names))
    moment = formatting.moment(found.asked_at.astimezone(BRASILIA))
    out.aside(
        t("The contract is of {moment}: {count} operations.", moment=moment, count=formatting.count(found.operations))
    )


def record(out: Output, found: SampleRecord) -> None:
    """One record: what was understood of it, then its JSON as it came."""
    out.print(t("One record of the list, as understood:"))
    facts = [(_shown(hub_trait_labels.field_name(name)), _short(value)) for name, value in found.understood.items()]
    out.print(tables.facts(facts))
    out.print(t("The same record as the hub sent it:"))
    lines = json.dumps(found.raw, ensure_ascii=False, indent=2).splitlines()
    more = len(lines) - _MOST_LINES
    # What a hub writes is shown as text: neither a terminal's commands nor our own markup.
    out.print(Text("\n".join(plain(line) for line in lines[:_MOST_LINES])))
    if more > 0:
        out.print(t("… and {count} more lines: `--json` has them all.", count=formatting.count(more)))


def _moment(utc: str) -> str:
    return formatting.moment(datetime.fromisoformat(utc).astimezone(BRASILIA))


def _short(value: Any) -> str:
    if value in (None, [], ""):
        return "-"
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    return plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _list(name: str) -> str:
    return _shown(hub_trait_labels.list_name(name))


def _trait(name: str) -> str:
    return _shown(hub_trait_labels.trait_name(name))


def _word(trait: str, value: str) -> str:
    return _shown(hub_trait_labels.trait_value(trait, value))


def _shown(word: Message | str) -> str:
    return render(word) if isinstance(word, Message) else plain(word)
