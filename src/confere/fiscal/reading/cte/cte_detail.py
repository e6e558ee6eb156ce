"""Everything a CT-e, a simplified CT-e or a CT-e OS says, for whoever opens it: layouts 1.03 to 4.00.

What has no field of its own stays under the name of its group, so that a layout yet to come loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import (
    Cargo,
    CarriedDocument,
    Component,
    Fields,
    FreightDetail,
    FullParty,
    Insurance,
    Remark,
    ServicePlace,
    Tax,
    Words,
)
from confere.fiscal.document_parts import Party, Warning
from confere.fiscal.reading.amounts import cents
from confere.fiscal.reading.cte.cte_cargo import DOCUMENTS, cargo_of, carried_in, insurance_of
from confere.fiscal.reading.cte.cte_parties import as_taker, full_party
from confere.fiscal.reading.cte.cte_taxes import TAX_TAGS, reform_total, taxes_of
from confere.fiscal.reading.elements import LOCAL, child, own_text, texts
from confere.fiscal.reading.unread_fields import as_written, left_of, under
from confere.fiscal.reading.xml_leaves import attributes, leaves

_PARTIES: Final = {
    "emit": "emitter",
    "rem": "sender",
    "exped": "dispatcher",
    "receb": "receiver",
    "dest": "recipient",
    "toma": "taker",
}
_MODALS: Final = frozenset({"rodo", "rodoOS", "aereo", "aquav", "ferrov", "duto", "multimodal"})
# Groups of which a CT-e has one: of several the last is read, as everywhere, and the others are kept.
_SINGLE: Final = frozenset({"ide", "vPrest", "imp", "total", *_PARTIES})
# Read whole into fields, `legs` and the like; of all other groups what is left goes into `sections`.
_TAKEN: Final = frozenset({"ide", "compl", "det", "infCarga", "infModal", "seg", "infCTeNorm", "", *_PARTIES})
_TAKEN_IN_NORMAL: Final = _MODALS | {
    "infCarga",
    "infServico",
    "infDoc",
    "docAnt",
    "infServVinc",
    "infModal",
    "seg",
    "infDocRef",
    "",
}
_PRICE_TAGS: Final = ("vTPrest", "vRec")
_COMPONENT_TAGS: Final = ("xNome", "vComp")
_TAX_WORDS: Final = ("vTotTrib", "infAdFisco")


def detail_of(
    freight: _Element, body: _Element, parties: Sequence[Party], taker: _Element | None, role: str | None
) -> FreightDetail:
    """The detail of the CT-e `freight`, whose `infCte` is `body`.

    `parties` are those that `read_cte` found, in their order; `taker` is the group that names who takes the
    service, `role` whom its code means.
    """
    return _Reading(freight, body).detail(parties, taker, role)


class _Reading:
    """One CT-e being read: what has a field goes there, what has none gathers in `sections`."""

    def __init__(self, freight: _Element, body: _Element) -> None:
        self.groups: dict[str, list[_Element]] = {}
        for part in body:
            self.groups.setdefault(LOCAL[part.tag], []).append(part)
        self.normal = [part for group in self.groups.get("infCTeNorm", ()) for part in group]
        self.deliveries = self.groups.get("det", [])  # of a simplified CT-e
        self.beside = [part for part in freight if LOCAL[part.tag] not in ("infCte", "Signature", "")]
        self.sections: list[tuple[str, Fields]] = []
        # Amounts that cannot be read or lose decimals: the document's own warnings tell those of its rows.
        self.odd: list[Warning] = []

    def detail(self, parties: Sequence[Party], taker: _Element | None, role: str | None) -> FreightDetail:
        ide_group = self._one("ide")
        ide = texts(ide_group)
        service = self._service()
        amounts = texts(service)
        roles = {party.role for party in parties}
        return FreightDetail(
            modal=ide.get("modal"),
            service=ide.get("tpServ"),
            emission_type=ide.get("tpEmis"),
            taker_role=role if role in roles else "taker" if "taker" in roles else None,
            origin=self._place(ide, "Ini"),
            destination=self._place(ide, "Fim"),
            identification=leaves(ide_group) if ide_group is not None else (),
            parties=self._full_parties(parties, taker, ide.get("indIEToma")),
            service_cents=cents(amounts.get("vTPrest"), "vTPrest", self.odd),
            receivable_cents=cents(amounts.get("vRec") or amounts.get("vTRec"), "vRec", self.odd),
            components=tuple(self._components(service)),
            taxes=tuple(self._taxes()),
            approximate_taxes_cents=cents(texts(self._one("imp")).get("vTotTrib"), "vTotTrib", self.odd),
            cargo=self._cargo(),
            insurances=tuple(self._insurances()),
            carried=tuple(self._carried()),
            legs=tuple(self._legs()),
            modal_fields=tuple((LOCAL[group.tag], leaves(group)) for group in self._modal_groups()),
            words=self._words(),
            sections=self._all_sections(),  # last: it holds what the others left
        )

    # -- what has fields of its own --------------------------------------------------------------------

    def _one(self, name: str) -> _Element | None:
        return self.groups[name][-1] if name in self.groups else None

    def _named(self, *names: str) -> list[_Element]:
        """Groups of these names beside the parties, as in a simplified CT-e, or in `infCTeNorm`."""
        beside = [part for name in names for part in self.groups.get(name, ())]
        return [*beside, *(part for part in self.normal if LOCAL[part.tag] in names)]

    def _keep(self, group: _Element, left: Fields) -> None:
        if left:
            self.sections.append((LOCAL[group.tag], left))

    def _full_parties(
        self, parties: Sequence[Party], taker: _Element | None, indicator: str | None
    ) -> tuple[FullParty, ...]:
        """The parties of the document, whole, in the same order."""
        known = {party.role: party for party in parties}
        own = self._one("toma")
        full: dict[str, FullParty] = {}
        for name, role in _PARTIES.items():
            group = self._one(name)
            if group is not None and role in known:
                full[role], left = full_party(known[role], group)
                self._keep(group, left)
            elif group is not None:
                self._keep(group, leaves(group))
        if "taker" in known and own is None:
            same = next((party for party in full.values() if _is_same(party.party, known["taker"])), None)
            if same is not None:
                full["taker"] = as_taker(same, indicator)
            elif taker is not None:  # `toma4`, which `identification` holds to its last leaf
                full["taker"] = as_taker(full_party(known["taker"], taker)[0], indicator)
        return tuple(full.get(party.role, FullParty(party)) for party in parties)

    def _service(self) -> _Element | None:
        """Where the price stands: `vPrest`, `total` of a simplified CT-e, `vPresComp` of an early complement."""
        complement = self._one("infCteComp")
        early = child(complement, "vPresComp") if complement is not None else None
        return next((group for group in (self._one("vPrest"), self._one("total"), early) if group is not None), None)

    def _components(self, service: _Element | None) -> Iterator[Component]:
        complements = self.groups.get("infCteComp", ())
        early = [part for group in complements for part in group.iterchildren("{*}vPresComp")]
        groups = [*([service] if service is not None and service not in early else []), *early, *self.deliveries]
        for group in groups:
            for entry in group.iterchildren("{*}Comp", "{*}compComp"):
                get = texts(entry).get
                yield Component(get("xNome"), cents(get("vComp"), "vComp", self.odd))

    def _taxes(self) -> Iterator[Tax]:
        yield from taxes_of(self._one("imp"), self.odd)
        yield from reform_total(self._one("total"), self.odd)
        for complement in self.groups.get("infCteComp", ()):
            yield from taxes_of(child(complement, "impComp"), self.odd)

    def _cargo(self) -> Cargo | None:
        first: Cargo | None = None
        for group in self._named("infCarga", "infServico"):
            found, left = cargo_of(group, self.odd)
            self._keep(group, left if first is None else leaves(group))
            first = first or found
        return first

    def _insurances(self) -> Iterator[Insurance]:
        for group in self._named("seg"):
            found, left = insurance_of(group, self.odd)
            self._keep(group, left)
            yield found
        for modal in self._modal_groups():
            for group in modal.iterchildren("{*}seg"):  # of a multimodal transport, whose fields hold it whole
                yield insurance_of(group, self.odd)[0]

    def _carried(self) -> Iterator[CarriedDocument]:
        papers = self._named("infDoc")
        normal = self.groups.get("infCTeNorm", ())
        yield from carried_in([*self.groups.get("rem", ()), *papers, *self.deliveries, *normal], self.odd)
        for group in papers:
            self._keep(group, leaves(group, skip=DOCUMENTS))

    def _legs(self) -> Iterator[tuple[str, Fields]]:
        for remarks in self.groups.get("compl", ()):
            for flow in remarks.iterchildren("{*}fluxo"):
                yield "fluxo", leaves(flow)
        for before in self._named("docAnt"):
            for group in before:
                yield LOCAL[group.tag], leaves(group)
        for linked in self._named("infServVinc"):
            yield "infServVinc", leaves(linked)
        for delivery in self.deliveries:
            yield "det", leaves(delivery, skip=DOCUMENTS)

    def _modal_groups(self) -> Iterator[_Element]:
        """Within `infModal` or, in the first layouts, in its place."""
        for group in self._named("infModal"):
            yield from (part for part in group if LOCAL[part.tag])
        yield from (part for part in self.normal if LOCAL[part.tag] in _MODALS)

    def _words(self) -> Words:
        remarks: list[Remark] = []
        left: list[tuple[str, str]] = []
        said: str | None = None
        for group in self.groups.get("compl", ()):
            said = said or texts(group).get("xObs")
            for entry in group.iterchildren("{*}ObsCont", "{*}ObsFisco"):
                value = child(entry, "xTexto")
                written = own_text(value) if value is not None else None
                remarks.append(Remark(entry.get("xCampo"), written, LOCAL[entry.tag] == "ObsFisco"))
                told = {("@xCampo", (entry.get("xCampo") or "").strip()), ("xTexto", written)}
                self._keep(entry, tuple(one for one in leaves(entry) if one not in told))
            others = leaves(group, skip=("ObsCont", "ObsFisco", "fluxo"))
            left += [entry for entry in others if entry != ("xObs", said)]
        return Words(said, texts(self._one("imp")).get("infAdFisco"), tuple(remarks), tuple(left))

    def _place(self, ide: dict[str, str], end: str) -> ServicePlace:
        """Where the service begins (`Ini`) or ends (`Fim`); a simplified CT-e's where all its deliveries agree."""
        told = {(get(f"cMun{end}"), get(f"xMun{end}")) for get in (texts(group).get for group in self.deliveries)}
        code, name = told.pop() if len(told) == 1 else (None, None)
        return ServicePlace(ide.get(f"cMun{end}") or code, ide.get(f"xMun{end}") or name, ide.get(f"UF{end}"))

    # -- what has none ---------------------------------------------------------------------------------

    def _all_sections(self) -> tuple[tuple[str, Fields], ...]:
        """What the fields left, and each group that has none, in the order of the paper."""
        for name, groups in self.groups.items():
            for group in groups[:-1] if name in _SINGLE else ():
                self._keep(group, leaves(group))
            for group in groups[-1:] if name in _SINGLE else groups:
                if name not in _TAKEN:
                    self._keep(group, _left_of(name, group))
        for group in self._named("infModal"):
            self._keep(group, attributes(group))
        for group in (*self.normal, *self.beside):
            if LOCAL[group.tag] not in _TAKEN_IN_NORMAL:
                self._keep(group, leaves(group))
        if self.odd:
            self.sections.append(("infCte", as_written(self.odd)))
        return tuple(self.sections)


def _left_of(name: str, group: _Element) -> Fields:
    """What no field holds of a group; of most there is none that holds anything."""
    if name == "imp":
        return left_of(group, texts(group), _TAX_WORDS, skip=TAX_TAGS)
    if name != "vPrest":
        return leaves(group)
    left = left_of(group, texts(group), _PRICE_TAGS, skip=("Comp",))
    for entry in group.iterchildren("{*}Comp"):
        left += under("Comp", left_of(entry, texts(entry), _COMPONENT_TAGS))
    return left


def _is_same(one: Party, other: Party) -> bool:
    return (one.tax_id, one.name, one.state_registration) == (other.tax_id, other.name, other.state_registration)
