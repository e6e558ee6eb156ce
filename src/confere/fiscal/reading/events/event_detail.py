"""What an event says: the author's words, and the keys of other documents that it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml.etree import _Element

from confere.fiscal import access_keys, document_models
from confere.fiscal.detail import Fields
from confere.fiscal.document_parts import Reference, Warning
from confere.fiscal.reading.elements import LOCAL, texts
from confere.fiscal.reading.xml_leaves import leaves
from confere.fiscal.references import RelationKind, collect
from confere.fiscal.state import CLOSING_MODEL

# Correction, justification, disagreement, why a delivery failed, multimodal registration, the authority's reasons.
_AUTHOR_WORDS: Final = frozenset({"xCorrecao", "xJust", "xObs", "xJustMotivo", "xRegistro", "xMotivo"})
_KEY_TAGS: Final = frozenset({*document_models.KEY_TAGS, "chNFeRef", "chSubstituta", "chaveAcesso", "chave"})
# What the event's document is to the one that is named, where the code says more than that it is named.
_KINDS: Final = {
    "105102": RelationKind.REPLACED_BY,
    "110112": RelationKind.REPLACED_BY,
    "240130": RelationKind.COMPLEMENTED_BY,
    "240140": RelationKind.REPLACED_BY,
    "240150": RelationKind.ANNULLED_BY,
}
_CARRIER_REGISTERED: Final = frozenset({"610600", "610601", "610614", "610615"})
_DELIVERY: Final = frozenset({"110180", "110190"})
_FREIGHT_MODELS: Final = frozenset({"57", "67"})


@dataclass(frozen=True, slots=True)
class EventDetail:
    """`words` are its author's; `references` read: the event's document, kind, key; `fields` are `detEvento`, whole."""

    description: str | None = None
    words: str | None = None
    references: tuple[Reference, ...] = ()
    fields: Fields = ()


def read_detail(
    detail: _Element, code: str | None, model: str | None, own_key: str, warnings: list[Warning], *, whole: bool
) -> EventDetail:
    """What `detail` (`detEvento`; `infCanc` of the time before events) says of the document `own_key`.

    `fields` only where `whole`.
    """
    description: str | None = None
    words: list[str] = []
    claims: list[tuple[RelationKind, str]] = []
    for leaf in detail.iter("*"):
        text = (leaf.text or "").strip()
        if not text:
            continue
        name = LOCAL[leaf.tag]
        if name in ("descEvento", "xDesc"):
            description = description or text
        elif name in _AUTHOR_WORDS:
            words.append(text)
        elif name[:2] == "ch" and text != own_key and (name in _KEY_TAGS or access_keys.has_shape(text)):
            claims.append((_kind(code, model, name), text))
    words += _corrections(detail)
    references = collect(claims, warnings) if claims else ()
    return EventDetail(description, "\n".join(words) or None, references, leaves(detail) if whole else ())


def _kind(code: str | None, model: str | None, name: str) -> RelationKind:
    if code in _KINDS and model != CLOSING_MODEL:
        return _KINDS[code]
    if code in _CARRIER_REGISTERED and name == "chCTe":
        return RelationKind.CARRIED_BY
    if code in _DELIVERY and model in _FREIGHT_MODELS and name == "chNFe":
        return RelationKind.CARRIES
    return RelationKind.REFERENCES


def _corrections(detail: _Element) -> Iterator[str]:
    """A CT-e's letter of correction names group, field, its place among several, and the value that counts now."""
    for correction in detail.iter("{*}infCorrecao"):
        get = texts(correction).get
        place = "/".join(filter(None, (get("grupoAlterado"), get("campoAlterado"))))
        item = get("nroItemAlterado")
        if place or get("valorAlterado"):
            yield f"{place}{f' ({item})' if item else ''}: {get('valorAlterado', '')}"
