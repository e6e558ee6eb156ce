"""The checks of a document against itself: the check digit of its key, and whether Id, key and fields agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import message
from confere.fiscal import access_keys, document_models
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind
from confere.fiscal.reading.elements import LOCAL

_DIGIT_HOLDS: Final = CheckLine(Check.CHECK_DIGIT, Result.OK)
_AGREE: Final = CheckLine(Check.KEY_FIELDS, Result.OK)
_NO_KEY: Final = CheckLine(
    Check.CHECK_DIGIT, Result.NOT_APPLICABLE, message("A voided range of numbers has no access key.")
)
_KEYLESS: Final = message("The document has no access key.")
_ANSWER_ALONE: Final = message("The file holds the authority's answer alone, not what was asked.")
_AUTHORITYS: Final = CheckLine(
    Check.KEY_FIELDS,
    Result.UNCHECKED,
    message("The key of a note that the tax authority issues itself holds the authority's number, not the emitter's."),
)
_EQUIPMENT: Final = slice(6, 31)  # of a CF-e's key: emitter, model, number of the SAT
_NUMBERS: Final = (("nNF", "cNF", "cDV"), ("nCT", "cCT", "cDV"), ("nMDF", "cMDF", "cDV"))


def check_digit(subject: Subject) -> CheckLine:
    """Checks the check digit of the document's access key; of an event, that of the key it names.

    Source: MOC 7.0 (check digit of the access key); of other models as `confere.fiscal.document_models` names them.
    """
    if subject.kind is SignedKind.VOIDING:
        return _NO_KEY
    key = subject.access_key
    if key is None:
        return CheckLine(Check.CHECK_DIGIT, Result.FAILED, _KEYLESS)
    if not access_keys.has_shape(key) or (len(key) == access_keys.SERVICE_LENGTH) != _is_service(subject):
        return CheckLine(
            Check.CHECK_DIGIT,
            Result.FAILED,
            message("{key} has not the form of an access key.", key=key[:60]),
        )
    right = access_keys.check_digit(key)
    if right != key[-1]:
        why = message("The access key ends in {digit} and should end in {right}.", digit=key[-1], right=right)
        return CheckLine(Check.CHECK_DIGIT, Result.FAILED, why)
    return _DIGIT_HOLDS


def key_fields(subject: Subject) -> CheckLine:
    """Checks that the `Id` agrees with the fields that the access key repeats. An absent field agrees.

    Source: MOC 7.0, annex I, group B (the fields that the access key repeats) and A03 (`Id`); MOC of the CT-e 4.00 (the
    same of a CT-e; three digits of sequence in an event's Id).
    """
    if subject.body is None:
        return CheckLine(Check.KEY_FIELDS, Result.NOT_APPLICABLE, _ANSWER_ALONE)
    if not subject.identity:
        return CheckLine(Check.KEY_FIELDS, Result.FAILED, message("The signed part has no Id."))
    if subject.kind is SignedKind.DOCUMENT:
        differing = tuple(_of_document(subject))
    else:
        differing = () if _says_what_it_is(subject) else ("Id",)
    if not differing:
        return _AGREE
    if differing == ("CNPJ",) and access_keys.names_authority(subject.fields.get("mod"), subject.fields.get("serie")):
        return _AUTHORITYS
    return CheckLine(
        Check.KEY_FIELDS,
        Result.FAILED,
        message("These fields disagree with the key: {fields}.", fields=", ".join(differing)),
    )


def _says_what_it_is(subject: Subject) -> bool:
    identity = subject.identity or ""
    if subject.kind is not SignedKind.EVENT:
        return identity in _voiding_ids(subject)
    if "chNFSe" in subject.fields:
        # Behind them, in some versions of the layout, the number of the request.
        expected = f"{subject.access_key or ''}{subject.fields.get('tpEvento', '')}"
        return identity[:3] in ("EVT", "PRE") and identity[3:].startswith(expected)
    if "chCanc" in subject.fields:
        # The cancelling coupon has a key of its own, of the same emitter and equipment.
        own, cancelled = access_keys.find(identity) or "", subject.access_key or ""
        return access_keys.is_valid(own) and own[_EQUIPMENT] == cancelled[_EQUIPMENT]
    return identity in _event_ids(subject)


def _of_document(subject: Subject) -> Iterator[str]:
    key, get = subject.access_key, subject.fields.get
    if (
        key is None
        or subject.body is None
        or subject.identity != document_models.PREFIXES.get(LOCAL[subject.body.tag], "") + key
    ):
        yield "Id"
    if key is not None and _is_service(subject):
        yield from _of_service(key, subject)
        return
    if key is None or len(key) != access_keys.LENGTH:
        return
    if get("cUF", key[:2]) != key[:2]:
        yield "cUF"
    issued = get("dhEmi") or get("dEmi")
    if issued is not None and issued[2:4] + issued[5:7] != key[2:6]:
        yield "dhEmi"
    if subject.author is not None and subject.author.rjust(14, "0") != key[6:20]:
        yield "CNPJ"
    if get("mod", key[20:22]) != key[20:22]:
        yield "mod"
    kind = document_models.OF_MODEL.get(get("mod", ""))
    if kind is not None and kind.key_fields:
        yield from document_models.differing(key, kind, subject.fields)
        if get("cDV", key[43]) != key[43]:
            yield "cDV"
        return
    if get("serie", key[22:25]).rjust(3, "0") != key[22:25]:
        yield "serie"
    number, code = _number_and_code(subject)
    if number is not None and (get(number) or "").rjust(9, "0") != key[25:34]:
        yield number
    written = get(code) if code is not None else None
    if code is not None and written is not None and len(written) == 9:
        # Before layout 2.00 the code had nine digits and the key no emission type.
        if written != key[34:43]:
            yield code
    else:
        if get("tpEmis", key[34]) != key[34]:
            yield "tpEmis"
        if code is not None and written is not None and written != key[35:43]:
            yield code
    if get("cDV", key[43]) != key[43]:
        yield "cDV"


def _is_service(subject: Subject) -> bool:
    return subject.fields.get("mod") == document_models.SERVICE_MODEL or "chNFSe" in subject.fields


def _of_service(key: str, subject: Subject) -> Iterator[str]:
    """Of a national NFS-e, which is made in the month of either moment."""
    if len(key) != access_keys.SERVICE_LENGTH:
        return
    yield from document_models.differing(key, document_models.OF_MODEL[document_models.SERVICE_MODEL], subject.fields)
    moments = [text for name in ("dhEmi", "dhProc") if (text := subject.fields.get(name)) is not None]
    if moments and all(text[2:4] + text[5:7] != key[36:40] for text in moments):
        yield "dhEmi"
    if subject.author is not None and subject.author.rjust(14, "0") != key[9:23]:
        yield "CNPJ"


def _number_and_code(subject: Subject) -> tuple[str | None, str | None]:
    """The tags of number and code that the document has, by its kind."""
    fields = subject.fields
    for number, code, _ in _NUMBERS:
        if number in fields or code in fields:
            return (number if number in fields else None), (code if code in fields else None)
    return None, None


def _event_ids(subject: Subject) -> tuple[str, ...]:
    key = subject.access_key or ""
    if subject.legacy:
        return (f"ID{key}",)
    code, sequence = subject.fields.get("tpEvento", ""), subject.fields.get("nSeqEvento", "")
    # Two digits in an NF-e event's Id, three in a CT-e 4.00 event's.
    return tuple(f"ID{code}{key}{sequence.lstrip('0').rjust(digits, '0')}" for digits in (2, 3))


def _voiding_ids(subject: Subject) -> tuple[str, ...]:
    get = subject.fields.get
    first, last = get("nNFIni") or get("nCTIni") or "", get("nNFFin") or get("nCTFin") or ""
    tail = (
        f"{(subject.author or '').rjust(14, '0')}{get('mod', '')}{get('serie', '').rjust(3, '0')}"
        f"{first.rjust(9, '0')}{last.rjust(9, '0')}"
    )
    uf = get("cUF", "")
    # Older layouts leave the year out.
    return f"ID{uf}{get('ano', '')}{tail}", f"ID{uf}{tail}"
