"""What the readers of all kinds share: the key and its checks, protocols, parties, observations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from lxml.etree import _Element

from confere.fiscal import access_keys, document_models, taxpayers
from confere.fiscal.authenticity import digests
from confere.fiscal.document_parts import Party, Protocol, Warning
from confere.fiscal.model import DocumentHead
from confere.fiscal.reading.amounts import integer
from confere.fiscal.reading.elements import LOCAL, child, own_text, texts, texts_within
from confere.fiscal.warnings import Trait

_LAYOUT: Final = "4.00"  # of NF-e and CT-e
_LAYOUTS: Final[dict[str | None, str]] = {
    "58": "3.00",
    **dict.fromkeys(("62", "63", "66", "99", document_models.SERVICE_MODEL), "1.00"),
    document_models.COUPON_MODEL: "0.00",
}
_PARTY_TAGS: Final = tuple(f"{{*}}{name}" for name in ("CNPJ", "CPF", "idEstrangeiro", "xNome", "IE", "UF", "xMun"))


def signed_body(document: _Element, name: str) -> tuple[_Element | None, str | None]:
    """The child `name` of `document`, and the DigestValue of the signature beside it."""
    body: _Element | None = None
    digest: str | None = None
    for part in document:
        tag = LOCAL[part.tag]
        if tag == name:
            body = part
        elif tag == "Signature":
            value = next(part.iter("{*}DigestValue"), None)
            # Pretty printers put white space into it; base64 has none.
            digest = "".join((value.text or "").split()) or None if value is not None else None
    return body, digest


def tax_id(fields: dict[str, str]) -> str | None:
    """CNPJ, CPF or foreign id, without mask; a CNPJ's letters stay."""
    written = fields.get("CNPJ") or fields.get("CPF")
    if written is None:
        return fields.get("idEstrangeiro")
    return written if written.isdecimal() else taxpayers.normalise(written)


def party(role: str, element: _Element) -> Party:
    """The party in `element`, its place read from the address inside it or, without one, from beside its name."""
    fields = texts_within(element, _PARTY_TAGS)
    get = fields.get
    return Party(role, tax_id(fields), get("xNome"), get("IE"), get("UF"), get("xMun"))


def named_key(get: Callable[[str], str | None]) -> str | None:
    """The access key that the fields of an answer or event name, whatever the model; `get` gives a field's text."""
    return next((key for tag in document_models.KEY_TAGS if (key := get(tag))), None)


def protocol(element: _Element) -> Protocol | None:
    """What `protNFe`, `protCTe` and their kin say; None where it is empty."""
    get = texts(child(element, "infProt")).get
    key = named_key(get)
    found = Protocol(key, get("cStat"), get("xMotivo"), get("nProt"), get("dhRecbto"), get("digVal"), get("tpAmb"))
    return found if found.access_key or found.cstat or found.number else None


def check_key(key: str | None, warnings: list[Warning], length: int = access_keys.LENGTH) -> None:
    """Warn where `key` is absent, has another length or shape, or a check digit that does not hold."""
    if key is None:
        warnings.append(Warning(Trait.NO_KEY))
    elif len(key) != length:
        warnings.append(Warning(Trait.KEY_LENGTH, str(len(key))))
    elif not access_keys.has_shape(key):
        warnings.append(Warning(Trait.KEY_SHAPE, key))
    elif access_keys.check_digit(key) != key[-1]:
        warnings.append(Warning(Trait.BAD_CHECK_DIGIT, key))


