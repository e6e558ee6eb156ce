"""What one changed character must do: sixty places of signed papers, each with the lines that it must change.

Written by hand from what protects each place, before the judge was asked. A line that is not named must stay as it
was; a place with no line at all is one that nothing protects: no reader of the file alone can see the change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from confere.fiscal.authenticity.verdict import Check, Result

NOTE: Final = "note: sale between states, 2026"
CONSUMER_NOTE: Final = "note: consumer note"
FREIGHT: Final = "freight: freight, 2026"
EVENT: Final = "event: cancellation"
FREIGHT_EVENT: Final = "event: freight cancelled"
VOIDING: Final = "voiding"

Lines = dict[Check, Result]
UNDETECTABLE: Final[Lines] = {}


def failed(*checks: Check) -> Lines:
    return dict.fromkeys(checks, Result.FAILED)


def unchecked(*checks: Check) -> Lines:
    return dict.fromkeys(checks, Result.UNCHECKED)


@dataclass(frozen=True)
class Text:
    """In the file as it is written: the character in brackets becomes `to`. The first place that reads so."""

    paper: str
    where: str
    to: str
    lines: Lines = field(default_factory=dict)


@dataclass(frozen=True)
class Base64:
    """In the base64 of the element `tag`: the character at `at` (from the end where negative) becomes `to`.

    Without `to`, the one that differs in the last of its six bits.
    """

    paper: str
    tag: str
    at: int
    to: str
    lines: Lines = field(default_factory=dict)


@dataclass(frozen=True)
class Bit:
    """In the certificate's DER: bit `bit` (0 is the lowest) of the byte `offset` behind the start of `what`."""

    paper: str
    what: str
    offset: int
    bit: int
    lines: Lines = field(default_factory=dict)


C = Check
_BOTH: Final = failed(C.DIGEST, C.SIGNATURE, C.PROTOCOL_DIGEST)

SIGNED_BODY: Final = (
    Text(NOTE, "<vUnCom>39.9[0]", "1", failed(C.DIGEST)),
    Text(NOTE, "<xNome>Ara[ú]jo", "u", failed(C.DIGEST)),
    Text(NOTE, "<nNF>471[1]", "2", failed(C.DIGEST, C.KEY_FIELDS)),
    # The branch of the emitter: still its company's certificate.
    Text(NOTE, "<emit><CNPJ>112223330001[8]1", "9", failed(C.DIGEST, C.KEY_FIELDS)),
    # The company itself: its certificate is another's then.
    Text(NOTE, "<emit><CNPJ>[1]1222333000181", "2", failed(C.DIGEST, C.KEY_FIELDS, C.SIGNER)),
    # A test that pretends to be real; the answer is a test's.
    Text(NOTE, "<tpAmb>[2]", "1", failed(C.DIGEST, C.ENVIRONMENT)),
    # The Id is what the signature refers to, what the answer is about, and where the key stands.
    Text(NOTE, 'Id="NFe352603112223[3]3', "4", failed(C.DIGEST, C.CHECK_DIGIT, C.KEY_FIELDS, C.PROTOCOL)),
    Text(FREIGHT, "<vTPrest>43.2[1]", "2", failed(C.DIGEST)),
    Text(EVENT, "pediu o [e]storno", "E", failed(C.DIGEST)),
    Text(EVENT, "<nSeqEvento>[1]", "2", failed(C.DIGEST, C.KEY_FIELDS, C.PROTOCOL)),
)

DIGEST_VALUE: Final = (
    Base64(NOTE, "DigestValue", 0, "", _BOTH),
    Base64(NOTE, "DigestValue", 7, "", _BOTH),
    Base64(NOTE, "DigestValue", 13, "", _BOTH),
    Base64(NOTE, "DigestValue", -3, "", _BOTH),
    # The last character before "=" has two bits to spare: the digest is the same, the signed text is not.
    Base64(NOTE, "DigestValue", -2, "", failed(C.SIGNATURE)),
    Base64(NOTE, "DigestValue", -1, "A", _BOTH),
    Base64(NOTE, "DigestValue", 4, "*", _BOTH),
    Base64(FREIGHT, "DigestValue", 20, "", _BOTH),
    Base64(EVENT, "DigestValue", 9, "", failed(C.DIGEST, C.SIGNATURE)),
    Base64(VOIDING, "DigestValue", 1, "", failed(C.DIGEST, C.SIGNATURE)),
)

SIGNATURE_VALUE: Final = (
    Base64(NOTE, "SignatureValue", 0, "", failed(C.SIGNATURE)),
    Base64(NOTE, "SignatureValue", 1, "", failed(C.SIGNATURE)),
    Base64(NOTE, "SignatureValue", 100, "", failed(C.SIGNATURE)),
    Base64(NOTE, "SignatureValue", 171, "", failed(C.SIGNATURE)),
    Base64(NOTE, "SignatureValue", -4, "", failed(C.SIGNATURE)),
    Base64(NOTE, "SignatureValue", 30, "*", failed(C.SIGNATURE)),
    Base64(NOTE, "SignatureValue", -1, "A", failed(C.SIGNATURE)),
    # Four bits to spare before "==": the value is the same, and the signature does not cover its own text.
    Base64(NOTE, "SignatureValue", -3, "", UNDETECTABLE),
    Base64(FREIGHT, "SignatureValue", 200, "", failed(C.SIGNATURE)),
    Base64(EVENT, "SignatureValue", 50, "", failed(C.SIGNATURE)),
)

