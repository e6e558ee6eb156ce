"""Events of NF-e, NFC-e and CT-e: what the author signed, and the authority's registration of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sandbox_hub.paper.authority import Authority
from sandbox_hub.paper.facts import EventFacts
from sandbox_hub.paper.signature import sign
from sandbox_hub.paper.text import CTE, HEAD, NFE, SOFTWARE, code, element, moment, tax_id, text

# The law's own words, which the layouts require to the letter (form without accents).
_NOTE_LETTER_TERMS = (
    "A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N, de 15 de dezembro de 1970 "
    "e pode ser utilizada para regularizacao de erro ocorrido na emissao de documento fiscal, desde que o erro "
    "nao esteja relacionado com: I - as variaveis que determinam o valor do imposto tais como: base de calculo, "
    "aliquota, diferenca de preco, quantidade, valor da operacao ou da prestacao; II - a correcao de dados "
    "cadastrais que implique mudanca do remetente ou do destinatario; III - a data de emissao ou de saida."
)
_FREIGHT_LETTER_TERMS = (
    "A Carta de Correcao e disciplinada pelo Art. 58-B do CONVENIO/SINIEF 06/89: Fica permitida a utilizacao de "
    "carta de correcao, para regularizacao de erro ocorrido na emissao de documentos fiscais relativos a "
    "prestacao de servico de transporte, desde que o erro nao esteja relacionado com: I - as variaveis que "
    "determinam o valor do imposto tais como: base de calculo, aliquota, diferenca de preco, quantidade, valor "
    "da prestacao;II - a correcao de dados cadastrais que implique mudanca do emitente, tomador, remetente ou "
    "do destinatario;III - a data de emissao ou de saida."
)
_NATIONAL = "91"  # cOrgao of the national environment, where recipients' manifestations go
_REASONS = {
    "135": "Evento registrado e vinculado a {}",
    "136": "Evento registrado, mas nao vinculado a {}",
    "155": "Cancelamento homologado fora de prazo",
}
_PICTURE = "AAAAAAAAAAAAAAAAAAAAAAAAAAA="  # SHA-1 of the picture of the attempt, which a sandbox has not
_REFUSED = "Rejeicao: Duplicidade de evento"


@dataclass(frozen=True, slots=True)
class _Layout:
    """What differs between an NF-e's event and a CT-e's."""

    name: str  # tail of the element names
    paper: str  # how the authority calls the document
    namespace: str
    version: str
    event: str  # tag of the signed part
    answer: str  # tag of the registration
    key: str  # tag of the access key
    sequence_digits: int  # of the sequence in the event's Id
    event_version: str
    detail_version: str


_NOTE = _Layout(
    name="NFe",
    paper="NF-e",
    namespace=NFE,
    version="1.00",
    event="evento",
    answer="retEvento",
    key="chNFe",
    sequence_digits=2,
    event_version="<verEvento>1.00</verEvento>",
    detail_version='versao="1.00"',
)
_FREIGHT = _Layout(
    name="CTe",
    paper="CT-e",
    namespace=CTE,
    version="4.00",
    event="eventoCTe",
    answer="retEventoCTe",
    key="chCTe",
    sequence_digits=3,
    event_version="",
    detail_version='versaoEvento="4.00"',
)


def event_xml(facts: EventFacts, authority: Authority) -> bytes:
    """`procEventoNFe` or `procEventoCTe`, UTF-8. A code without a layout here is refused with ValueError."""
    layout, kinds = (_FREIGHT, _FREIGHT_EVENTS) if facts.model == "57" else (_NOTE, _NOTE_EVENTS)
    if facts.code not in kinds:
        raise ValueError(f"no layout for event {facts.code} of model {facts.model}")
    description, detail = kinds[facts.code]
    office = _NATIONAL if facts.code.startswith("2102") else facts.target[:2]
    identity = f"ID{facts.code}{code(facts.target)}{facts.sequence:0{layout.sequence_digits}d}"
    content = (
        f"<cOrgao>{office}</cOrgao><tpAmb>2</tpAmb>{tax_id(facts.author)}"
        f"<{layout.key}>{facts.target}</{layout.key}><dhEvento>{moment(facts.occurred_at)}</dhEvento>"
        f"<tpEvento>{facts.code}</tpEvento><nSeqEvento>{facts.sequence}</nSeqEvento>{layout.event_version}"
        f"<detEvento {layout.detail_version}>{detail(facts, description)}</detEvento>"
    )
    signed = sign("infEvento", f'Id="{identity}"', content, identity, layout.namespace, authority.signer(facts.author))
    return (
        f'{HEAD}<procEvento{layout.name} xmlns="{layout.namespace}" versao="{layout.version}">'
        f'<{layout.event} xmlns="{layout.namespace}" versao="{layout.version}">{signed.xml}</{layout.event}>'
        f"{_registration(facts, layout, office, description)}</procEvento{layout.name}>"
    ).encode()


def _registration(facts: EventFacts, layout: _Layout, office: str, description: str) -> str:
    registered = code(facts.status) in _REASONS
    reason = _REASONS.get(facts.status, _REFUSED).format(layout.paper)
    identity = f' Id="ID{code(facts.protocol)}"' if registered else ""
    protocol = f"<nProt>{facts.protocol}</nProt>" if registered else ""
    recipient = tax_id(facts.recipient, "Dest") if facts.recipient and layout is _NOTE else ""
    return (
        f'<{layout.answer} xmlns="{layout.namespace}" versao="{layout.version}"><infEvento{identity}>'
        f"<tpAmb>2</tpAmb><verAplic>{SOFTWARE}</verAplic><cOrgao>{office}</cOrgao><cStat>{facts.status}</cStat>"
        f"<xMotivo>{reason}</xMotivo><{layout.key}>{facts.target}</{layout.key}>"
        f"<tpEvento>{facts.code}</tpEvento><xEvento>{description}</xEvento>"
        f"<nSeqEvento>{facts.sequence}</nSeqEvento>{recipient}"
        f"<dhRegEvento>{moment(facts.received_at)}</dhRegEvento>{protocol}</infEvento></{layout.answer}>"
    )


# -- what each event says --------------------------------------------------------------------------------


def _needed(facts: EventFacts, field: str, limit: int) -> str:
    value = getattr(facts, field)
    if not value:
        raise ValueError(f"event {facts.code} of {facts.target}: {field} is missing")
    return text(value, limit)


def _described(_: EventFacts, description: str) -> str:
    return f"<descEvento>{description}</descEvento>"


def _refusal(facts: EventFacts, description: str) -> str:
    """210220 and 210240: the recipient's reason."""
    return f"<descEvento>{description}</descEvento>{element('xJust', facts.text, 255)}"