def head(
    body: _Element,
    ide: dict[str, str],
    tags: tuple[str, str],
    emitter: str | None,
    answer: Protocol | None,
    warnings: list[Warning],
    digest: str | None = None,
) -> DocumentHead:
    """The head of the document `body`, from its `ide` group, checked against its key; `tags` name number and code.

    `emitter` is its tax id. Where `ide` has no model the key's own stands in.
    """
    number_tag, code_tag = tags
    is_service = ide.get("mod") == document_models.SERVICE_MODEL
    length = access_keys.SERVICE_LENGTH if is_service else access_keys.LENGTH
    key = _document_key(body.get("Id"), answer, warnings, length)
    found = DocumentHead(
        key,
        ide.get("mod"),
        integer(ide.get("serie"), "serie", warnings),
        integer(ide.get(number_tag), number_tag, warnings),
        ide.get("dhEmi") or ide.get("dEmi"),
        ide.get("tpAmb"),
    )
    if key is not None and len(key) == length:
        kind = document_models.OF_MODEL.get(found.model or "")
        if is_service:
            differing = _of_service(key, ide, emitter)
        elif kind is not None and kind.key_fields:
            head_only = replace(found, series=None, number=None)
            differing = _differing(key, head_only, emitter, ide.get("cUF"), None, None)
            differing += document_models.differing(key, kind, ide)
        else:
            differing = _differing(key, found, emitter, ide.get("cUF"), ide.get("tpEmis"), ide.get(code_tag))
        if differing:
            warnings.append(Warning(Trait.KEY_FIELDS_DIFFER, ", ".join(differing)))
        if found.model is None:
            found = replace(found, model=key[20:22])
    if body.tag[:1] != "{" and found.model != document_models.COUPON_MODEL:  # a CF-e has none by its layout
        warnings.append(Warning(Trait.NO_NAMESPACE))
    layout = body.get("versao")
    if layout is not None and layout < _LAYOUTS.get(found.model, _LAYOUT):
        warnings.append(Warning(Trait.OLD_LAYOUT, layout[:10]))
    if answer is None:
        if found.model not in document_models.SELF_AUTHORIZED or digest is None:
            warnings.append(Warning(Trait.NO_PROTOCOL))
    elif answer.digest and digest and not digests.are_same(answer.digest, digest):
        warnings.append(Warning(Trait.PROTOCOL_DIGEST_DIFFERS, answer.digest[:60]))
    if answer is not None and answer.environment and answer.environment != (found.environment or answer.environment):
        warnings.append(Warning(Trait.PROTOCOL_ENVIRONMENT_DIFFERS, answer.environment[:10]))
    if found.environment == "2":
        warnings.append(Warning(Trait.TEST_ENVIRONMENT))
    return found


def observations(section: _Element, tag: str, field: str) -> tuple[str | None, list[str | None]]:
    """`xTexto` of the `obsCont` (`ObsCont`) of `section` whose `xCampo` is `field`, and of all others."""
    named: str | None = None
    others: list[str | None] = []
    for candidate in section.iterchildren(tag):
        value = child(candidate, "xTexto")
        written = own_text(value) if value is not None else None
        if (candidate.get("xCampo") or "").strip() != field:
            others.append(written)
        elif named is None:
            named = written
    return named, others


def _document_key(
    id_attribute: str | None, answer: Protocol | None, warnings: list[Warning], length: int
) -> str | None:
    """The document's own key, else the one its protocol names; with warnings on its form."""
    key = access_keys.find(id_attribute) if id_attribute else None
    if answer is not None and answer.access_key is not None and answer.access_key != key:
        if key is None:
            key = answer.access_key
            warnings.append(Warning(Trait.KEY_FROM_PROTOCOL))
        else:
            warnings.append(Warning(Trait.PROTOCOL_KEY_DIFFERS, answer.access_key))
    check_key(key, warnings, length)
    return key


def _of_service(key: str, fields: dict[str, str], emitter: str | None) -> list[str]:
    """The fields of an NFS-e that disagree with its key, as `_differing`; it is made in the month of either moment."""
    differing = document_models.differing(key, document_models.OF_MODEL[document_models.SERVICE_MODEL], fields)
    months = {text[2:4] + text[5:7] for name in ("dhEmi", "dhProc") if (text := fields.get(name)) is not None}
    if months and key[36:40] not in months:
        differing.append("issued_at")
    if emitter is not None and emitter.rjust(14, "0") != key[9:23]:
        differing.append("emitter")
    return differing


def _differing(
    key: str, found: DocumentHead, emitter: str | None, uf: str | None, emission_type: str | None, code: str | None
) -> list[str]:
    """The fields that disagree with the key; one that is absent disagrees with nothing."""
    differing = []
    if uf is not None and uf != key[:2]:
        differing.append("uf")
    if found.issued_at is not None and found.issued_at[2:4] + found.issued_at[5:7] != key[2:6]:
        differing.append("issued_at")
    if (
        emitter is not None
        and emitter.rjust(14, "0") != key[6:20]
        and not access_keys.names_authority(key[20:22], key[22:25])
    ):
        differing.append("emitter")
    if found.model is not None and found.model != key[20:22]:
        differing.append("model")
    if found.series is not None and str(found.series).rjust(3, "0") != key[22:25]:
        differing.append("series")
    if found.number is not None and str(found.number).rjust(9, "0") != key[25:34]:
        differing.append("number")
    if code is not None:
        # Before layout 2.00 the code had nine digits and the key no emission type.
        tail = code if len(code) == 9 else (emission_type or key[34]) + code
        if tail != key[34:43]:
            differing.append("code")
    return differing
