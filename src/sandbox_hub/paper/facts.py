"""The plain facts from which the mill makes paper: who, what, when, how much; no XML, no tax arithmetic.

Units: money is an integer number of centavos (`*_cents`), quantities and weights are `Decimal`, times are
aware datetimes (their offset is written as given). Tax ids carry no mask: 14 characters (CNPJ, letters allowed
since July 2026) or 11 digits (CPF). Nothing here is checked against the law: the world decides, the mill writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

__all__ = [
    "NATIONAL",
    "UNIT",
    "Address",
    "Correction",
    "EventFacts",
    "FreightFacts",
    "Intermediary",
    "NoteFacts",
    "SaleItem",
    "Taxpayer",
    "VoidingFacts",
]


UNIT = "UN"  # in which all goods of the world are sold
NATIONAL = 0  # `orig` of all goods of the world


@dataclass(frozen=True, slots=True)
class Address:
    """Where a taxpayer is. `city_code` is IBGE's 7 digits, whose first two are the state's code (cUF)."""

    street: str
    number: str
    district: str
    city_code: str
    city: str
    uf: str
    postal_code: str  # 8 digits
    complement: str | None = None
    phone: str | None = None  # 6 to 14 digits

    @property
    def uf_code(self) -> str:
        """IBGE code of the state, two digits."""
        return self.city_code[:2]


@dataclass(frozen=True, slots=True)
class Taxpayer:
    """A company (CNPJ, 14 characters) or a person (CPF, 11 digits)."""

    tax_id: str
    name: str
    address: Address
    state_registration: str | None = None  # IE; None: not a contributor of ICMS
    crt: int = 3  # an emitter's: 1 Simples Nacional, 2 Simples above the sublimit, 3 normal, 4 MEI
    trade_name: str | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class Intermediary:
    """The marketplace that brokered a sale (`infIntermed`): its CNPJ and the seller's name in it."""

    tax_id: str
    seller_id: str


@dataclass(frozen=True, slots=True)
class SaleItem:
    """One line of a note. vProd is `quantity` × `unit_price_cents`, rounded half up."""

    code: str
    description: str
    ncm: str  # 8 digits
    cfop: str  # 4 digits
    quantity: Decimal  # at most 4 decimals
    unit_price_cents: int
    ean: str | None = None  # GTIN; None writes SEM GTIN
    unit: str = UNIT
    discount_cents: int = 0
    freight_cents: int = 0
    insurance_cents: int = 0
    other_cents: int = 0
    origin: int = NATIONAL  # `orig`: 0 national; 1, 2, 3, 8 make the rate between states 4%
    cest: str | None = None  # 7 digits
    icms: str | None = None  # CST or CSOSN; None: the mill chooses by CFOP and the emitter's regime
    ipi_percent: Decimal | None = None  # None: the line has no IPI group
    referenced: tuple[str, int] | None = None  # DFeReferenciado: key and nItem of the item that it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredFacts:
    """What was sent to an authority, and what it answered."""

    protocol: str  # nProt, 15 digits
    received_at: datetime  # dhRecbto, dhRegEvento


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts(AnsweredFacts):
    """A document that has a number."""

    series: int
    number: int
    code: str  # cNF or cCT, 8 digits, not equal to the number
    issued_at: datetime
    emitter: Taxpayer
    external_id: str | None = None  # infAdic/obsCont or compl/ObsCont[@xCampo="external_id"]
    notes: str | None = None  # infCpl or xObs
    status: str = "100"  # cStat of the protocol: 100, 150; 110, 301, 302 denied


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFacts(DocumentFacts):
    """An NF-e (model 55) or NFC-e (model 65), authorized when `status` is 100 or 150.

    `discount_cents`, `freight_cents`, `insurance_cents` and `other_cents` of the note are apportioned to the
    lines by value, to the centavo, on top of what the lines carry themselves.
    """

    operation: str  # natOp
    recipient: Taxpayer | None  # None only on model 65
    items: tuple[SaleItem, ...]  # 1 to 990
    model: str = "55"
    purpose: int = 1  # finNFe: 1 normal, 2 complementary, 3 adjustment, 4 return, 5 credit note, 6 debit note
    adjustment_type: str = ""  # tpNFCredito of a credit note, tpNFDebito of a debit note
    direction: int = 1  # tpNF: 0 in, 1 out
    destination: int | None = None  # idDest: 1 same state, 2 other state, 3 abroad; None: from the two states
    left_at: datetime | None = None  # dhSaiEnt (model 55)
    discount_cents: int = 0
    freight_cents: int = 0
    insurance_cents: int = 0
    other_cents: int = 0
    freight_mode: int = 9  # modFrete: 0 by emitter, 1 by recipient, 2 by a third party, 9 none
    carrier: Taxpayer | None = None
    packages: int | None = None  # qVol
    gross_weight: Decimal | None = None  # kg
    net_weight: Decimal | None = None  # kg
    payment: str = "90"  # tPag: 01 cash, 03 credit card, 15 boleto, 17 PIX, 90 none, 99 other
    final_consumer: bool = True  # indFinal
    presence: int = 2  # indPres: 0 does not apply, 1 in person, 2 internet
    intermediary: Intermediary | None = None
    references: tuple[str, ...] = ()  # keys for NFref/refNFe
    prepayments: tuple[str, ...] = ()  # keys for gPagAntecipado/refNFe
    freight_references: tuple[str, ...] = ()  # keys for NFref/refCTe
    order_code: str | None = None  # xPed of every line, at most 15 characters
    miscounted_cents: int = 0  # by how much the total of the goods (vProd) is more than its lines
    signer: Taxpayer | None = None  # whose certificate signs; None: the emitter's
    tampered: bool = False  # something in it was changed after it was signed


