"""Warnings about a document or its file: one stable code each, and the sentence that explains it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from confere.errors import N_, Message, message

if TYPE_CHECKING:
    from confere.fiscal.document_parts import Warning


class Trait(StrEnum):
    """Codes of `Warning`. None of them is a reason to refuse a paper."""

    # of the file
    BOM = "bom"
    ENCODING = "encoding"  # a declared encoding other than UTF-8, read as declared
    ENCODING_WRONG = "encoding_wrong"  # the bytes are not in the declared encoding
    NO_DECLARATION = "no_declaration"
    CDATA = "cdata"
    CHARACTER_REFERENCES = "character_references"  # numeric ones
    PADDING = "padding"  # white space before the declaration, NULs after the end
    WRAPPED = "wrapped"  # inside a SOAP envelope, a lot, a distribution
    LOT = "lot"  # several documents in one file
    UNREADABLE_PART = "unreadable_part"  # a packed document inside a distribution
    PROTOCOL_ALONE = "protocol_alone"  # an authority's answer without its document
    SUMMARY_ONLY = "summary_only"  # a distribution's resNFe, resEvento: not the paper itself
    # of a document, an event or a voiding
    NO_NAMESPACE = "no_namespace"
    PREFIXED = "prefixed"  # the fiscal namespace
    PREFIXED_SIGNATURE = "prefixed_signature"
    OLD_LAYOUT = "old_layout"
    NO_KEY = "no_key"
    KEY_LENGTH = "key_length"
    KEY_SHAPE = "key_shape"
    BAD_CHECK_DIGIT = "bad_check_digit"
    KEY_FIELDS_DIFFER = "key_fields_differ"
    KEY_FROM_PROTOCOL = "key_from_protocol"
    NO_PROTOCOL = "no_protocol"
    PROTOCOL_KEY_DIFFERS = "protocol_key_differs"
    PROTOCOL_DIGEST_DIFFERS = "protocol_digest_differs"
    PROTOCOL_ENVIRONMENT_DIFFERS = "protocol_environment_differs"
    TEST_ENVIRONMENT = "test_environment"
    EMBEDDED_EVENT = "embedded_event"
    LEGACY_CANCELLATION = "legacy_cancellation"
    REFERENCE_MALFORMED = "reference_malformed"
    UNREADABLE_NUMBER = "unreadable_number"
    COMMA_DECIMAL = "comma_decimal"
    MONEY_ROUNDED = "money_rounded"


ANSWER_OF_ANOTHER: Final = frozenset(
    {Trait.PROTOCOL_KEY_DIFFERS, Trait.PROTOCOL_DIGEST_DIFFERS, Trait.PROTOCOL_ENVIRONMENT_DIFFERS}
)
"""The authority's answer beside a document is not about that document: nobody answered about this one."""

# Told to whoever opens the paper, but no reason to look into it: it was read whole, and is what it says it is.
INFORMATION: Final = frozenset(
    {
        Trait.BOM,
        Trait.ENCODING,
        Trait.NO_DECLARATION,
        Trait.CDATA,
        Trait.CHARACTER_REFERENCES,
        Trait.WRAPPED,
        Trait.LOT,
        Trait.PREFIXED,
        Trait.PREFIXED_SIGNATURE,
        Trait.OLD_LAYOUT,
        Trait.EMBEDDED_EVENT,
        Trait.LEGACY_CANCELLATION,
        Trait.TEST_ENVIRONMENT,
    }
)

