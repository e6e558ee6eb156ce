"""What a document is related to, as a list in words: groups by kind, the other ends, and its orders."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app import words
from confere.app.browsing import RelationRow
from confere.desktop.details import wording
from confere.desktop.details.loaded import Loaded
from confere.fiscal import keys
from confere.system import figures
from confere.system.messages import t

_MODELS = {"55": "nfe", "65": "nfce", "57": "cte", "67": "cteos", "58": "mdfe"}


@dataclass(frozen=True, slots=True)
class Kin:
    """One line. A `heading` parts groups; `access_key` leads to the other end, which is in the archive if `archived`.

    `copied` is what Ctrl+C takes.
    """

    title: str
    detail: str = ""
    value: str = ""
    access_key: str | None = None
    archived: bool = True
    heading: bool = False
    copied: str = ""
    claimed: str = ""


def of(loaded: Loaded) -> tuple[Kin, ...]:
    """What it refers to first, then what refers to it, then orders."""
    groups: dict[str, list[Kin]] = {}
    for entry in loaded.full.relations:
        groups.setdefault(words.relation_word(entry.kind, reverse=False), []).append(
            _kin(entry, entry.target_key, loaded)
        )
    for entry in loaded.full.related_by:
        groups.setdefault(words.relation_word(entry.kind, reverse=True), []).append(
            _kin(entry, entry.source_key, loaded)
        )
    found: list[Kin] = []
    for title, members in groups.items():
        heading = f"{title[:1].upper()}{title[1:]}"
        if len(members) > 1:
            heading = f"{heading} ({figures.count(len(members))})"
        found += [Kin(heading, heading=True), *members]
    orders = {(word.order_id, word.marketplace) for word in loaded.full.hub if word.order_id}
    if orders:
        found.append(Kin(t("Orders") if len(orders) > 1 else t("Order"), heading=True))
        found += [
            Kin(order, marketplace or "", copied=order) for order, marketplace in sorted(orders, key=str) if order
        ]
    return tuple(found)


def _kin(entry: RelationRow, key: str, loaded: Loaded) -> Kin:
    row = loaded.related.get(key)
    said = t("says {who}", who=words.claims_word(entry.claims))
    if row is not None:
        name = wording.parties_line(row, loaded.own, loaded.hidden)
        title = " · ".join(
            filter(None, (f"{words.type_word(row.type)} {words.number_word(row.series, row.number)}", name))
        )
        return Kin(title, words.key_groups(key), figures.money(row.total), key, True, False, key, said)
    parts = keys.parse(key)
    if parts is None:
        title = t("unreadable key")
    else:
        kind = words.type_word(_MODELS.get(parts.model, parts.model))
        title = f"{kind} {words.number_word(parts.series, parts.number)}"
    return Kin(title, words.key_groups(key), "", key, entry.archived, False, key, said)
