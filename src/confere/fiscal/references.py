"""How one paper points at another: the kinds of relation, and what each of them means."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from confere.fiscal import access_keys
from confere.fiscal.document_parts import Reference, Warning
from confere.fiscal.warnings import Trait


class RelationKind(StrEnum):
    """The kind of a reference; the document that names the other one is always the left side."""

    CARRIES = "carries"
    """A CT-e transports the goods of that NF-e; many to many (`infDoc/infNFe/chave`, simplified `det/infNFe`)."""
    COMPLEMENTS = "complements"
    """A CT-e adds value or tax to that CT-e (`infCteComp`)."""
    REPLACES = "replaces"
    """A CT-e stands in place of that CT-e (`infCteSub`); of other models the like (`gSub`, `infBPeSub`, `subst`)."""
    ANNULS = "annuls"
    """A CT-e takes back the value of that CT-e (`infCteAnu`)."""
    REFERENCES = "references"
    """A return, a complement or a link of a symbolic chain names its origin (`NFref`: refNFe, refNFeSig, refCTe)."""
    PREPAYMENT = "prepayment"
    """The note settles what that note took in advance (`gPagAntecipado`)."""
    ITEM_REFERENCES = "item_references"
    """One item names that document (`det/DFeReferenciado`)."""
    EARLIER = "earlier"
    """The note of a purchase by a public body names that document as an earlier one (`gCompraGov/refDFeAnt`)."""
    CONTINUES = "continues"
    """A CT-e takes the load over from that CT-e (`docAnt`, `infDocAnt`)."""
    MANIFESTS = "manifests"
    """An MDF-e lists that CT-e, NF-e or MDF-e for its journey (`infDoc`); no proof that its goods were carried."""
    RELATED = "related"
    """The hub says that both belong together; no XML claims it."""
    BELONGS_TO = "belongs_to"
    """An event belongs to that document (`infEvento/chNFe`, `chCTe`)."""
    REPLACED_BY = "replaced_by"
    """Only of events: that document stands in place of the event's (110112: `chNFeRef`; 240140)."""
    CARRIED_BY = "carried_by"
    """Only of events: that CT-e transports the goods of the event's NF-e (610600 and its kin: `chCTe`)."""
    COMPLEMENTED_BY = "complemented_by"
    """Only of events: that CT-e adds value or tax to the event's CT-e (240130)."""
    ANNULLED_BY = "annulled_by"
    """Only of events: that CT-e takes back the value of the event's CT-e (240150)."""


INVERSE: Final = {
    RelationKind.REPLACED_BY: RelationKind.REPLACES,
    RelationKind.CARRIED_BY: RelationKind.CARRIES,
    RelationKind.COMPLEMENTED_BY: RelationKind.COMPLEMENTS,
    RelationKind.ANNULLED_BY: RelationKind.ANNULS,
}
"""The kinds that events say of their own document, as the other document would say them."""


def collect(claims: Iterable[tuple[RelationKind, str | None]], warnings: list[Warning]) -> tuple[Reference, ...]:
    """References out of `claims`, each once, in order; a key without the shape of one is kept and warned about.

    Source: MOC 7.0, annex I, group BA (`NFref`); MOC of the CT-e 4.00 (`infDoc`, `infCteComp`, `infCteSub`, `docAnt`);
    NT 2025.002 v1.50 (`gPagAntecipado`, `DFeReferenciado`, `gCompraGov`).
    """
    references: dict[tuple[RelationKind, str], Reference] = {}
    for kind, key in claims:
        if key is None or (kind, key) in references:
            continue
        references[kind, key] = Reference(kind, key)
        if not access_keys.has_shape(key):
            warnings.append(Warning(Trait.REFERENCE_MALFORMED, key))
    return tuple(references.values())
