"""CT-e in layout 4.00, road: the freight document, its signature, and the authority's protocol around them."""

from __future__ import annotations

from functools import lru_cache

from sandbox_hub.paper import tax_rates
from sandbox_hub.paper.authority import Authority
from sandbox_hub.paper.facts import Address, FreightFacts, Taxpayer
from sandbox_hub.paper.keys import compose
from sandbox_hub.paper.signature import sign
from sandbox_hub.paper.taxes_xml import reform_group
from sandbox_hub.paper.text import (
    CTE,
    HEAD,
    NO_VALUE,
    SOFTWARE,
    code,
    decimal,
    element,
    moment,
    money,
    percent,
    street_to_city,
    tax_id,
    text,
)

REASONS = {
    "100": "Autorizado o uso do CT-e",
    "150": "Autorizado o uso do CT-e com autorizacao fora de prazo",
    "110": "Uso Denegado",
    "301": "Uso Denegado: Irregularidade fiscal do emitente",
    "302": "Uso Denegado: Irregularidade fiscal do remetente",
}
_CONSULT = "https://sandbox.confere.invalid/cte/qrCode"
_COMPLEMENT, _ANNULMENT = 1, 2


def freight_xml(facts: FreightFacts, authority: Authority) -> bytes:
    """`cteProc`, UTF-8."""
    key = freight_key(facts)
    content = (
        f"{_identification(facts, key)}{_remarks(facts)}{_emitter(facts.emitter)}"
        f"{_party('rem', 'enderReme', facts.sender)}"
        + (_party("exped", "enderExped", facts.dispatcher) if facts.dispatcher else "")
        + (_party("receb", "enderReceb", facts.receiver) if facts.receiver else "")
        + f"{_party('dest', 'enderDest', facts.recipient)}{_service(facts)}{_taxes(facts)}{_goods(facts)}"
    )
    # Annulments went out with layout 3.00.
    version = "3.00" if facts.kind == _ANNULMENT else "4.00"
    signed = sign(
        "infCte", f'Id="CTe{key}" versao="{version}"', content, f"CTe{key}", CTE, authority.signer(facts.emitter)
    )
    return (
        f'{HEAD}<cteProc xmlns="{CTE}" versao="{version}"><CTe xmlns="{CTE}">{signed.element}'
        f"<infCTeSupl><qrCodCTe>{_CONSULT}?chCTe={key}&amp;tpAmb=2</qrCodCTe></infCTeSupl>{signed.signature}</CTe>"
        f'<protCTe versao="{version}"><infProt Id="CTe{code(facts.protocol)}"><tpAmb>2</tpAmb>'
        f"<verAplic>{SOFTWARE}</verAplic><chCTe>{key}</chCTe><dhRecbto>{moment(facts.received_at)}</dhRecbto>"
        f"<nProt>{facts.protocol}</nProt><digVal>{signed.digest}</digVal><cStat>{facts.status}</cStat>"
        f"<xMotivo>{REASONS[facts.status]}</xMotivo></infProt></protCTe></cteProc>"
    ).encode()


def freight_key(facts: FreightFacts) -> str:
    """The CT-e's access key."""
    return compose(facts.emitter, facts.issued_at, "57", facts.series, facts.number, facts.code)


def _start(facts: FreightFacts) -> Address:
    return (facts.dispatcher or facts.sender).address


def _end(facts: FreightFacts) -> Address:
    return (facts.receiver or facts.recipient).address


def _identification(facts: FreightFacts, key: str) -> str:
    base, start, end = facts.emitter.address, _start(facts), _end(facts)
    # 2: the goods go on from another carrier's document.
    service = 2 if facts.previous and facts.kind not in (_COMPLEMENT, _ANNULMENT) else 0
    return (
        f"<ide><cUF>{base.uf_code}</cUF><cCT>{facts.code}</cCT><CFOP>{code(facts.cfop)}</CFOP>"
        f"<natOp>{text(facts.operation, 60)}</natOp><mod>57</mod><serie>{facts.series}</serie>"
        f"<nCT>{facts.number}</nCT><dhEmi>{moment(facts.issued_at)}</dhEmi><tpImp>1</tpImp><tpEmis>1</tpEmis>"
        f"<cDV>{key[-1]}</cDV><tpAmb>2</tpAmb><tpCTe>{facts.kind}</tpCTe><procEmi>0</procEmi>"
        f"<verProc>{SOFTWARE}</verProc><cMunEnv>{base.city_code}</cMunEnv><xMunEnv>{text(base.city, 60)}</xMunEnv>"
        f"<UFEnv>{base.uf}</UFEnv><modal>01</modal><tpServ>{service}</tpServ>"
        f"<cMunIni>{start.city_code}</cMunIni><xMunIni>{text(start.city, 60)}</xMunIni><UFIni>{start.uf}</UFIni>"
        f"<cMunFim>{end.city_code}</cMunFim><xMunFim>{text(end.city, 60)}</xMunFim><UFFim>{end.uf}</UFFim>"
        f"<retira>1</retira>{_taker(facts)}</ide>"
    )


def _taker(facts: FreightFacts) -> str:
    """Who pays: one of the parties by number, or another one in full."""
    taker = (facts.sender, facts.dispatcher, facts.receiver, facts.recipient, facts.taker)[facts.taker_role]
    if taker is None:
        raise ValueError(f"taker role {facts.taker_role}: this freight has no such party")
    head = f"<indIEToma>{9 if taker.state_registration is None else 1}</indIEToma>"
    if facts.taker_role < 4:
        return f"{head}<toma3><toma>{facts.taker_role}</toma></toma3>"
    return f"{head}<toma4><toma>4</toma>{_who(taker, 'enderToma')}</toma4>"


