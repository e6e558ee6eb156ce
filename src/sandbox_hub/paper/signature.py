"""The enveloped signature as NF-e and CT-e use it: inclusive C14N 1.0, SHA-1, RSA, the signer's certificate."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

from sandbox_hub.paper.authority import Signer

_DSIG = "http://www.w3.org/2000/09/xmldsig#"
_C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"


@dataclass(frozen=True, slots=True)
class Signed:
    """A signed element, its `Signature`, and the DigestValue in it; `xml` is the two one after the other."""

    element: str
    signature: str
    digest: str

    @property
    def xml(self) -> str:
        return self.element + self.signature


def sign(name: str, attributes: str, content: str, identity: str, namespace: str, signer: Signer) -> Signed:
    """Sign `<name attributes>content</name>`, which inherits `namespace` as the default from its parent.

    `attributes` (in canonical order, `Id` among them with the value `identity`) and `content` must be canonical
    as they stand: then the canonical form of the element differs from what is written by the inherited
    namespace alone, and nothing has to be parsed.
    """
    canonical = f'<{name} xmlns="{namespace}" {attributes}>{content}</{name}>'
    # SHA-1 is the layouts' rule, not a choice.
    digest = base64.b64encode(hashlib.sha1(canonical.encode()).digest()).decode()  # noqa: S324
    info = (
        f'<CanonicalizationMethod Algorithm="{_C14N}"></CanonicalizationMethod>'
        f'<SignatureMethod Algorithm="{_DSIG}rsa-sha1"></SignatureMethod>'
        f'<Reference URI="#{identity}"><Transforms>'
        f'<Transform Algorithm="{_DSIG}enveloped-signature"></Transform>'
        f'<Transform Algorithm="{_C14N}"></Transform></Transforms>'
        f'<DigestMethod Algorithm="{_DSIG}sha1"></DigestMethod>'
        f"<DigestValue>{digest}</DigestValue></Reference>"
    )
    value = signer.sign(f'<SignedInfo xmlns="{_DSIG}">{info}</SignedInfo>'.encode())
    signature = (
        f'<Signature xmlns="{_DSIG}"><SignedInfo>{info}</SignedInfo><SignatureValue>{value}</SignatureValue>'
        f"<KeyInfo><X509Data><X509Certificate>{signer.certificate_base64}</X509Certificate></X509Data></KeyInfo>"
        "</Signature>"
    )
    return Signed(f"<{name} {attributes}>{content}</{name}>", signature, digest)
