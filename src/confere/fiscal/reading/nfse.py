"""Reading a national NFS-e: its head, the service, its taxes and what is withheld.

An NFS-e is made and signed by the system of the city or of the nation out of the provider's declaration (DPS), which
it holds; it is its own authorization. Source: `NFSe_v1.01.xsd` of www.gov.br/nfse.
"""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

from confere.fiscal import document_models
from confere.fiscal.detail import HeadDetail, Service, Withheld
from confere.fiscal.document_parts import Party, Protocol, Totals, Warning
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.amounts import cents, quantity
from confere.fiscal.reading.common import head, party, signed_body
from confere.fiscal.reading.cte.cte_parties import full_party
from confere.fiscal.reading.elements import LOCAL, child, children, own_text, texts
from confere.fiscal.reading.xml_leaves import leaves
from confere.fiscal.references import RelationKind, collect
from confere.fiscal.warnings import Trait

_BY_PROVIDER: Final = "1"  # tpEmit: who issued the declaration; 2 the taker, 3 the intermediary
_WITHHELD: Final = ("vRetCP", "vRetIRRF", "vRetCSLL")

Groups = tuple[tuple[Party, _Element], ...]


def read_service_note(
    document: _Element,
    answer: Protocol | None,  # noqa: ARG001 (as all readers are called: nothing answers beside an NFS-e)
    *,
    embedded: bool = False,
    traits: tuple[Warning, ...] = (),
    whole: bool = False,
) -> Document | None:
    """The NFS-e in the element `NFSe`; None where it holds no `infNFSe`, as those of the cities' own layouts.

    Its emitter is the provider of the service, whoever issued it, its recipient the taker; its total is the service's
    price (`vServ`).
    """
    body, digest = signed_body(document, "infNFSe")
    if body is None:
        return None

    warnings = list(traits)
    declared = _declared(body)
    fields = service_fields(body)
    groups = _parties(body, declared, fields)
    issuer = children(body).get("emit")
    written = party("emitter", issuer).tax_id if issuer is not None else None
    said = Protocol(None, fields.get("cStat"), None, fields.get("nDFSe"), fields.get("dhProc"), None)
    named = head(body, fields, ("nNFSe", ""), written, said, warnings, digest)
    if embedded:
        warnings.append(Warning(Trait.EMBEDDED_EVENT))
    service = _service(body, declared, warnings)
    claims: list[tuple[RelationKind, str | None]] = [(RelationKind.REPLACES, _text(declared, "subst/chSubstda"))]
    claims += [
        (RelationKind.REFERENCES, own_text(key))
        for deducted in body.iter("{*}docDedRed")
        for key in deducted.iterchildren("{*}chNFSe", "{*}chNFe")
    ]
    return Document(
        type=DocumentType.NFSE,
        access_key=named.access_key,
        model=document_models.SERVICE_MODEL,
        series=None,
        number=named.number,
        layout=document.get("versao"),
        issued_at=named.issued_at,
        operation=None,  # what is sold is in words of its own, and no operation with goods
        direction=None,
        purpose=None,
        destination=None,
        environment=named.environment,
        cfops=(),
        parties=tuple(found for found, _ in groups),
        items=(),
        totals=Totals(
            document=service.price_cents,
            discount=service.discount_cents,
            with_reform=cents(_text(body, "IBSCBS/totCIBS/vTotNF"), "vTotNF", warnings),
        ),
        protocol=said,
        references=collect(claims, warnings),
        digest=digest,
        external_id=None,
        order_hint=_text(declared, "serv/infoCompl/xPed"),
        notes=" ".join(filter(None, (service.name, service.description, _text(declared, "serv/infoCompl/xInfComp"))))
        or None,
        warnings=tuple(warnings),
        detail=_detail(body, declared, groups, service) if whole else None,
    )


def service_fields(body: _Element) -> dict[str, str]:
    """What other models have in `ide`: the NFS-e's own fields, with environment and moment of the declaration.

    `ambGer` says who made it (1 a city, 2 the nation), not whether it is a test.
    """
    found = texts(body)
    declared = texts(_declared(body))
    found |= {name: declared[name] for name in ("tpAmb", "tpEmit", "dCompet", "cLocEmi") if name in declared}
    issued = declared.get("dhEmi") or found.get("dhProc")
    if issued is not None:
        found["dhEmi"] = issued
    found["mod"] = document_models.SERVICE_MODEL
    return found