def _remarks(facts: FreightFacts) -> str:
    external = ""
    if facts.external_id:
        external = f'<ObsCont xCampo="external_id"><xTexto>{text(facts.external_id, 160)}</xTexto></ObsCont>'
    notes = f"{NO_VALUE}. {facts.notes}" if facts.notes else NO_VALUE
    return f"<compl><xObs>{text(notes, 2000)}</xObs>{external}</compl>"


def _place(place: Address) -> str:
    return f"{street_to_city(place)}<CEP>{code(place.postal_code)}</CEP><UF>{code(place.uf)}</UF>"


@lru_cache(maxsize=256)
def _emitter(party: Taxpayer) -> str:
    return (
        f"<emit>{tax_id(party)}{element('IE', party.state_registration, 14)}<xNome>{text(party.name, 60)}</xNome>"
        f"{element('xFant', party.trade_name, 60)}<enderEmit>{_place(party.address)}"
        f"{element('fone', party.address.phone, 14)}</enderEmit><CRT>{party.crt}</CRT></emit>"
    )


@lru_cache(maxsize=4096)
def _party(name: str, address: str, party: Taxpayer) -> str:
    return f"<{name}>{_who(party, address)}</{name}>"


def _who(party: Taxpayer, address: str) -> str:
    return (
        f"{tax_id(party)}{element('IE', party.state_registration, 14)}<xNome>{text(party.name, 60)}</xNome>"
        f"{element('fone', party.address.phone, 14)}"
        f"<{address}>{_place(party.address)}<cPais>1058</cPais><xPais>BRASIL</xPais></{address}>"
        f"{element('email', party.email, 60)}"
    )


def _service(facts: FreightFacts) -> str:
    value = money(facts.value_cents)
    return (
        f"<vPrest><vTPrest>{value}</vTPrest><vRec>{value}</vRec>"
        f"<Comp><xNome>FRETE VALOR</xNome><vComp>{value}</vComp></Comp></vPrest>"
    )


def _taxes(facts: FreightFacts) -> str:
    value = facts.value_cents
    icms = 0
    if facts.emitter.crt in (1, 4):
        group = "<ICMSSN><CST>90</CST><indSN>1</indSN></ICMSSN>"
    else:
        rate = tax_rates.between(_start(facts).uf, _end(facts).uf)
        icms = tax_rates.part(value, rate)
        group = (
            f"<ICMS00><CST>00</CST><vBC>{money(value)}</vBC><pICMS>{percent(rate)}</pICMS>"
            f"<vICMS>{money(icms)}</vICMS></ICMS00>"
        )
    reform = ""
    if facts.issued_at.year >= tax_rates.REFORM_STARTS:
        base = value - icms
        state, city = tax_rates.part(base, tax_rates.IBS_STATE), tax_rates.part(base, tax_rates.IBS_CITY)
        shares = reform_group("000001", base, state, city, tax_rates.part(base, tax_rates.CBS))
        # In 2026 the reform's taxes are shown, not added (technical note 2025.001, rule 360).
        reform = f"{shares}<vTotDFe>{money(value)}</vTotDFe>"
    return f"<imp><ICMS>{group}</ICMS><infAdFisco>{NO_VALUE}</infAdFisco>{reform}</imp>"


def _goods(facts: FreightFacts) -> str:
    if facts.kind == _COMPLEMENT:
        return "".join(f"<infCteComp><chCTe>{code(key)}</chCTe></infCteComp>" for key in facts.complements)
    if facts.kind == _ANNULMENT:
        if facts.annuls is None:
            raise ValueError("an annulment names what it annuls")
        return f"<infCteAnu><chCte>{code(facts.annuls)}</chCte><dEmi>{facts.issued_at:%Y-%m-%d}</dEmi></infCteAnu>"
    carried = "".join(f"<infNFe><chave>{code(key)}</chave></infNFe>" for key in facts.carried)
    before = ""
    if facts.previous:
        carrier = facts.previous_carrier or facts.emitter
        keys = "".join(f"<idDocAntEle><chCTe>{code(key)}</chCTe></idDocAntEle>" for key in facts.previous)
        before = (
            f"<docAnt><emiDocAnt>{tax_id(carrier)}<xNome>{text(carrier.name, 60)}</xNome>"
            f"<idDocAnt>{keys}</idDocAnt></emiDocAnt></docAnt>"
        )
    replaced = f"<infCteSub><chCte>{code(facts.replaces)}</chCte></infCteSub>" if facts.replaces else ""
    return (
        f"<infCTeNorm><infCarga><vCarga>{money(facts.goods_value_cents)}</vCarga>"
        f"<proPred>{text(facts.product, 60)}</proPred><infQ><cUnid>01</cUnid><tpMed>PESO BRUTO</tpMed>"
        f"<qCarga>{decimal(facts.weight, 4)}</qCarga></infQ></infCarga>"
        + (f"<infDoc>{carried}</infDoc>" if carried else "")
        + f'{before}<infModal versaoModal="4.00"><rodo><RNTRC>{code(facts.rntrc)}</RNTRC></rodo></infModal>'
        f"{replaced}</infCTeNorm>"
    )