def _cancellation(facts: EventFacts, description: str) -> str:
    return (
        f"<descEvento>{description}</descEvento><nProt>{_needed(facts, 'target_protocol', 17)}</nProt>"
        f"<xJust>{_needed(facts, 'text', 255)}</xJust>"
    )


def _substitution(facts: EventFacts, description: str) -> str:
    """110112: cancelled because another note was issued in its place."""
    return (
        f"<descEvento>{description}</descEvento><cOrgaoAutor>{facts.target[:2]}</cOrgaoAutor><tpAutor>1</tpAutor>"
        f"<verAplic>{SOFTWARE}</verAplic><nProt>{_needed(facts, 'target_protocol', 17)}</nProt>"
        f"<xJust>{_needed(facts, 'text', 255)}</xJust><chNFeRef>{_needed(facts, 'replacement', 44)}</chNFeRef>"
    )


def _note_letter(facts: EventFacts, description: str) -> str:
    return (
        f"<descEvento>{description}</descEvento><xCorrecao>{_needed(facts, 'text', 1000)}</xCorrecao>"
        f"<xCondUso>{_NOTE_LETTER_TERMS}</xCondUso>"
    )


def _freight_cancellation(facts: EventFacts, description: str) -> str:
    return f"<evCancCTe>{_cancellation(facts, description)}</evCancCTe>"