def _declared(body: _Element) -> _Element | None:
    outer = child(body, "DPS")
    return child(outer, "infDPS") if outer is not None else None


def _parties(body: _Element, declared: _Element | None, fields: dict[str, str]) -> Groups:
    emitting = children(body).get("emit")  # of several the last one, as everywhere
    found: list[tuple[Party, _Element]] = []
    provider = child(declared, "prest") if declared is not None else None
    is_own = fields.get("tpEmit", _BY_PROVIDER) == _BY_PROVIDER
    if is_own and emitting is not None:
        found.append((party("emitter", emitting), emitting))
    elif provider is not None:
        found.append((party("emitter", provider), provider))
    for tag, role in (("toma", "recipient"), ("interm", "intermediary")):
        group = child(declared, tag) if declared is not None else None
        if group is not None:
            found.append((party(role, group), group))
    return tuple(found)


def _service(body: _Element, declared: _Element | None, warnings: list[Warning]) -> Service:
    own = texts(body).get
    told = texts(child(body, "valores")).get
    asked = texts(_group(declared, "serv/cServ")).get
    values = _group(declared, "valores")
    city = texts(_group(values, "trib/tribMun")).get
    federal = texts(_group(values, "trib/tribFed"))
    own_taxes = texts(_group(values, "trib/tribFed/piscofins"))
    reform = _group(body, "IBSCBS/totCIBS")
    price = cents(_text(values, "vServPrest/vServ"), "vServ", warnings)
    return Service(
        code=asked("cTribNac"),
        city_code=asked("cTribMun"),
        nbs=asked("cNBS"),
        name=own("xTribNac"),
        description=asked("xDescServ"),
        place=own("xLocPrestacao"),
        competence=texts(declared).get("dCompet"),
        price_cents=price,
        discount_cents=cents(_text(values, "vDescCondIncond/vDescIncond"), "vDescIncond", warnings),
        iss_base_cents=cents(told("vBC"), "vBC", warnings),
        iss_rate=quantity(told("pAliqAplic"), "pAliqAplic", warnings),
        iss_cents=cents(told("vISSQN"), "vISSQN", warnings),
        iss_situation=city("tribISSQN"),
        iss_withheld_by=city("tpRetISSQN"),
        withheld=tuple(
            Withheld(name, amount)
            for name in _WITHHELD
            if (amount := cents(federal.get(name), name, warnings)) is not None
        ),
        pis_cents=cents(own_taxes.get("vPis"), "vPis", warnings),
        cofins_cents=cents(own_taxes.get("vCofins"), "vCofins", warnings),
        pis_cofins_withheld=own_taxes.get("tpRetPisCofins"),
        withheld_cents=cents(told("vTotalRet"), "vTotalRet", warnings),
        net_cents=cents(told("vLiq"), "vLiq", warnings),
        ibs_cents=cents(_text(reform, "gIBS/vIBSTot"), "vIBSTot", warnings),
        cbs_cents=cents(_text(reform, "gCBS/vCBS"), "vCBS", warnings),
    )


def _group(element: _Element | None, path: str) -> _Element | None:
    for name in path.split("/"):
        element = child(element, name) if element is not None else None
    return element


def _text(element: _Element | None, path: str) -> str | None:
    parent, _, name = path.rpartition("/")
    return texts(_group(element, parent) if parent else element).get(name)


def _detail(body: _Element, declared: _Element | None, groups: Groups, service: Service) -> HeadDetail:
    read = [(full_party(known, group), LOCAL[group.tag]) for known, group in groups]
    taken = {id(group) for _, group in groups}
    own = tuple(texts(body).items())
    sections = [(name, left) for (_, left), name in read if left]
    for parent in (body, declared):
        for part in parent if parent is not None else ():
            name = LOCAL[part.tag]
            if len(part) and name != "DPS" and id(part) not in taken:
                sections.append((name, leaves(part)))
    return HeadDetail(
        identification=(*own, *(texts(declared).items())),
        parties=tuple(found for (found, _), _ in read),
        service=service,
        sections=tuple((name, found) for name, found in sections if found),
    )