CERTIFICATE: Final = (
    Bit(NOTE, "holder's CNPJ", 0, 1, failed(C.SIGNER, C.CHAIN)),
    Bit(NOTE, "holder's CNPJ", 13, 1, failed(C.CHAIN)),  # of the branch
    Bit(NOTE, "common name", 3, 0, failed(C.CHAIN)),
    Bit(NOTE, "modulus", 100, 3, failed(C.SIGNATURE, C.CHAIN)),
    # 2028 becomes 2008.
    Bit(NOTE, "last day", 0, 1, failed(C.CHAIN) | failed(C.CERTIFICATE_DATES)),
    Bit(NOTE, "issuer", 1, 0, failed(C.CHAIN)),
    Bit(NOTE, "serial number", 5, 4, failed(C.CHAIN)),
    Bit(NOTE, "issuer's signature", 40, 2, failed(C.CHAIN)),
    # No certificate any more: nobody can have signed by it, and nothing can be said of whose it is.
    Bit(NOTE, "outer tag", 0, 0, failed(C.SIGNATURE) | unchecked(C.SIGNER, C.CERTIFICATE_DATES, C.CHAIN)),
    Bit(EVENT, "holder's CNPJ", 7, 0, failed(C.SIGNER, C.CHAIN)),
)

# Nobody signed the answer in these papers: what it says is taken at its word, as far as it fits the document.
PROTOCOL: Final = (
    Text(NOTE, "<chNFe>352603112223330001815500100000471[1]", "2", failed(C.PROTOCOL)),
    Text(NOTE, "<cStat>[1]00", "2", failed(C.PROTOCOL)),
    Base64(NOTE, "digVal", 3, "", failed(C.PROTOCOL_DIGEST)),
    Text(NOTE, "</verAplic><chNFe>35260311222333000181550010000047111102030408</chNFe><dhRecbto>20[2]6", "0",
         failed(C.CERTIFICATE_DATES, C.PROTOCOL)),
    Text(NOTE, "<infProt Id=\"ID135260000000123\"><tpAmb>[2]", "1", failed(C.ENVIRONMENT)),
    Text(EVENT, "</xEvento><nSeqEvento>[1]", "2", failed(C.PROTOCOL)),
    Text(NOTE, "<nProt>13526000000012[3]", "4", UNDETECTABLE),
    Text(NOTE, "<nProt>1352[6]0", "5", failed(C.PROTOCOL)),
    Text(NOTE, "<nProt>1[3]526", "5", unchecked(C.PROTOCOL)),
    Text(EVENT, "<cStat>13[5]", "6", UNDETECTABLE),  # registered either way
)  # fmt: skip

UNSIGNED_WRAPPER: Final = (
    Text(NOTE, '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.0[0]"', "1", UNDETECTABLE),
    Text(NOTE, '<protNFe versao="4.0[0]"', "1", UNDETECTABLE),
    Text(NOTE, '<infProt Id="ID13526000000012[3]"', "4", UNDETECTABLE),
    Text(NOTE, '<?xml version="1.[0]"', "1", UNDETECTABLE),
    Text(CONSUMER_NOTE, "<qrCode>https://sandbox.confere.invali[d]", "t", UNDETECTABLE),
    Text(CONSUMER_NOTE, "<urlChave>http[s]", "z", UNDETECTABLE),
    Text(EVENT, '<evento xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.0[0]"', "1", UNDETECTABLE),
    # The signed part inherits the namespace that is declared around it.
    Text(NOTE, '<NFe xmlns="http://www.portalfiscal.inf.br/nf[e]"', "f", failed(C.DIGEST)),
    # The signature's own namespace is part of what its value covers.
    Text(NOTE, '<Signature xmlns="http://www.w3.org/2000/09/xmldsig[#]"', "/", failed(C.SIGNATURE)),
    Text(FREIGHT_EVENT, '<procEventoCTe xmlns="http://www.portalfiscal.inf.br/cte" versao="4.0[0]"', "1", UNDETECTABLE),
)

ZONES: Final = {
    "signed body": SIGNED_BODY,
    "DigestValue": DIGEST_VALUE,
    "SignatureValue": SIGNATURE_VALUE,
    "certificate": CERTIFICATE,
    "protocol": PROTOCOL,
    "unsigned wrapper": UNSIGNED_WRAPPER,
}

SIGNED_INFO: Final = (
    # Beyond the sixty: what the signature says of itself.
    Text(NOTE, '<Reference URI="#NFe3526031122233[3]', "4", failed(C.DIGEST, C.SIGNATURE)),
    Text(NOTE, '<DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha[1]"', "2",
         unchecked(C.DIGEST) | failed(C.SIGNATURE)),
    Text(NOTE, '<SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha[1]"', "2",
         unchecked(C.SIGNATURE)),
    Text(NOTE, '<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-2001031[5]"', "6",
         unchecked(C.SIGNATURE)),
    Text(NOTE, '<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signatur[e]"', "f",
         unchecked(C.DIGEST) | failed(C.SIGNATURE)),
)  # fmt: skip
