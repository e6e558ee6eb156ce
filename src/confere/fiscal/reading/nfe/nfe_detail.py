"""Everything an NF-e or NFC-e says, for whoever opens it: layouts 1.10 to 4.00.

What has no field of its own stays under the name of its group, so that a layout yet to come loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Fields, FullItem, FullParty, NoteDetail, Remark, Words
from confere.fiscal.document_parts import Item, Party
from confere.fiscal.reading.elements import LOCAL, child, own_text, texts
from confere.fiscal.reading.nfe.nfe_items import full_item
from confere.fiscal.reading.nfe.nfe_parties import full_party
from confere.fiscal.reading.nfe.nfe_payment import billing_of, payments_of
from confere.fiscal.reading.nfe.nfe_transport import transport_of
from confere.fiscal.reading.unread_fields import Rest, left_of, under
from confere.fiscal.reading.xml_leaves import leaves

_PARTIES: Final = {"emit": "emitter", "dest": "recipient", "entrega": "delivery", "retirada": "pickup"}
_ONCE: Final = frozenset({"ide", "total", "transp", "cobr", "infAdic", *_PARTIES})
_REMARKS: Final = ("obsCont", "obsFisco")


def detail_of(note: _Element, body: _Element, parties: Sequence[Party], items: Sequence[Item]) -> NoteDetail:
    """The detail of the note `note`, whose `infNFe` is `body`; `parties` and `items` are what was read of it already.

    The carrier is in the transport, not among the parties.
    """
    rest = Rest()
    groups: dict[str, _Element] = {}
    payments: list[_Element] = []
    full_items: list[FullItem] = []
    for section in body:
        name = LOCAL[section.tag]
        if name == "det":
            full_items.append(full_item(section, items[len(full_items)]))
        elif name == "pag":
            payments.append(section)
        elif name in _ONCE:
            if name in groups:  # of several the last one is read, as everywhere
                rest.keep_group(groups[name])
            groups[name] = section
        elif name:
            rest.keep_group(section)
    for beside in note:
        if LOCAL[beside.tag] not in ("infNFe", "Signature", ""):
            rest.keep_group(beside)  # infNFeSupl

    known = {party.role: party for party in parties}
    ide = texts(groups.get("ide"))
    paid, change = payments_of(payments, rest)
    transport, billing = groups.get("transp"), groups.get("cobr")
    return NoteDetail(
        left_at=ide.get("dhSaiEnt") or ide.get("dSaiEnt"),
        emission_type=ide.get("tpEmis"),
        final_consumer=ide.get("indFinal"),
        presence=ide.get("indPres"),
        identification=leaves(groups["ide"]) if "ide" in groups else (),
        parties=tuple(_parties(groups, known, rest)),
        items=tuple(full_items),
        totals=tuple(_totals(groups.get("total"))),
        transport=transport_of(transport, known.get("carrier"), rest) if transport is not None else None,
        billing=billing_of(billing, rest) if billing is not None else None,
        payments=paid,
        change_cents=change,
        words=_words(groups.get("infAdic")),
        sections=(*rest.sections, *((("infNFe", odd),) if (odd := rest.take_odd()) else ())),
    )


def _parties(groups: dict[str, _Element], known: dict[str, Party], rest: Rest) -> Iterator[FullParty]:
    for name, role in _PARTIES.items():
        if name in groups:
            full, left = full_party(known[role], groups[name])
            rest.keep(name, left)
            yield full


def _totals(section: _Element | None) -> Iterator[tuple[str, Fields]]:
    """Each group of `total`, then the totals that stand beside them."""
    beside: list[tuple[str, str]] = []
    for part in section if section is not None else ():
        if len(part):
            yield LOCAL[part.tag], leaves(part)
        else:
            beside += leaves(part)
    if beside:
        yield "total", tuple(beside)


def _words(section: _Element | None) -> Words:
    if section is None:
        return Words()
    get = texts(section)
    remarks: list[Remark] = []
    left = [left_of(section, get, ("infCpl", "infAdFisco"), skip=_REMARKS)]
    for entry in section.iterchildren(*(f"{{*}}{name}" for name in _REMARKS)):
        text = child(entry, "xTexto")
        remarks.append(
            Remark(
                (entry.get("xCampo") or "").strip() or None,
                own_text(text) if text is not None else None,
                LOCAL[entry.tag] == "obsFisco",
            )
        )
        name = entry.get("xCampo") or ""
        others = left_of(entry, {"@xCampo": name.strip(), **texts(entry)}, ("@xCampo", "xTexto"))
        left.append(under(LOCAL[entry.tag], others))
    return Words(
        get.get("infCpl"), get.get("infAdFisco"), tuple(remarks), tuple(entry for fields in left for entry in fields)
    )