def _freight_letter(facts: EventFacts, description: str) -> str:
    if not facts.corrections:
        raise ValueError(f"event {facts.code} of {facts.target}: corrections are missing")
    corrections = "".join(
        f"<infCorrecao><grupoAlterado>{text(line.group, 20)}</grupoAlterado>"
        f"<campoAlterado>{text(line.field, 20)}</campoAlterado>"
        f"<valorAlterado>{text(line.value, 500)}</valorAlterado>"
        + (f"<nroItemAlterado>{line.item}</nroItemAlterado>" if line.item else "")
        + "</infCorrecao>"
        for line in facts.corrections
    )
    return (
        f"<evCCeCTe><descEvento>{description}</descEvento>{corrections}"
        f"<xCondUso>{_FREIGHT_LETTER_TERMS}</xCondUso></evCCeCTe>"
    )


def _disagreement(facts: EventFacts, description: str) -> str:
    """610110: the taker says that the freight was not done as agreed."""
    return (
        f"<evPrestDesacordo><descEvento>{description}</descEvento><indDesacordoOper>1</indDesacordoOper>"
        f"<xObs>{_needed(facts, 'text', 255)}</xObs></evPrestDesacordo>"
    )


def _agreement(facts: EventFacts, description: str) -> str:
    """610111: the taker withdraws the disagreement."""
    return (
        f"<evCancPrestDesacordo><descEvento>{description}</descEvento>"
        f"<nProtEvPrestDes>{_needed(facts, 'target_protocol', 17)}</nProtEvPrestDes></evCancPrestDesacordo>"
    )


def _failed_delivery(facts: EventFacts, description: str) -> str:
    """110192: the goods of a note could not be handed over; 4 is a reason in words."""
    return (
        f"<descEvento>{description}</descEvento><cOrgaoAutor>{facts.target[:2]}</cOrgaoAutor>"
        f"<verAplic>{SOFTWARE}</verAplic><dhTentativaEntrega>{moment(facts.occurred_at)}</dhTentativaEntrega>"
        f"<nTentativa>1</nTentativa><tpMotivo>4</tpMotivo><xJustMotivo>{_needed(facts, 'text', 250)}</xJustMotivo>"
        f"<hashTentativaEntrega>{_PICTURE}</hashTentativaEntrega>"
    )


def _failed_freight(facts: EventFacts, description: str) -> str:
    """110190: the same, of all that a CT-e carries."""
    return (
        f"<evIECTe><descEvento>{description}</descEvento><nProt>{_needed(facts, 'target_protocol', 17)}</nProt>"
        f"<dhTentativaEntrega>{moment(facts.occurred_at)}</dhTentativaEntrega><tpMotivo>4</tpMotivo>"
        f"<xJustMotivo>{_needed(facts, 'text', 250)}</xJustMotivo></evIECTe>"
    )


_Detail = Callable[[EventFacts, str], str]
_NOTE_EVENTS: dict[str, tuple[str, _Detail]] = {
    "110110": ("Carta de Correcao", _note_letter),
    "110111": ("Cancelamento", _cancellation),
    "110112": ("Cancelamento por substituicao", _substitution),
    "110192": ("Insucesso na Entrega da NF-e", _failed_delivery),
    "210200": ("Confirmacao da Operacao", _described),
    "210210": ("Ciencia da Operacao", _described),
    "210220": ("Desconhecimento da Operacao", _refusal),
    "210240": ("Operacao nao Realizada", _refusal),
}
_FREIGHT_EVENTS: dict[str, tuple[str, _Detail]] = {
    "110110": ("Carta de Correcao", _freight_letter),
    "110111": ("Cancelamento", _freight_cancellation),
    "110190": ("Insucesso na Entrega do CT-e", _failed_freight),
    "610110": ("Prestacao do Servico em Desacordo", _disagreement),
    "610111": ("Cancelamento Prestacao do Servico em Desacordo", _agreement),
}
