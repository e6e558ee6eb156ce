"""Papers with everything on them, for the tests of what the details show in full."""

from __future__ import annotations

from collections.abc import Sequence

from tests.archive.papers import EMITTER, key
from tests.fiscal import made

PERSON = "52998224725"
NAME = "José da Conceição"


def note(number: int, *, carried_by: str = "1", items: int = 1) -> bytes:
    """An authorized sale to a natural person: addresses, taxes, the reform's groups, payment, transport, words."""
    access_key = key(number)
    return made.nfe_proc(
        made.note(
            access_key,
            number=str(number),
            recipient=f"<CPF>{PERSON}</CPF>",
            items=[_item(place) for place in range(1, items + 1)],
            total="110.00",
            in_ide="<indFinal>1</indFinal><indPres>2</indPres>",
            after_totals="<vNFTot>111.00</vNFTot>",
            sections=(
                f"<transp><modFrete>{carried_by}</modFrete><transporta><CNPJ>33014556000196</CNPJ>"
                "<xNome>Transportes Rápidos</xNome></transporta><vol><qVol>2</qVol><esp>CAIXA</esp>"
                "<pesoB>3.500</pesoB></vol></transp>"
                "<cobr><fat><nFat>F-9</nFat><vLiq>110.00</vLiq></fat>"
                "<dup><nDup>001</nDup><dVenc>2026-09-07</dVenc><vDup>110.00</vDup></dup></cobr>"
                "<pag><detPag><indPag>1</indPag><tPag>15</tPag><vPag>110.00</vPag></detPag></pag>"
            ),
            additional=(
                "<infAdic><infCpl>Entregar na portaria</infCpl>"
                '<obsCont xCampo="Vendedor"><xTexto>Maria</xTexto></obsCont></infAdic>'
                f"<infRespTec><CNPJ>{EMITTER}</CNPJ><xContato>Ana Prado</xContato><email>ana@x.example</email>"
                "<fone>1133334444</fone></infRespTec>"
            ),
        ),
        made.protocol(access_key),
    ).encode()


def _item(number: int) -> str:
    tax = (
        "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>108.20</vBC><gIBSUF><pIBSUF>0.10</pIBSUF>"
        "<vIBSUF>0.11</vIBSUF></gIBSUF><vIBS>0.11</vIBS><gCBS><pCBS>0.90</pCBS><vCBS>0.97</vCBS></gCBS></gIBSCBS>"
        "</IBSCBS></imposto><infAdProd>Com alça dourada</infAdProd>"
    )
    made_item = made.item(number, total="110.00", price="55.0000000000", extra="<CEST>1900100</CEST><xPed>P-77</xPed>")
    return made_item.replace("</imposto>", tax)


def correction(number: int, sequence: int, words: str) -> bytes:
    """A registered correction letter."""
    access_key = key(number)
    detail = f"<descEvento>Carta de Correcao</descEvento><xCorrecao>{words}</xCorrecao><xCondUso>A CCe</xCondUso>"
    return (
        '<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00">'
        f"{made.event(access_key, code='110110', sequence=sequence, detail=detail)}"
        f"{made.event_answer(access_key, code='110110', sequence=sequence)}</procEventoNFe>"
    ).encode()


def freight(carried: Sequence[str]) -> bytes:
    """An authorized CT-e with a price in two parts, cargo and these notes."""
    access_key = made.cte_key()
    return made.cte_proc(
        made.freight(
            access_key,
            documents=carried,
            service=(
                "<vPrest><vTPrest>25.90</vTPrest><vRec>25.90</vRec><Comp><xNome>FRETE PESO</xNome><vComp>20.90</vComp>"
                "</Comp><Comp><xNome>PEDAGIO</xNome><vComp>5.00</vComp></Comp></vPrest>"
            ),
            normal=(
                "<infCarga><vCarga>110.00</vCarga><proPred>CANETAS</proPred><infQ><cUnid>01</cUnid>"
                "<tpMed>PESO BRUTO</tpMed><qCarga>3.5000</qCarga></infQ></infCarga>"
                "<seg><respSeg>4</respSeg><xSeg>Seguradora Boa</xSeg><nApol>A-1</nApol></seg>"
            ),
        ),
        made.protocol(access_key, tag="CTe"),
    ).encode()
