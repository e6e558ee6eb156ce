"""Facts for the paper mill's tests: one case for every kind of document and event, with awkward text in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from sandbox_hub.paper.document_factory import Authority, access_key, event_xml, freight_xml, note_xml, voiding_xml
from sandbox_hub.paper.facts import (
    Address,
    Correction,
    EventFacts,
    FreightFacts,
    Intermediary,
    NoteFacts,
    SaleItem,
    Taxpayer,
    VoidingFacts,
)

BRASILIA = timezone(timedelta(hours=-3))
MANAUS = timezone(timedelta(hours=-4))
LATE_2025 = datetime(2025, 11, 20, 10, 15, 0, tzinfo=BRASILIA)
IN_2026 = datetime(2026, 3, 31, 22, 59, 59, tzinfo=MANAUS)
PROTOCOL = "135260000000123"

CAMPINAS = Address(
    street="Rua José Paulino",
    number="1234",
    district="Centro",
    city_code="3509502",
    city="Campinas",
    uf="SP",
    postal_code="13013001",
    complement="Galpão 3 <fundos> & doca",
    phone="1933334444",
)
SALVADOR = Address("Avenida Sete de Setembro", "s/n", "Barra", "2927408", "Salvador", "BA", "40140110")
RIO = Address("Praia do Flamengo", "200", "Flamengo", "3304557", "Rio de Janeiro", "RJ", "22210030")
CURITIBA = Address("Rua XV de Novembro", "10", "Centro", "4106902", "Curitiba", "PR", "80020310")

NORMAL = Taxpayer("11222333000181", "Araújo & Irmãos Comércio Ltda", CAMPINAS, "110042490114", 3, "Araújo's", "a@b.br")
LETTERS = Taxpayer("12ABC34501DE35", "Ñandu <Moda> São José S/A", CAMPINAS, "110042490200", 3)
SIMPLES = Taxpayer("11444777000161", "Ateliê da Dona Cê ME", CURITIBA, "9012345678", 1)
CARRIER = Taxpayer("60746948000112", "Transportes Ligeirinho & Cia Ltda", RIO, "85012345", 3)
SIMPLES_CARRIER = replace(SIMPLES, name="Fretes do Zé ME", tax_id="19131243000197")
BUYER = Taxpayer("52998224725", 'João D\'Ávila "Zé" & Filhos', SALVADOR, email="joao@exemplo.com.br")
NEIGHBOUR = Taxpayer("11144477735", "Maria da Conceição", replace(CAMPINAS, complement=None))
SHOP = Taxpayer("33000167000101", "Loja do Recôncavo Ltda", SALVADOR, "12345678")
RESIDENT = Taxpayer("16899535009", "Ana Lúcia — Copacabana", RIO)

SHIRT = SaleItem(
    code="CAM-01&A",
    description="Camiseta <básica> algodão & elastano 5' 6\"",
    ncm="61091000",
    cfop="5102",
    quantity=Decimal("2"),
    unit_price_cents=3990,
    ean="7891000315507",
)
TEA = SaleItem("CHÁ/250", "Chá-mate à granel", "09030090", "5102", Decimal("0.3335"), 4567, unit="KG")
LAMP = SaleItem("L7", "Luminária", "94051190", "5102", Decimal(1), 12999, origin=1, cest="2104500")


def carried(items: tuple[SaleItem, ...], cfop: str) -> tuple[SaleItem, ...]:
    """The same items under another CFOP."""
    return tuple(replace(item, cfop=cfop) for item in items)


SALE = NoteFacts(
    series=1,
    number=4711,
    code="10203040",
    issued_at=IN_2026,
    operation="Venda de mercadoria adquirida de terceiros",
    emitter=NORMAL,
    recipient=BUYER,
    items=carried((SHIRT, TEA, LAMP), "6108"),
    protocol=PROTOCOL,
    received_at=IN_2026 + timedelta(seconds=4),
    left_at=IN_2026 + timedelta(hours=2),
    discount_cents=1001,
    freight_cents=2590,
    insurance_cents=7,
    other_cents=100,
    freight_mode=0,
    carrier=CARRIER,
    packages=1,
    gross_weight=Decimal("1.25"),
    net_weight=Decimal("1.1"),
    payment="17",
    intermediary=Intermediary("03007331000141", "LOJA & CIA"),
    external_id="SALE-sale-1000123-0001",
    order_code="1000123",
    notes='Pedido 1000123 <mercado> & "marketplace"\nsegunda linha – travessão',
)
SALE_KEY = access_key(SALE)

NOTES: dict[str, NoteFacts] = {
    "sale between states, 2026": SALE,
    "sale between states, 2025": replace(SALE, issued_at=LATE_2025, received_at=LATE_2025),
    "sale by a CNPJ with letters": replace(SALE, emitter=LETTERS, intermediary=Intermediary("12ABC34501DE35", "L2")),
    "sale to a CNPJ with letters": replace(
        SALE, recipient=replace(SHOP, tax_id="12ABC34501DE35"), final_consumer=False
    ),
    "sale with the poverty fund": replace(SALE, recipient=RESIDENT),
    "sale inside the state": replace(SALE, recipient=NEIGHBOUR, items=carried((SHIRT,), "5102"), payment="03"),
    "sale with IPI": replace(
        SALE,
        recipient=SHOP,
        final_consumer=False,
        items=(replace(SHIRT, cfop="6101", ipi_percent=Decimal("6.5")), replace(LAMP, cfop="6101")),
        payment="15",
    ),
    "sale under substitution": replace(SALE, recipient=NEIGHBOUR, items=carried((LAMP, SHIRT), "5405")),
    "sale with a reduced base": replace(SALE, items=(replace(SHIRT, cfop="6108", icms="20"),)),
    "sale that is exempt": replace(SALE, items=(replace(TEA, cfop="6108", icms="40"),), payment="99"),
    "sale by the Simples": replace(SALE, emitter=SIMPLES, items=carried((SHIRT, LAMP), "6102")),
    "substitution in the Simples": replace(SALE, emitter=SIMPLES, items=carried((SHIRT, LAMP), "5405")),
    "return": replace(
        SALE,
        purpose=4,
        direction=0,
        operation="Devolução de venda",
        items=carried((SHIRT,), "2202"),
        references=(SALE_KEY,),
        payment="90",
        presence=0,
        intermediary=None,
        external_id="SALE_RETURN-sale_return-1000123-0001",
    ),
    "return in the Simples": replace(
        SALE, emitter=SIMPLES, purpose=4, direction=0, items=carried((SHIRT,), "2202"), references=(SALE_KEY,),
        payment="90", presence=0, intermediary=None,
    ),
    "return by a company": replace(
        SALE, purpose=4, direction=1, emitter=SHOP, recipient=NORMAL, final_consumer=False,
        items=carried((SHIRT,), "6202"), references=(SALE_KEY,), payment="90", presence=0, intermediary=None,
    ),
    "goods sent to the marketplace": replace(
        SALE, operation="Remessa para depósito temporário", recipient=SHOP, final_consumer=False,
        items=carried((SHIRT, TEA), "6949"), payment="90", presence=0, intermediary=None,
    ),
    "goods sent inside the state": replace(
        SALE, recipient=replace(SHOP, address=CAMPINAS), final_consumer=False, items=carried((SHIRT,), "5905"),
        payment="90", presence=0, intermediary=None, freight_mode=9, carrier=None, packages=None, net_weight=None,
    ),
    "symbolic return": replace(
        SALE, operation="Retorno simbólico", direction=0, recipient=SHOP, final_consumer=False,
        items=carried((SHIRT, TEA), "2949"), references=(SALE_KEY,), freight_references=("3" * 44,), payment="90",
        presence=0, intermediary=None, external_id="SALE-symbolic_inbound_return-1000123-0001",
    ),
    "transfer": replace(
        SALE, recipient=replace(NORMAL, tax_id="11222333000262", address=RIO), final_consumer=False,
        items=carried((SHIRT,), "6152"), payment="90", presence=0, intermediary=None,
    ),
    "authorized late": replace(SALE, status="150"),
    "denied": replace(SALE, status="302"),
    "consumer note": replace(
        SALE, model="65", recipient=None, items=carried((SHIRT, LAMP), "5102"), payment="01", presence=1,
        intermediary=None, freight_mode=9, carrier=None, packages=None, gross_weight=None, net_weight=None,
        freight_cents=0,
    ),
    "consumer note with letters": replace(
        SALE, model="65", emitter=LETTERS, recipient=NEIGHBOUR, items=carried((SHIRT,), "5102"), payment="01",
        presence=1, intermediary=None, freight_mode=9, carrier=None, packages=None, gross_weight=None,
        net_weight=None, freight_cents=0,
    ),
}  # fmt: skip

FREIGHT = FreightFacts(
    series=5,
    number=987,
    code="55667788",
    issued_at=IN_2026 + timedelta(hours=1),
    emitter=CARRIER,
    sender=NORMAL,
    recipient=BUYER,
    value_cents=4321,
    goods_value_cents=21334,
    weight=Decimal("1.25"),
    protocol=PROTOCOL,
    received_at=IN_2026 + timedelta(hours=1, seconds=9),
    carried=(SALE_KEY, access_key(NOTES["sale by a CNPJ with letters"])),
    cfop="6353",
    external_id="SALE-freight-1000123",
    notes="Coleta às 14h; frágil & urgente",
)
FREIGHT_KEY = access_key(FREIGHT)

FREIGHTS: dict[str, FreightFacts] = {
    "freight, 2026": FREIGHT,
    "freight, 2025": replace(FREIGHT, issued_at=LATE_2025, received_at=LATE_2025),
    "freight by the Simples": replace(FREIGHT, emitter=SIMPLES_CARRIER),
    "freight by a CNPJ with letters": replace(FREIGHT, emitter=LETTERS, taker_role=3),
    "freight with every party": replace(
        FREIGHT, taker_role=4, taker=SHOP, dispatcher=SIMPLES, receiver=RESIDENT, previous=(FREIGHT_KEY,),
        previous_carrier=SIMPLES_CARRIER,
    ),
    "freight that carries nothing": replace(FREIGHT, carried=(), external_id=None, notes=None),
    "complement": replace(FREIGHT, kind=1, complements=(FREIGHT_KEY,), value_cents=500),
    "substitution": replace(FREIGHT, kind=3, replaces=FREIGHT_KEY),
}  # fmt: skip

CANCELLATION = EventFacts(
    target=SALE_KEY,
    code="110111",
    occurred_at=IN_2026 + timedelta(days=1),
    author=NORMAL,
    protocol="135260000000999",
    received_at=IN_2026 + timedelta(days=1, seconds=2),
    text="Cliente desistiu da compra & pediu o estorno",
    target_protocol=PROTOCOL,
    recipient=BUYER,
)
_RECIPIENT = replace(CANCELLATION, author=SHOP, text=None, target_protocol=None, recipient=None)
_FREIGHT_EVENT = replace(CANCELLATION, target=FREIGHT_KEY, model="57", author=CARRIER, recipient=None)

EVENTS: dict[str, EventFacts] = {
    "cancellation": CANCELLATION,
    "cancellation out of term": replace(CANCELLATION, status="155"),
    "cancellation refused": replace(CANCELLATION, status="573"),
    "correction letter": replace(
        CANCELLATION, code="110110", sequence=2, text="Onde se lê ACME leia-se Araújo & Irmãos"
    ),
    "cancellation by substitution": replace(CANCELLATION, code="110112", replacement=SALE_KEY),
    "operation confirmed": replace(_RECIPIENT, code="210200"),
    "operation known": replace(_RECIPIENT, code="210210"),
    "operation not known": replace(_RECIPIENT, code="210220", text="Não reconheço esta operação"),
    "operation not done": replace(_RECIPIENT, code="210240", text="Mercadoria devolvida no ato da entrega"),
    "freight cancelled": replace(_FREIGHT_EVENT),
    "freight correction letter": replace(
        _FREIGHT_EVENT,
        code="110110",
        sequence=1,
        corrections=(Correction("ide", "natOp", "Transporte & logística"), Correction("infQ", "qCarga", "9.0", 1)),
    ),
    "disagreement": replace(_FREIGHT_EVENT, code="610110", author=NORMAL, text="Valor do frete diverge do combinado"),
    "disagreement withdrawn": replace(_FREIGHT_EVENT, code="610111", author=NORMAL),
}
LETTERED_EVENTS: dict[str, EventFacts] = {
    name: replace(
        facts,
        target=access_key(FREIGHTS["freight by a CNPJ with letters"])
        if facts.model == "57"
        else access_key(NOTES["sale by a CNPJ with letters"]),
        author=LETTERS,
    )
    for name, facts in EVENTS.items()
}

VOIDING = VoidingFacts(
    emitter=NORMAL,
    year=2026,
    series=1,
    first=4712,
    last=4715,
    reason="Salto de numeração após troca de sistema & servidor",
    protocol="135260000000555",
    received_at=IN_2026 + timedelta(days=3),
)


def every_paper(authority: Authority) -> dict[str, bytes]:
    """One file for every case above, by name."""
    papers = {f"note: {name}": note_xml(facts, authority) for name, facts in NOTES.items()}
    papers |= {f"freight: {name}": freight_xml(facts, authority) for name, facts in FREIGHTS.items()}
    papers |= {f"event: {name}": event_xml(facts, authority) for name, facts in EVENTS.items()}
    papers |= {f"lettered event: {name}": event_xml(facts, authority) for name, facts in LETTERED_EVENTS.items()}
    papers["voiding"] = voiding_xml(VOIDING, authority)
    papers["voiding by a CNPJ with letters"] = voiding_xml(replace(VOIDING, emitter=LETTERS), authority)
    return papers


def _protocol(facts: NoteFacts | FreightFacts | EventFacts, uf_code: str) -> str:
    """The number as the state's own authority gives it: its code and the year of the answer."""
    return f"1{uf_code}{facts.received_at.year % 100:02d}{facts.protocol[5:]}"


for _papers in (NOTES, FREIGHTS):
    for _name, _paper in _papers.items():
        _papers[_name] = replace(_paper, protocol=_protocol(_paper, _paper.emitter.address.uf_code))
for _events in (EVENTS, LETTERED_EVENTS):
    for _name, _event in _events.items():
        _events[_name] = replace(_event, protocol=_protocol(_event, _event.target[:2]))