@dataclass(frozen=True, slots=True, kw_only=True)
class FreightFacts(DocumentFacts):
    """A CT-e 4.00 (model 57, road). `emitter` is the carrier; the taker is found by `taker_role`."""

    sender: Taxpayer
    recipient: Taxpayer
    value_cents: int  # vTPrest
    goods_value_cents: int  # vCarga
    weight: Decimal  # kg
    carried: tuple[str, ...] = ()  # keys of NF-e, infDoc/infNFe/chave
    cfop: str = "5353"
    operation: str = "PRESTACAO DE SERVICO DE TRANSPORTE"
    taker_role: int = 0  # toma: 0 sender, 1 dispatcher, 2 receiver, 3 recipient, 4 another (`taker`)
    taker: Taxpayer | None = None
    dispatcher: Taxpayer | None = None  # exped
    receiver: Taxpayer | None = None  # receb
    kind: int = 0  # tpCTe: 0 normal, 1 complement of values, 2 annulment (layout 3.00), 3 substitution
    complements: tuple[str, ...] = ()  # keys for infCteComp/chCTe (kind 1, which carries no goods)
    replaces: str | None = None  # key for infCteSub/chCte (kind 3)
    annuls: str | None = None  # key for infCteAnu/chCte (kind 2, which carries no goods)
    previous: tuple[str, ...] = ()  # keys for docAnt/…/idDocAntEle/chCTe
    previous_carrier: Taxpayer | None = None  # who issued those; None: the emitter itself
    product: str = "MERCADORIAS EM GERAL"
    rntrc: str = "00000001"  # 8 digits


@dataclass(frozen=True, slots=True)
class Correction:
    """One line of a CT-e's correction letter (`infCorrecao`)."""

    group: str
    field: str
    value: str
    item: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFacts(AnsweredFacts):
    """Something that happened to a document, signed by its author and registered when `status` says so.

    `code` for models 55 and 65: 110110, 110111, 110112, 110192, 210200, 210210, 210220, 210240; for model 57:
    110110, 110111, 110190, 610110, 610111.
    """

    target: str  # access key
    code: str  # tpEvento
    occurred_at: datetime
    author: Taxpayer
    model: str = "55"
    sequence: int = 1
    text: str | None = None  # justification, correction or remark
    target_protocol: str | None = None  # nProt of the document (cancellations), of the event undone (610111)
    replacement: str | None = None  # chNFeRef, the note issued instead (110112)
    corrections: tuple[Correction, ...] = ()  # model 57, 110110
    status: str = "135"  # 135, 136, 155 registered; anything else is a refusal
    recipient: Taxpayer | None = None  # the document's recipient, echoed by retEvento


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidingFacts(AnsweredFacts):
    """A range of numbers of one series and year declared unused; cStat 102."""

    emitter: Taxpayer
    year: int  # 2026, written in two digits
    series: int
    first: int
    last: int
    reason: str  # 15 to 255 characters
    model: str = "55"
