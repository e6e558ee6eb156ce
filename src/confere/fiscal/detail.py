"""What a paper says beyond what lists and searches need: the values that `read(data, whole=True)` adds to a document.

Units are those of `confere.fiscal.model`: money in integer centavos (`*_cents`), quantities, rates and weights as
exact `Decimal`, times and days as written. Codes are the layout's own (`tPag`, `modFrete`, CST …); their words are
in `confere.fiscal.law.codes`. What has no field of its own stands in `fields`: tag paths with their texts, in the order
of the paper, so that nothing the emitter wrote is lost to whoever opens the document.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from confere.fiscal.document_parts import Item, Party, Reference

Fields = tuple[tuple[str, str], ...]
"""`(path, text)` of leaves, as `("gIBSCBS/gIBSUF/vIBSUF", "1.00")`, relative to the group that holds them."""


@dataclass(frozen=True, slots=True)
class Address:
    """`enderEmit`, `enderDest`, `enderToma` … `city_code` is the IBGE's seven digits."""

    street: str | None = None
    number: str | None = None
    complement: str | None = None
    district: str | None = None
    city_code: str | None = None
    city: str | None = None
    uf: str | None = None
    postal_code: str | None = None
    country_code: str | None = None
    country: str | None = None
    phone: str | None = None


@dataclass(frozen=True, slots=True)
class FullParty:
    """A party with all that the paper says of it."""

    party: Party
    address: Address | None = None
    trade_name: str | None = None  # xFant
    email: str | None = None
    tax_regime: str | None = None  # CRT
    registration_indicator: str | None = None  # indIEDest
    substitute_registration: str | None = None  # IEST
    municipal_registration: str | None = None  # IM
    cnae: str | None = None
    suframa: str | None = None  # ISUF


@dataclass(frozen=True, slots=True)
class Tax:
    """One tax of an item, or of a CT-e.

    `name` is the tax: ICMS, ICMSUFDest, IPI, II, PIS, PISST, COFINS, COFINSST, ISSQN, IS, IBSCBS … as its tag under
    `imposto` (`imp`); `group` the variant it is written in (ICMS00, ICMSSN102, IPITrib), or `name` again. `cst` is
    CST or CSOSN, `origin` the goods' (`orig`). `base`, `rate`, `amount` are the tax's own (vBC, pICMS, vICMS; for
    IBSCBS vBC, no rate, vIBS + vCBS); the substitution's, the FCP's and all others are in `fields`, all of which
    are as written.
    """

    name: str
    group: str
    cst: str | None
    origin: str | None
    base_cents: int | None
    rate: Decimal | None
    amount_cents: int | None
    fields: Fields


@dataclass(frozen=True, slots=True)
class FullItem:
    """An item with everything under its `det`."""

    item: Item
    cest: str | None = None
    benefit_code: str | None = None  # cBenef
    taxed_ean: str | None = None  # cEANTrib
    taxed_unit: str | None = None  # uTrib
    taxed_quantity: Decimal | None = None
    taxed_unit_price: Decimal | None = None
    freight_cents: int | None = None
    insurance_cents: int | None = None
    discount_cents: int | None = None
    other_cents: int | None = None
    counts_in_total: bool = True  # indTot
    order: str | None = None  # xPed
    order_item: str | None = None  # nItemPed
    approximate_taxes_cents: int | None = None  # vTotTrib
    total_with_reform_cents: int | None = None  # vItem
    words: str | None = None  # infAdProd
    taxes: tuple[Tax, ...] = ()
    references: tuple[Reference, ...] = ()
    fields: Fields = ()  # rastro, med, comb, veicProd, DI, detExport, impostoDevol …

    def tax(self, name: str) -> Tax | None:
        """The tax called `name`."""
        return next((tax for tax in self.taxes if tax.name == name), None)


