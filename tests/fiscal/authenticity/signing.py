"""Notes signed in every way that a signature can be written, their canonical forms written out by hand."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import xmlsec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from lxml import etree

from confere.fiscal.access_keys import check_digit
from sandbox_hub.paper.authority import Signer

NFE = "http://www.portalfiscal.inf.br/nfe"
DSIG = "http://www.w3.org/2000/09/xmldsig#"
MORE = "http://www.w3.org/2001/04/xmldsig-more#"
ENC = "http://www.w3.org/2001/04/xmlenc#"
C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
ENVELOPED = DSIG + "enveloped-signature"
DIGESTS = {DSIG + "sha1": "sha1", ENC + "sha256": "sha256", ENC + "sha512": "sha512", MORE + "sha384": "sha384"}
HASHES = {
    DSIG + "rsa-sha1": hashes.SHA1(),
    MORE + "rsa-sha256": hashes.SHA256(),
    MORE + "rsa-sha384": hashes.SHA384(),
    MORE + "rsa-sha512": hashes.SHA512(),
}

_HEAD = "3526031122233300018155001000004711" + "1" + "10203040"
KEY = _HEAD + check_digit(_HEAD)
IDE = (
    f"<ide><cUF>35</cUF><cNF>10203040</cNF><mod>55</mod><serie>1</serie><nNF>4711</nNF>"
    f"<dhEmi>2026-03-31T22:59:59-03:00</dhEmi><tpEmis>1</tpEmis><cDV>{KEY[-1]}</cDV><tpAmb>1</tpAmb></ide>"
    "<emit><CNPJ>11222333000181</CNPJ></emit>"
)


ATTRIBUTES = f'Id="NFe{KEY}" versao="4.00"'
DECLARED = f' xmlns="{NFE}"'


def body(content: str = IDE, attributes: str = ATTRIBUTES, declared: str = DECLARED) -> str:
    """The canonical form of an `infNFe`; without `declared`, as it is written inside its note."""
    return f"<infNFe{declared} {attributes}>{content}</infNFe>"


def rsa(signer: Signer, method: str = DSIG + "rsa-sha1") -> Callable[[bytes], bytes]:
    return lambda text: signer.key.sign(text, PKCS1v15(), HASHES[method])


@dataclass(frozen=True)
class Way:
    """How a signature is written; the canonical forms follow from it."""

    digest: str = DSIG + "sha1"
    method: str = DSIG + "rsa-sha1"
    canonicalization: str = C14N
    transforms: tuple[str, ...] = (ENVELOPED, C14N)
    uri: str = f"#NFe{KEY}"
    prefix: str = ""  # with its colon
    scope: str = ""  # other namespaces in scope of SignedInfo, as its canonical form declares them


def signature(
    covered: str,
    sign: Callable[[bytes], bytes],
    certificates: Sequence[str],
    way: Way | None = None,
    key_info: str = "",
) -> str:
    """The `Signature` over `covered`, a canonical text, in canonical form."""
    way = way or Way()
    p = way.prefix
    digest = base64.b64encode(hashlib.new(DIGESTS[way.digest], covered.encode()).digest()).decode()
    transforms = "".join(f'<{p}Transform Algorithm="{name}"></{p}Transform>' for name in way.transforms)
    info = (
        f'<{p}CanonicalizationMethod Algorithm="{way.canonicalization}"></{p}CanonicalizationMethod>'
        f'<{p}SignatureMethod Algorithm="{way.method}"></{p}SignatureMethod>'
        f'<{p}Reference URI="{way.uri}"><{p}Transforms>{transforms}</{p}Transforms>'
        f'<{p}DigestMethod Algorithm="{way.digest}"></{p}DigestMethod>'
        f"<{p}DigestValue>{digest}</{p}DigestValue></{p}Reference>"
    )
    declared = f' xmlns:{p[:-1]}="{DSIG}"' if p else f' xmlns="{DSIG}"'
    # Canonical order: the default namespace first, then prefixes by name.
    around = f' xmlns="{NFE}"{declared}{way.scope}' if p and way.canonicalization == C14N else declared + way.scope
    value = base64.b64encode(sign(f"<{p}SignedInfo{around}>{info}</{p}SignedInfo>".encode())).decode()
    held = "".join(f"<{p}X509Certificate>{text}</{p}X509Certificate>" for text in certificates)
    return (
        f"<{p}Signature{declared}><{p}SignedInfo>{info}</{p}SignedInfo><{p}SignatureValue>{value}</{p}SignatureValue>"
        f"<{p}KeyInfo><{p}X509Data>{held}</{p}X509Data></{p}KeyInfo></{p}Signature>"
    )


def note(inside: str, attributes: str = "") -> bytes:
    """A note around a written `infNFe` and its signature, as it is sent."""
    return f'<NFe xmlns="{NFE}"{attributes}>{inside}</NFe>'.encode()


def signed_note(signer: Signer, way: Way | None = None, content: str = IDE) -> bytes:
    """The plainest one: covers its `infNFe`."""
    way = way or Way()
    made = signature(body(content), rsa(signer, way.method), [signer.certificate_base64], way)
    return note(body(content, declared="") + made)


def xmlsec_holds(data: bytes) -> bool:
    """An independent program's word on the first signature in `data`, by the first certificate in it."""
    root = etree.fromstring(data)
    xmlsec.tree.add_ids(root, ["Id"])
    found = next(root.iter(f"{{{DSIG}}}Signature"))
    encoded = next(found.iter(f"{{{DSIG}}}X509Certificate"))
    context = xmlsec.SignatureContext()
    der = base64.b64decode("".join((encoded.text or "").split()))
    context.key = xmlsec.Key.from_memory(der, xmlsec.KeyFormat.CERT_DER)
    try:
        context.verify(found)
    except (xmlsec.VerificationError, xmlsec.Error):
        return False
    return True
