"""Reading the header of an MDF-e: enough to name, date and find it; its cargo is not read."""

from __future__ import annotations

from lxml.etree import _Element

from confere.fiscal.model import Document, DocumentType, Protocol, Totals, Warning
from confere.fiscal.reading.common import head, party, signed_body
from confere.fiscal.reading.elements import children, texts
from confere.fiscal.traits import Trait


def read_mdfe(
    manifest: _Element,
    answer: Protocol | None,
    *,
    embedded: bool = False,
    traits: tuple[Warning, ...] = (),
    whole: bool = False,  # noqa: ARG001 (as all readers are called; the header is all that is read)
) -> Document | None:
    """The header in the element `MDFe`; None where it holds no `infMDFe`.

    It has no value of its own, so its totals are empty (`vCarga` is the value of the goods).
    """
    body, digest = signed_body(manifest, "infMDFe")
    if body is None:
        return None

    warnings = list(traits)
    sections = children(body)
    emitter = party("emitter", sections["emit"]) if "emit" in sections else None
    named = head(
        body,
        texts(sections.get("ide")),
        ("nMDF", "cMDF"),
        emitter.tax_id if emitter else None,
        answer,
        warnings,
        digest,
    )
    if embedded:
        warnings.append(Warning(Trait.EMBEDDED_EVENT))
    return Document(
        type=DocumentType.MDFE,
        access_key=named.access_key,
        model=named.model,
        series=named.series,
        number=named.number,
        layout=body.get("versao"),
        issued_at=named.issued_at,
        operation=None,
        direction=None,
        purpose=None,
        destination=None,
        environment=named.environment,
        cfops=(),
        parties=(emitter,) if emitter is not None else (),
        items=(),
        totals=Totals(),
        protocol=answer,
        references=(),
        digest=digest,
        external_id=None,
        order_hint=None,
        notes=texts(sections.get("infAdic")).get("infCpl"),
        warnings=tuple(warnings),
    )