_SENTENCES: Final[Mapping[str, str]] = {
    Trait.BOM: N_("The file begins with a byte order mark."),
    Trait.ENCODING: N_("The file is encoded as {detail}, not as UTF-8."),
    Trait.ENCODING_WRONG: N_("The file is not encoded as it declares; it was read as {detail}."),
    Trait.NO_DECLARATION: N_("The file begins without an XML declaration."),
    Trait.CDATA: N_("The file has text in CDATA sections."),
    Trait.CHARACTER_REFERENCES: N_("The file writes characters as numeric references."),
    Trait.PADDING: N_("The file has stray bytes before its beginning or after its end."),
    Trait.WRAPPED: N_("The document stands inside an envelope ({detail})."),
    Trait.LOT: N_("The file holds several documents: {detail}."),
    Trait.UNREADABLE_PART: N_("A part of the file cannot be read: {detail}"),
    Trait.PROTOCOL_ALONE: N_("The file holds an answer of the authority without its document ({detail})."),
    Trait.SUMMARY_ONLY: N_("The file holds only a summary ({detail}), not the document itself."),
    Trait.NO_NAMESPACE: N_("The XML has no namespace."),
    Trait.PREFIXED: N_("The XML writes its namespace with a prefix ({detail})."),
    Trait.PREFIXED_SIGNATURE: N_("The signature is written with a namespace prefix ({detail})."),
    Trait.OLD_LAYOUT: N_("The document is in an earlier layout ({detail})."),
    Trait.NO_KEY: N_("The document has no access key."),
    Trait.KEY_LENGTH: N_("The access key has {detail} characters; it should have 44, of an NFS-e 50."),
    Trait.KEY_SHAPE: N_("The access key has characters where only digits may stand ({detail})."),
    Trait.BAD_CHECK_DIGIT: N_("The check digit of the access key does not hold ({detail})."),
    Trait.KEY_FIELDS_DIFFER: N_("The access key and these fields of the document disagree: {detail}."),
    Trait.KEY_FROM_PROTOCOL: N_("The document has no Id; its access key was taken from the protocol."),
    Trait.NO_PROTOCOL: N_("The document has no protocol of authorization."),
    Trait.PROTOCOL_KEY_DIFFERS: N_("The authority's answer is about another access key ({detail})."),
    Trait.PROTOCOL_DIGEST_DIFFERS: N_("The authority's answer is about another text: it names the digest {detail}."),
    Trait.PROTOCOL_ENVIRONMENT_DIFFERS: N_("The authority's answer is of another environment ({detail})."),
    Trait.TEST_ENVIRONMENT: N_("Issued in the test environment: no fiscal value."),
    Trait.EMBEDDED_EVENT: N_("The file of the document holds events too."),
    Trait.LEGACY_CANCELLATION: N_("A cancellation in the form used before events existed."),
    Trait.REFERENCE_MALFORMED: N_("A referenced key has not the form of an access key ({detail})."),
    Trait.UNREADABLE_NUMBER: N_("A number cannot be read: {detail}."),
    Trait.COMMA_DECIMAL: N_("A number is written with a comma: {detail}."),
    Trait.MONEY_ROUNDED: N_("An amount has more than two decimals and was rounded: {detail}."),
}


TOO_LARGE: Final = "too large"
CUT_SHORT: Final = "cut short"
DAMAGED: Final = "damaged"
_PART_REASONS: Final = {
    TOO_LARGE: message("it is too large"),
    CUT_SHORT: message("it is cut short"),
    DAMAGED: message("it is damaged"),
}
"""Why a part cannot be read, as its warning tells it after the part's name; an older archive has other words there."""

# How the layout calls what a warning names: accountants know the tags, not our names for them.
_TAGS: Final[Mapping[str, str]] = {
    "uf": "cUF",
    "issued_at": "dhEmi",
    "emitter": "CNPJ/CPF",
    "model": "mod",
    "series": "serie",
    "number": "nNF/nCT",
    "code": "cNF/cCT",
}


def explain(warning: Warning) -> Message:
    """The sentence for `warning`; an unknown code, from a newer release's archive, is shown as it stands.

    Source: MOC 7.0 and MOC of the CT-e 4.00 (the layouts that a warning compares with).
    """
    sentence = _SENTENCES.get(warning.code)
    if sentence is None:
        return Message(N_("{code} {detail}"), {"code": warning.code, "detail": warning.detail})
    detail = warning.detail
    if warning.code == Trait.KEY_FIELDS_DIFFER:
        detail = ", ".join(_TAGS.get(name, name) for name in detail.split(", "))
    if warning.code == Trait.UNREADABLE_PART:
        name, _, reason = detail.partition(": ")
        why = _PART_REASONS.get(reason, _PART_REASONS[DAMAGED])
        return Message(sentence, {"detail": message("{name}: {why}", name=name, why=why)})
    return Message(sentence, {"detail": detail})


def asks_attention(code: str) -> bool:
    """Whether a warning of this code marks its document in lists; True for an unknown code of a newer release.

    Source: a rule of this program, no law: a deviation from the layout is a warning, never a reason to refuse a
    document.
    """
    return code not in INFORMATION


def attention_count(codes: Iterable[str]) -> int:
    """How many of these warnings mark their paper in a list.

    Source: as `asks_attention`.
    """
    return sum(map(asks_attention, codes))