@dataclass(frozen=True, slots=True)
class Volume:
    """`vol`: what the carrier takes. Weights in kilograms."""

    quantity: Decimal | None
    kind: str | None  # esp
    brand: str | None
    numbering: str | None
    net_weight: Decimal | None
    gross_weight: Decimal | None
    seals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transport:
    """`transp`. `mode` is modFrete; `plates` are the vehicle's and its trailers'."""

    mode: str | None
    carrier: FullParty | None = None
    plates: tuple[str, ...] = ()
    volumes: tuple[Volume, ...] = ()
    fields: Fields = ()  # retTransp, vehicle details, vagao, balsa


@dataclass(frozen=True, slots=True)
class Payment:
    """`detPag`. `method` is tPag, `timing` indPag (0 at sight, 1 on term)."""

    method: str | None
    amount_cents: int | None
    timing: str | None = None
    words: str | None = None  # xPag
    fields: Fields = ()  # card, and who received it


@dataclass(frozen=True, slots=True)
class Instalment:
    """`dup`. `due_on` is a day as written."""

    number: str | None
    due_on: str | None
    amount_cents: int | None


@dataclass(frozen=True, slots=True)
class Billing:
    """`cobr`: the bill (`fat`) and its instalments."""

    number: str | None = None
    original_cents: int | None = None
    discount_cents: int | None = None
    net_cents: int | None = None
    instalments: tuple[Instalment, ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """`obsCont`, `obsFisco`: a field that emitter or carrier named; `for_authority` tells which of the two."""

    name: str | None
    text: str | None
    for_authority: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """`infAdic`, `compl`: what the document says in words."""

    for_taxpayer: str | None = None  # infCpl, xObs
    for_authority: str | None = None  # infAdFisco
    remarks: tuple[Remark, ...] = ()
    fields: Fields = ()  # procRef, xCaracAd, fluxo, Entrega …


@dataclass(frozen=True, slots=True)
class NoteDetail:
    """All of an NF-e or NFC-e."""

    left_at: str | None  # dhSaiEnt, dSaiEnt
    emission_type: str | None  # tpEmis
    final_consumer: str | None  # indFinal
    presence: str | None  # indPres
    identification: Fields  # ide, whole
    parties: tuple[FullParty, ...]  # emitter, recipient, delivery, pickup; the carrier is the transport's
    items: tuple[FullItem, ...]
    totals: tuple[tuple[str, Fields], ...]  # ICMSTot, ISSQNtot, retTrib, ISTot, IBSCBSTot, and total itself
    transport: Transport | None
    billing: Billing | None
    payments: tuple[Payment, ...]
    change_cents: int | None  # vTroco
    words: Words
    sections: tuple[tuple[str, Fields], ...]  # infIntermed, exporta, compra, cana, infRespTec, autXML, infNFeSupl …


@dataclass(frozen=True, slots=True)
class Component:
    """`Comp`: a part of the freight's price."""

    name: str | None
    amount_cents: int | None


@dataclass(frozen=True, slots=True)
class CargoMeasure:
    """`infQ`: how much cargo. `unit` is cUnid (00 m³, 01 kg, 02 t, 03 units, 04 litres, 05 MMBTU)."""

    unit: str | None
    kind: str | None  # tpMed
    quantity: Decimal | None


@dataclass(frozen=True, slots=True)
class Cargo:
    """`infCarga`."""

    value_cents: int | None = None  # vCarga, vMerc
    product: str | None = None  # proPred
    words: str | None = None  # xOutCat
    insured_value_cents: int | None = None  # vCargaAverb
    measures: tuple[CargoMeasure, ...] = ()


@dataclass(frozen=True, slots=True)
class Insurance:
    """`seg`, as layouts to 2.00 and the CT-e OS have it. `payer` is respSeg."""

    payer: str | None = None
    insurer: str | None = None
    policy: str | None = None
    endorsement: str | None = None
    value_cents: int | None = None


@dataclass(frozen=True, slots=True)
class CarriedDocument:
    """A document of the cargo: an NF-e by key, a paper note by number, another document by its words.

    `kind` is the tag it stands in: infNFe, infNF, infOutros, infDCe, infNFeTranspParcial, det.
    """

    kind: str
    access_key: str | None = None
    number: str | None = None
    value_cents: int | None = None
    expected_on: str | None = None  # dPrev
    fields: Fields = ()


@dataclass(frozen=True, slots=True)
class ServicePlace:
    """Where a service begins or ends."""

    city_code: str | None = None
    city: str | None = None
    uf: str | None = None


@dataclass(frozen=True, slots=True)
class FreightDetail:
    """All of a CT-e, a simplified CT-e or a CT-e OS."""

    modal: str | None  # 01 road, 02 air, 03 water, 04 rail, 05 pipeline, 06 several
    service: str | None  # tpServ
    emission_type: str | None  # tpEmis
    taker_role: str | None  # who of the parties takes it: sender, dispatcher, receiver, recipient; taker for another
    origin: ServicePlace
    destination: ServicePlace
    identification: Fields  # ide, whole
    parties: tuple[FullParty, ...]
    service_cents: int | None  # vTPrest
    receivable_cents: int | None  # vRec
    components: tuple[Component, ...]
    taxes: tuple[Tax, ...]
    approximate_taxes_cents: int | None  # vTotTrib
    cargo: Cargo | None
    insurances: tuple[Insurance, ...]
    carried: tuple[CarriedDocument, ...]
    legs: tuple[tuple[str, Fields], ...]  # fluxo/pass, docAnt's carriers, infServVinc, deliveries of a simplified CT-e
    modal_fields: tuple[tuple[str, Fields], ...]  # rodo, aereo, aquav, ferrov, duto, multimodal, rodoOS
    words: Words
    sections: tuple[tuple[str, Fields], ...]  # cobr, infCteSub, infCteComp, autXML, infRespTec, infCTeSupl …

    def tax(self, name: str) -> Tax | None:
        """The tax called `name`."""
        return next((tax for tax in self.taxes if tax.name == name), None)


@dataclass(frozen=True, slots=True)
class Withheld:
    """What the taker keeps back of a service's price. `name` is its tag: vRetCP (INSS), vRetIRRF, vRetCSLL."""

    name: str
    amount_cents: int


@dataclass(frozen=True, slots=True)
class Service:
    """What a national NFS-e charges for, and its taxes. Codes are the layout's own.

    `iss_withheld_by` is tpRetISSQN: 1 nobody, 2 the taker, 3 the intermediary. `withheld` are taxes of the nation;
    whether PIS and COFINS are withheld as well says `pis_cofins_withheld`.
    """

    code: str | None  # cTribNac
    city_code: str | None  # cTribMun
    nbs: str | None  # cNBS
    name: str | None  # xTribNac
    description: str | None  # xDescServ
    place: str | None  # xLocPrestacao
    competence: str | None  # dCompet
    price_cents: int | None  # vServ
    discount_cents: int | None  # vDescIncond
    iss_base_cents: int | None
    iss_rate: Decimal | None  # per cent
    iss_cents: int | None
    iss_situation: str | None  # tribISSQN
    iss_withheld_by: str | None
    withheld: tuple[Withheld, ...]
    pis_cents: int | None
    cofins_cents: int | None
    pis_cofins_withheld: str | None  # tpRetPisCofins
    withheld_cents: int | None  # vTotalRet
    net_cents: int | None  # vLiq
    ibs_cents: int | None
    cbs_cents: int | None


@dataclass(frozen=True, slots=True)
class HeadDetail:
    """All of a document whose head alone is read (NFS-e, NFCom, NF3e, BP-e, GTV-e, DC-e, CF-e, MDF-e).

    `sections` are its groups, whole, as fields.
    """

    identification: Fields
    parties: tuple[FullParty, ...]
    service: Service | None  # of an NFS-e
    sections: tuple[tuple[str, Fields], ...]


Detail = NoteDetail | FreightDetail | HeadDetail
