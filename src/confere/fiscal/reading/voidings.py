"""Reading voided ranges of numbers (inutilização) of NF-e, NFC-e and CT-e."""

from __future__ import annotations

from lxml.etree import _Element

from confere.fiscal.document_parts import Warning
from confere.fiscal.model import Voiding
from confere.fiscal.reading.amounts import integer
from confere.fiscal.reading.common import tax_id
from confere.fiscal.reading.elements import child, texts
from confere.fiscal.warnings import Trait

Identity = tuple[str | None, ...]


def identity(element: _Element) -> Identity:
    """What a request and its answer share: they tell pairs apart within a lot."""
    get = texts(child(element, "infInut")).get
    return get("CNPJ"), get("mod"), get("ano"), get("serie"), get("nNFIni") or get("nCTIni")


def read_voiding(
    request: _Element | None, answer: _Element | None, *, traits: tuple[Warning, ...] = ()
) -> Voiding | None:
    """The range told by its `request` (`inutNFe`), its `answer` (`retInutNFe`), or both; None without a range.

    Without an answer it is not registered (see `Voiding.registered`).
    """
    asked = texts(child(request, "infInut")) if request is not None else {}
    told = texts(child(answer, "infInut")) if answer is not None else {}
    fields = asked if "nNFIni" in asked or "nCTIni" in asked else told
    first = fields.get("nNFIni") or fields.get("nCTIni")
    if first is None:
        return None
    warnings = list(traits)
    source = request if fields is asked else answer
    if source is not None and source.tag[:1] != "{":
        warnings.append(Warning(Trait.NO_NAMESPACE))
    environment = fields.get("tpAmb")
    if environment == "2":
        warnings.append(Warning(Trait.TEST_ENVIRONMENT))
    return Voiding(
        uf_code=fields.get("cUF"),
        year=fields.get("ano"),
        emitter=tax_id(fields),
        model=fields.get("mod"),
        series=integer(fields.get("serie"), "serie", warnings),
        first=integer(first, "nNFIni", warnings),
        last=integer(fields.get("nNFFin") or fields.get("nCTFin"), "nNFFin", warnings),
        reason=asked.get("xJust"),
        cstat=told.get("cStat"),
        protocol=told.get("nProt"),
        registered_at=told.get("dhRecbto"),
        environment=environment,
        warnings=tuple(warnings),
        answer=told.get("xMotivo"),
    )
